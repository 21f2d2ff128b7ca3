"""docs/sequences.md: its examples do what it says, and it tells of everything."""

from collections.abc import Collection
import io
import json
from pathlib import Path
import re
import shlex
from typing import Any, Final

import pytest
from seqtool.command import main
import yaml

from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.sequence import keys, limits
from custom_components.homeagent.sequence.checks import check_group, check_parsed
from custom_components.homeagent.sequence.document import (
    Parsed,
    parse_sequence,
    read_group,
    read_sequence,
)
from custom_components.homeagent.sequence.model import Missing, OnError, SlotType
from custom_components.homeagent.sequence.problems import Problem
from custom_components.homeagent.sequence.report import (
    GroupReport,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.runs import MAX_RUNS
from custom_components.homeagent.sequence.sentence_checks import check_sentences
from custom_components.homeagent.sequence.words import CATALOGUE

from ..sequence.texts import Sequences, call, group_text, named
from .markdown import Fence, Row, anchor, fences, read, rows, section
from .tools import DocumentedTools

DOCS: Final = read("docs/sequences.md")
FENCES: Final = fences(DOCS)
ROWS: Final = list(rows(DOCS))
FRAME: Final[dict[str, Any]] = json.loads(
    next(each.text for each in FENCES if each.info == "json frame")
)
EXAMPLES_ELSEWHERE: Final = set(
    "empty_text too_large not_utf8 control_character too_deep key_not_text not_json"
    " more_errors more_warnings name_differs too_many_groups too_many_tools"
    " condition_too_deep sentences_many sentence_no_text sentence_long sentence_wide".split()
)
"""Codes of which a table cannot hold an example; other tests have them."""


def deep(name: str, target: str) -> Any:
    return named(name, group_text(call(target)))


OTHERS: Final = Sequences(
    {
        each.name: each
        for each in (
            named("Good night", group_text() | {"name": "lights"}),
            deep("one deep", "#Good night"),
            deep("two deep", "#one deep"),
            deep("three deep", "#two deep"),
            deep("four deep", "#three deep"),
        )
    }
)


def found(parsed: Parsed) -> tuple[list[str], list[str]]:
    """Return the codes of all errors and of all warnings."""
    report = check_parsed(parsed, DocumentedTools(), OTHERS)
    return codes(report.errors), codes(report.warnings)


def codes(problems: Collection[Problem]) -> list[str]:
    return [problem.code for problem in problems]


def marked(begin: str) -> list[Fence]:
    chosen = [each for each in FENCES if each.info.startswith(begin)]
    assert chosen
    return chosen


def test_every_block_is_tried() -> None:
    """No block has a mark that no test knows."""
    known = (
        r"json (sequence( warns=\w+)?|group|frame|file=\w+\.json)"
        r"|text tools|yaml (action|automation)|console"
    )
    assert [each.info for each in FENCES if not re.fullmatch(known, each.info)] == []


@pytest.mark.parametrize("fence", marked("json sequence"))
def test_sequence(fence: Fence) -> None:
    """A whole sequence checks, with the warnings that are announced, if any."""
    announced = fence.info.partition("warns=")[2].split()
    assert found(parse_sequence(fence.text)) == ([], announced)


@pytest.mark.parametrize("fence", marked("json group"))
def test_group(fence: Fence) -> None:
    """A group checks for itself."""
    read = read_group(json.loads(fence.text))
    assert read.errors == read.warnings == ()
    assert read.group is not None
    report = check_group(read.group, DocumentedTools(), OTHERS)
    assert (report.errors, report.warnings) == ((), ())


@pytest.mark.parametrize("fence", marked("text tools"))
def test_tools(fence: Fence) -> None:
    """A text of tools checks in the frame; what it does not use does not count."""
    errors, warnings = found(framed(tools=fence.text))
    assert (errors, set(warnings) - {"input_unused", "output_unwritten"}) == ([], set())


def actions(text: str) -> list[dict[str, Any]]:
    """Return the actions of HomeAgent in a block of YAML."""
    loaded = yaml.safe_load(text)
    listed = loaded.get("actions", [loaded]) if isinstance(loaded, dict) else []
    return [each for each in listed if "homeagent." in each.get("action", "")]


def test_same_sequence_in_yaml_and_json() -> None:
    """The first example is one sequence in two forms."""
    (created,) = actions(marked("yaml action")[0].text)
    document = parse_sequence(marked("json sequence")[0].text)
    assert document.sequence == read_sequence(created["data"]).sequence


def test_console(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The commands print what is shown."""
    monkeypatch.chdir(tmp_path)
    for fence in marked("json file="):
        (tmp_path / fence.info.partition("=")[2]).write_text(fence.text, "utf-8")
    for fence in marked("console"):
        for command, shown in re.findall(
            r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", fence.text, re.MULTILINE
        ):
            script, *arguments = shlex.split(command)
            assert script == "scripts/seq"
            assert main(arguments, io.BytesIO()) == 0
            assert capsys.readouterr().out == shown


def column(heading: str, cell: int = 0) -> list[str]:
    """Return what stands in backticks in a column of the section's tables."""
    inside = [row for row in ROWS if row.heading == heading]
    return [span for row in inside for span in row.spans(cell)]


@pytest.mark.parametrize(
    ("heading", "legal"),
    [
        ("Sequence", keys.SEQUENCE_KEYS),
        ("Group", keys.GROUP_KEYS),
        ("Tool", keys.ENTRY_KEYS),
        ("When something fails", (*OnError, *Missing)),
    ],
)
def test_tables_of_keys(heading: str, legal: Collection[str]) -> None:
    """Every key and every choice has its row."""
    assert column(heading) == [str(each) for each in legal]


def test_defaults() -> None:
    """A group that says all its defaults is the group that says nothing."""
    told = {
        row.spans(0)[0]: json.loads(row.spans(2)[0])
        for row in ROWS
        if row.heading == "Group" and row.cells[2]
    }
    assert len(told) == len(keys.GROUP_KEYS) - 2
    plain = read_group({"name": "g", "tools": [{"tool": "t.a"}]})
    full = read_group({"name": "g", "tools": [{"tool": "t.a"}], **told})
    assert plain.group == full.group is not None


def test_reports() -> None:
    """Every reason, every status of everything, and every key of a report is told."""
    told = column("Running a sequence")
    assert [each for each in Reason if each not in told] == []
    whose = {
        row.spans(0)[0]: set(row.cells[1].split(", "))
        for row in ROWS
        if row.heading == "Running a sequence" and len(row.cells) == 3
    }
    assert sorted(whose) == sorted(Status)
    words = set(re.findall(r"`(\w+)`", section(DOCS, "Running a sequence")))
    run = RunReport(run_id="", sequence="", status=Status.OK)
    assert set(run.as_dict()) <= words
    for kind in (GroupReport, ToolReport):
        assert set(kind.__dataclass_fields__) <= words


def test_types_and_limits() -> None:
    """The types and the numbers are those of the code."""
    named_types = section(DOCS, "Inputs and outputs").split("The types are ")[1]
    assert [
        each for each in SlotType if f"`{each}`" not in named_types.split(".")[0]
    ] == []
    told = section(DOCS, "Limits") + section(DOCS, "Names and keys")
    for words in (
        f"{limits.MAX_GROUPS} groups, {limits.MAX_TOOLS} tools in a group",
        f"{limits.MAX_BYTES // 1024} KiB of text",
        f"1 to {limits.MAX_NAME} characters",
        f"from -2^{limits.MIN_INTEGER.bit_length() - 1} to 2^63-1",
    ):
        assert words in told
    assert MAX_RUNS == 10
    assert "up to ten times at once" in told
    assert f"at most {limits.MAX_CALL_DEPTH} deep" in section(DOCS, "Calls by name")
    assert f"`{limits.DEFAULT_TIMEOUT:g}s`".replace("`", '`"', 1) not in told


def test_links() -> None:
    """Every link inside of the text leads to a heading."""
    headings = {anchor(each) for each in re.findall(r"^#+ (.*)$", DOCS, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", DOCS)) <= headings


# The tables of errors.

_BEGIN: Final = [row.heading for row in ROWS].index("Reading the text")
CODE_ROWS: Final = ROWS[_BEGIN:]


def test_every_code_is_told() -> None:
    """Every code of the catalogue has one row, in one of the tables."""
    told = [row.spans(0)[0] for row in CODE_ROWS]
    assert sorted(told) == sorted(CATALOGUE)
    without = {row.spans(0)[0] for row in CODE_ROWS if not row.spans(1)}
    assert without == EXAMPLES_ELSEWHERE


def framed(**members: Any) -> Parsed:
    """Read the frame with other members in its first group."""
    first = FRAME["groups"][0] | members
    return parse_sequence(json.dumps(FRAME | {"groups": [first, FRAME["groups"][1]]}))


def example(row: Row) -> Parsed:
    """Read the example of a row as its section says."""
    members: dict[str, Any] = {}
    text = ""
    for span in row.spans(1):
        if re.match(r'"\w+": ', span):
            members |= json.loads(f"{{{span}}}")
        else:
            text = span
    if not text:
        return framed(**members)
    if row.heading in {"Reading the text", "Keys and their values"}:
        return parse_sequence(text)
    if row.heading == "Conditions that cannot be read":
        return framed(when=text, **members)
    if row.heading == "References":
        before = call("other", {"level": 1}, **{"as": "found"})
        members["out"] = FRAME["groups"][0]["out"] | {"found": "object"}
        text = f'{before} {{"tool":"notify.phone","args":{{"data":{text}}}}} ;'
    return framed(tools=text, **members)


def found_in_sentences(sentences: list[str]) -> tuple[list[str], list[str]]:
    """Return the codes for sentences of the frame."""
    sequence = framed().sequence
    assert sequence is not None
    report = check_sentences(sequence, sentences, {"Good night": ["good night"]})
    return codes(report.errors), codes(report.warnings)


def with_example(rows: Collection[Row]) -> list[Any]:
    return [pytest.param(row, id=row.spans(0)[0]) for row in rows if row.spans(1)]


@pytest.mark.parametrize("row", with_example(CODE_ROWS))
def test_example_of_code(row: Row) -> None:
    """The example is refused, or warned of, with this code; italics are warnings."""
    code = row.spans(0)[0]
    if row.heading == "Sentences that do not work":
        errors, warnings = found_in_sentences(row.spans(1))
    else:
        errors, warnings = found(example(row))
    italic = row.cells[0].startswith("*")
    assert code in (warnings if italic else errors), (errors, warnings)

"""Every block of every document has a mark that says how it is tried, and holds."""

import ast
from collections.abc import Iterator
import json
from pathlib import Path
import re
from typing import Any, Final

import pytest
import yaml

from custom_components.homeagent.sequence.checks import check_parsed
from custom_components.homeagent.sequence.document import (
    Parsed,
    parse_sequence,
    read_sequence,
)
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.preflight import check_inputs
from custom_components.homeagent.sequence.scope import Callee
from custom_components.homeagent.sequence.sentence_checks import check_sentences
from homeagent_waiter.config_file import load_config

from ..sequence.texts import Sequences
from .documents import PAGES, Block, blocks
from .markdown import FENCE, ROOT, anchor, fences, read, rows
from .tools import DocumentedTools

KINDS: Final = {
    # What is tried here.
    "json sequence": "checked as a whole sequence",
    "json figure": "has the keys of a benchmark's line",
    "json manifest": "parsed; the whole example is run in tests/ha/test_extension",
    "python extension": "compiled; run in tests/ha/test_extension",
    "yaml action": "sequences are checked; all are called in tests/ha/test_documents",
    "yaml automation": "the same",
    "yaml script": "the same",
    "yaml configuration": "set up in tests/ha/test_documents",
    "yaml waiter": "loaded by the waiter",
    "yaml compose": "what it mounts is what the image has",
    "text sentences": "checked as the sentences of the sequence before it",
    "text layout": "each path exists",
    "text": "a picture",
    # What only docs/sequences.md has, and test_sequences tries.
    "json": "a file for scripts/seq",
    "json frame": "the frame of the tables of errors",
    "json group": "checked as a group",
    "text tools": "checked in the frame",
    # What test_commands tries.
    "console": "each command line is known",
}
BUILDS_ON: Final = {"docs/guide.md": "README.md"}
"""Pages that use the sequences of another one."""

SEQUENCES_ONLY: Final = {"json", "json frame", "json group", "text tools"}


def params(*kinds: str) -> list[Any]:
    found = [pytest.param(each, id=each.name) for each in blocks(*kinds)]
    assert found, kinds
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_block_has_a_known_mark(page: str) -> None:
    """One that no test knows is an error; so is an indented one, which none reads."""
    here = [each for each in blocks() if each.page == page]
    assert [each.fence.info for each in here if each.kind not in KINDS] == []
    if page != "docs/sequences.md":
        assert not {each.kind for each in here} & SEQUENCES_ONLY
    assert len(re.findall(r"^ *(?:```|~~~)", read(page), re.MULTILINE)) == 2 * len(here)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Each file that is linked is there, and each heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        if target.startswith("https://"):
            continue
        path, _, heading = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert heading in {anchor(each) for each in headings}, target


def found(parsed: Parsed, others: dict[str, Sequence]) -> tuple[list[str], list[str]]:
    """Return the codes of all errors and of all warnings."""
    report = check_parsed(parsed, DocumentedTools(), Sequences(others))
    return [each.code for each in report.errors], [
        each.code for each in report.warnings
    ]


def actions(value: object) -> Iterator[dict[str, Any]]:
    """Go through the calls of HomeAgent's actions in YAML, however deep they stand."""
    if isinstance(value, dict):
        if str(value.get("action", "")).startswith("homeagent."):
            yield value
        for inner in value.values():
            yield from actions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from actions(inner)


@pytest.mark.parametrize("page", PAGES)
def test_sequences_and_runs_of_a_page(page: str) -> None:
    """What is pasted in order is created without a warning, and run with its inputs."""
    known: dict[str, Sequence] = {}
    for here in dict.fromkeys((BUILDS_ON.get(page, page), page)):
        for block in blocks(
            "json sequence", "yaml action", "yaml automation", "yaml script"
        ):
            if block.page == here:
                try_block(block, known)


def try_block(block: Block, known: dict[str, Sequence]) -> None:
    """Check what a block creates, and give what it runs what that needs."""
    if block.kind == "json sequence":
        announced = block.fence.info.partition("warns=")[2].split()
        keep(parse_sequence(block.fence.text), announced, known)
        return
    for call in actions(yaml.safe_load(block.fence.text)):
        data = call.get("data", {})
        if call["action"] == "homeagent.seq_create" and "groups" in data:
            told = {key: data[key] for key in data if key not in {"replace", "append"}}
            keep(read_sequence(told), [], known)
        elif call["action"] == "homeagent.seq_run" and "name" in data:
            callee = Callee(sequence=known[data["name"].partition("/")[0].strip("#")])
            assert check_inputs(callee, data.get("args", {})).errors == ()


def keep(parsed: Parsed, announced: list[str], known: dict[str, Sequence]) -> None:
    """Check a sequence among those before it, and remember it."""
    assert found(parsed, known) == ([], announced)
    assert parsed.sequence is not None
    known[parsed.sequence.name] = parsed.sequence


@pytest.mark.parametrize("block", params("text sentences"))
def test_sentences(block: Block) -> None:
    """They fit the last sequence before them."""
    before = [
        each
        for each in blocks("json sequence", "yaml action")
        if each.page == block.page
    ]
    at = read(block.page).index(f"```{block.fence.info}\n{block.fence.text}")
    last = [each for each in before if read(block.page).index(each.fence.text) < at][-1]
    if last.kind == "json sequence":
        sequence = parse_sequence(last.fence.text).sequence
    else:
        sequence = read_sequence(yaml.safe_load(last.fence.text)["data"]).sequence
    assert sequence is not None
    report = check_sentences(sequence, block.fence.text.splitlines(), {})
    assert (report.errors, report.warnings) == ((), ())


@pytest.mark.parametrize("block", params("python extension"))
def test_python(block: Block) -> None:
    ast.parse(block.fence.text)


@pytest.mark.parametrize("block", params("json manifest"))
def test_manifest(block: Block) -> None:
    assert json.loads(block.fence.text)["domain"]


@pytest.mark.parametrize("block", params("json figure"))
def test_figure(block: Block) -> None:
    """Each line is one object, as scripts/bench prints it."""
    for line in block.fence.text.splitlines():
        assert list(json.loads(line)) == ["name", "ratio", "target", "detail"]


@pytest.mark.parametrize("block", params("yaml waiter"))
def test_waiter(block: Block, tmp_path: Path) -> None:
    """The waiter takes it."""
    file = tmp_path / "waiter.yaml"
    file.write_text(block.fence.text, "utf-8")
    file.chmod(0o600)
    load_config(file)


@pytest.mark.parametrize("block", params("yaml compose"))
def test_compose(block: Block) -> None:
    """What is mounted is where the image keeps it."""
    image = (ROOT / "waiter/Containerfile").read_text("utf-8")
    for service in yaml.safe_load(block.fence.text)["services"].values():
        targets = [each.split(":")[1] for each in service["volumes"]]
        assert "/var/lib/homeagent-waiter" in targets
        for target in targets[:2]:
            folder = target.rpartition("/")[0] if "." in target else target
            assert re.search(rf"{re.escape(folder)}(?![\w/-])", image), target


@pytest.mark.parametrize("block", params("text layout"))
def test_layout(block: Block) -> None:
    """Each path that begins a line is there."""
    for line in block.fence.text.splitlines():
        if line.strip():
            assert (ROOT / line.split()[0]).exists(), line


def outline(page: str) -> tuple[object, ...]:
    """Return what must be the same in every language: headings, marks, links, rows."""
    text = read(page)
    links = set(re.findall(r"\]\(((?!README|docs/images)[^)\s]+)\)", text))
    return (
        [
            len(each)
            for each in re.findall(r"^(#+) ", FENCE.sub("", text), re.MULTILINE)
        ],
        [each.info for each in fences(text)],
        links,
        len(list(rows(text))),
    )


def test_both_languages_tell_the_same() -> None:
    assert outline("README.md") == outline("README.zh-Hans.md")

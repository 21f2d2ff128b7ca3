"""The catalogue: every code has words, all words are used, no placeholder is left."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from custom_components.homeagent.sequence import problems, words
from custom_components.homeagent.sequence.problems import NOWHERE, make_problem
from custom_components.homeagent.sequence.syntax_words import TOOLS

FOLDER = Path(words.__file__).parent
SOURCES = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.py")}
TELLERS = {"error", "warning", "fault", "stop", "flaw", "_flawed", "tell"}


def tellings() -> Iterator[tuple[str, set[str]]]:
    """Yield each code that stands in a call that tells it, and the names it is given."""
    for source in SOURCES.values():
        if "findings" not in source and "Flaw" not in source:
            continue  # the engine has errors of its own
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = {each.arg or "**" for each in node.keywords}
            match node.args[0]:
                case ast.Constant(value=str(code)) if name in TELLERS:
                    yield code, given
                case ast.IfExp(
                    body=ast.Constant(value=str(one)),
                    orelse=ast.Constant(value=str(other)),
                ) if name in TELLERS:
                    yield one, given
                    yield other, given


def placeholders(code: str) -> set[str]:
    """Return the placeholders of the words of a code."""
    row = words.CATALOGUE[code]
    texts = (row.message, row.hint, row.otherwise)
    fields = (field for text in texts for _, field, *_ in Formatter().parse(text))
    return {field for field in fields if field}


def test_every_telling_has_its_words() -> None:
    """A code that is told is in the catalogue, with all that its words need."""
    found = list(tellings())
    assert len(found) > 80
    for code, given in found:
        # What the splitter tells, the group's reader puts into words.
        names = {"found", "position", "inner_end"} if code in TOOLS else given
        assert "**" in names or placeholders(code) <= names, code


@pytest.mark.parametrize("code", words.CATALOGUE)
def test_all_words_are_used(code: str) -> None:
    """No words are left of what nobody tells any more."""
    tables = {"syntax_words.py", "meaning_words.py", "sentence_words.py"}
    assert any(
        f'"{code}"' in text for name, text in SOURCES.items() if name not in tables
    )


@pytest.mark.parametrize("code", words.CATALOGUE)
def test_words_become_a_problem(code: str) -> None:
    """With and without a near name there is a message and a hint."""
    row = words.CATALOGUE[code]
    given = dict.fromkeys(placeholders(code), "x")
    for nearest in ("near", "") if row.otherwise else ("near",):
        problem = make_problem(code, ("a", 0), NOWHERE, given | {"nearest": nearest})
        assert problem.message
        assert problem.hint == (row.hint if nearest else row.otherwise).format_map(
            given | {"nearest": nearest}
        )
    assert not row.otherwise or "{nearest}" not in row.otherwise


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("groups", 0, "tools", 1, "args", "host"), "groups[0].tools[1].args.host"),
        (("a b", 0), '["a b"][0]'),
        (("a", "b.c", "主机"), 'a["b.c"].主机'),
        (("a", "x" * 70), f'a["{"x" * 60}…"]'),
    ],
)
def test_paths(path: tuple[str | int, ...], text: str) -> None:
    """Paths are JSON paths; keys that are no words stand in brackets."""
    assert problems.format_path(path) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("é", '"é"'),
        ("a" * 70, '"' + "a" * 60 + '…"'),
        ("\u202e\x00\ud800", r'"\u202e\u0000\ud800"'),
        (None, "null"),
        (1.5, "1.5"),
        (10**5000, "a number"),
        ({}, "an object"),
        ([], "an array"),
        (object(), "a value of the type object"),
    ],
    ids=range(9),
)
def test_shown_values(value: object, text: str) -> None:
    """A value is shown as JSON, short, and without invisible characters."""
    assert problems.show(value) == text

"""The text of `tools` is cut where it should be, and nothing is passed by (§7.1)."""

from hypothesis import example, given, strategies as st
import pytest

from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.splitter import split

from .texts import one_group, only_error

COMMAND = (
    r'{"tool":"t","args":{"c":"echo \"=== raw ===\"; cat x; echo; grep -c \"[r]\""}}'
)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \n\t ", []),
        ('{"tool":"a"};', ['{"tool":"a"}']),
        ('{"tool":"a"} ; {"tool":"b"} ;', ['{"tool":"a"}', '{"tool":"b"}']),
        (f"{COMMAND} ;", [COMMAND]),
        (r'{"a":"\\"} ; {"b":"};"} ;', [r'{"a":"\\"}', r'{"b":"};"}']),
        ('{"a":[{"b":";"},";"]} ;', ['{"a":[{"b":";"},";"]}']),
    ],
)
def test_pieces(text: str, pieces: list[str]) -> None:
    """A `;` separates at depth 0 outside of texts only."""
    found = split(text)
    assert [text[piece.start : piece.end] for piece in found.pieces] == pieces
    assert found.faults == ()


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ('{"tool":"a"} ; ; {"tool":"b"} ;', "empty_tool", 15),
        (";", "empty_tool", 0),
        ('{"tool":"a"} {"tool":"b"} ;', "missing_semicolon", 13),
        ('{"tool":"a"} ; {"tool":"b"}', "missing_last_semicolon", 27),
        ('{"tool":"a", "paralell":true} ;', "misplaced_key", 13),
        ('{tool:"b"} ;', "unquoted_key", 1),
        ('{"tool":"a"', "tools_brace_open", 0),
        ('{"tool":"a","args":{"x":1} ; {"tool":"b"} ;', "tools_brace_lost", 0),
        ('{"tool":"a","args":{"x":[1} ;', "tools_brace_lost", 24),
        ('{"tool":"a} ;', "tools_text_open", 8),
        ('{"tool":"a"}, {"tool":"b"} ;', "text_behind_tool", 12),
        ('{"tool":"a"}} ;', "text_behind_tool", 12),
        ('{"tool":"a"} ；', "wide_semicolon", 13),
        ('tool {"tool":"a"} ;', "text_between_tools", 0),
        ('[{"tool":"a"}, {"tool":"b"}]', "tools_array_text", 0),
    ],
)
def test_faults(text: str, code: str, position: int) -> None:
    """Every way to lose a tool is one error, at its character."""
    problem = only_error(parse_sequence(one_group(text)))
    assert (problem.code, problem.position) == (code, position)


def slow_split(text: str) -> tuple[list[str], bool]:
    """Split the slow way: look at each prefix from its beginning; and say if legal."""

    def state(end: int) -> tuple[int, bool]:
        depth, inside, at = 0, False, 0
        while at < end:
            char = text[at]
            if inside:
                at += char == "\\"
                inside = char != '"'
            elif char == '"':
                inside = True
            else:
                depth += (char in "{[") - (char in "}]")
            at += 1
        return depth, inside or at > end

    cuts = [i for i, c in enumerate(text) if c == ";" and state(i) == (0, False)]
    starts = [0, *(cut + 1 for cut in cuts)]
    parts = [text[a:b].strip() for a, b in zip(starts, cuts, strict=False)]
    tail = text[starts[-1] :].strip()
    legal = not tail and all(
        part.startswith("{") and part.endswith("}") and is_one(part) for part in parts
    )
    return parts, legal


def is_one(part: str) -> bool:
    """Whether the first bracket of a part is closed by its last one, and not before."""
    depth, inside, at = 0, False, 0
    while at < len(part):
        char = part[at]
        if inside:
            at += char == "\\"
            inside = char != '"'
        elif char == '"':
            inside = True
        else:
            depth += (char in "{[") - (char in "}]")
            if depth == 0 and at < len(part) - 1:
                return False
        at += 1
    return depth == 0 and not inside


@given(st.text(alphabet='{}[];"\\ ax,\n', max_size=40))
@example('{"a":"\\')
@example('"')
@example('{}"a";')
@example("{}x;{};")
def test_like_the_slow_model(text: str) -> None:
    """The splitter agrees with a model that was written independently."""
    parts, legal = slow_split(text)
    found = split(text)
    assert (not found.faults) is legal
    if legal:
        assert [text[p.start : p.end] for p in found.pieces] == parts

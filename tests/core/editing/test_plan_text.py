"""The plan of a sequence, as somebody reads it before it is saved."""

import json

import pytest

from custom_components.homeagent.editing.plan_text import plan_markdown
from custom_components.homeagent.editing.wording import Wording
from custom_components.homeagent.sequence.document import parse_sequence

from .words import EN, ZH

WAIT = '{"tool":"wait","args":{"seconds":"$args.k"}} ;'


def _inputs(default: object, kind: str, wording: Wording = EN) -> str:
    declared = {"k": {"type": kind, "default": default}}
    groups = [{"name": "g", "in": declared, "tools": WAIT}]
    parsed = parse_sequence(json.dumps({"name": "s", "groups": groups}), name=None)
    assert parsed.sequence is not None, parsed.errors
    told = plan_markdown(parsed.sequence, wording)
    return told.splitlines()[1].replace("\\", "")


@pytest.mark.parametrize(
    ("default", "kind", "told"),
    [
        (True, "boolean", "- k (yes or no, otherwise yes)"),
        (3, "integer", "- k (whole number, otherwise 3)"),
        ("hall", "string", '- k (text, otherwise "hall")'),
        (["a", "b"], "array", "- k (list, otherwise a, b)"),
        ({"lamp": "desk"}, "object", "- k (object, otherwise lamp: desk)"),
        (["item"] * 40, "array", f"- k (list, otherwise {('item, ' * 10)}…)"),
    ],
)
def test_default_stands_as_in_the_form(default: object, kind: str, told: str) -> None:
    """Not as in JSON; what is long is cut, with a mark."""
    assert _inputs(default, kind) == told


def test_default_in_chinese() -> None:
    """Yes and no have their words there, too."""
    assert "默认 否" in _inputs(False, "boolean", ZH)

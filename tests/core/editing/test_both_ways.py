"""Form and JSON give the same AST: there and back again changes nothing."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
import pytest

from custom_components.homeagent.editing.action_rows import KnownActions
from custom_components.homeagent.editing.group_form import form_values, read_form
from custom_components.homeagent.editing.rows import Showing
from custom_components.homeagent.sequence.document import parse_sequence, read_group
from custom_components.homeagent.sequence.model import Group, Sequence
from custom_components.homeagent.sequence.writer import group_document, to_text

from ..sequence.ast_strategies import sequences

CASES = [
    case
    for case in json.loads(
        (Path(__file__).parents[1] / "cases" / "sequence-check.json").read_text("utf-8")
    )
    if case["ok"]
]


NONE = KnownActions()
PLAIN = KnownActions(exists=lambda name: "." in name)
TARGETED = KnownActions(exists=lambda name: "." in name, targeted=lambda name: True)


def through_form(group: Group, actions: KnownActions) -> Group | None:
    """Open a group's form, send it over the wire and submit it as it is."""
    document = group_document(group, as_text=False)
    values = form_values(document, Showing(actions=actions))
    read = read_form(json.loads(json.dumps(values)), document, actions)
    assert read.faults == {}
    return read_group(read.document).group


@pytest.mark.parametrize("actions", [NONE, PLAIN, TARGETED])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_valid_case(case: dict[str, Any], actions: KnownActions) -> None:
    """Text to AST to form to AST to text to AST, in either kind of row."""
    sequence = parse_sequence(case["text"]).sequence
    assert sequence is not None
    groups = tuple(through_form(group, actions) for group in sequence.groups)
    assert groups == sequence.groups
    assert parse_sequence(to_text(sequence)).sequence == sequence


@pytest.mark.parametrize(
    "args",
    [
        {"entity_id": "light.a"},
        {"entity_id": "light.a, light.b", "area_id": ["x"], "brightness": 5},
        {"entity_id": []},
        {"entity_id": "$args.lamp"},
        {"target": {"entity_id": "light.a"}},
        {"target": {"entity_id": "light.a"}, "entity_id": "light.b"},
        {"target": {}},
        {"target": "light.a", "entity_id": "light.b"},
    ],
)
def test_target(args: dict[str, Any]) -> None:
    """However a target is spelled, opening and sending a form does not change it."""
    entry = {"tool": "light.turn_on", "args": args}
    data = {"name": "g", "in": {"lamp": "string"}, "tools": [entry]}
    group = read_group(data).group
    assert group is not None
    for actions in (NONE, PLAIN, TARGETED):
        assert through_form(group, actions) == group


@given(sequences())
def test_any_sequence(sequence: Sequence) -> None:
    """Whatever a text can say, the form can hold."""
    for group in sequence.groups:
        for actions in (NONE, PLAIN, TARGETED):
            assert through_form(group, actions) == group

"""Form and JSON give the same AST: there and back again changes nothing."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
import pytest

from custom_components.homeagent.editing.group_form import form_values, read_form
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


def through_form(group: Group, *, visual: bool) -> Group | None:
    """Open a group's form, send it over the wire and submit it as it is."""
    document = group_document(group, as_text=False)
    values = form_values(document, lambda name: visual and "." in name)
    read = read_form(json.loads(json.dumps(values)))
    assert read.faults == {}
    return read_group(read.document).group


@pytest.mark.parametrize("visual", [True, False])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_valid_case(case: dict[str, Any], visual: bool) -> None:
    """Text to AST to form to AST to text to AST, in either kind of row."""
    sequence = parse_sequence(case["text"]).sequence
    assert sequence is not None
    groups = tuple(through_form(group, visual=visual) for group in sequence.groups)
    assert groups == sequence.groups
    assert parse_sequence(to_text(sequence)).sequence == sequence


@given(sequences())
def test_any_sequence(sequence: Sequence) -> None:
    """Whatever a text can say, the form can hold."""
    for group in sequence.groups:
        for visual in (True, False):
            assert through_form(group, visual=visual) == group

"""The inputs of a whole run, against what preflight takes."""

from typing import Any

import pytest

from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.sequence.model import ABSENT, Sequence, SlotType
from custom_components.homeagent.sequence.preflight import check_inputs
from custom_components.homeagent.sequence.scope import Callee
from custom_components.homeagent.sequence.signature import missing_inputs, run_inputs


def sequence(*signatures: dict[str, Any], **more: Any) -> Sequence:
    """Return a sequence whose groups have these inputs."""
    groups = [
        {"name": f"g{index}", "in": inputs, "tools": '{"tool":"wait"} ;'} | more
        for index, inputs in enumerate(signatures)
    ]
    read = read_sequence({"name": "s", "groups": groups})
    assert read.sequence is not None
    return read.sequence


def long(kind: str, **fields: Any) -> dict[str, Any]:
    """Return an input in its long form."""
    return {"type": kind, **fields}


@pytest.mark.parametrize(
    ("one", "other", "kind", "required", "default"),
    [
        ("string", "string", SlotType.STRING, True, ABSENT),
        ("integer", "number", SlotType.INTEGER, True, ABSENT),
        ("any", "string", SlotType.STRING, True, ABSENT),
        ("string", "any", SlotType.STRING, True, ABSENT),
        ("string", "object", SlotType.ANY, True, ABSENT),
        (long("integer", default=1), "integer", SlotType.INTEGER, True, ABSENT),
        (
            long("integer", default=1),
            long("integer", default=1),
            SlotType.INTEGER,
            False,
            1,
        ),
        (
            long("integer", default=1),
            long("integer", default=2),
            SlotType.INTEGER,
            False,
            ABSENT,
        ),
    ],
)
def test_shared_key(
    one: Any, other: Any, kind: SlotType, required: bool, default: object
) -> None:
    """It is what both groups take."""
    both = sequence({"x": one}, {"x": other})
    inputs = run_inputs(both)
    assert (inputs["x"].type, inputs["x"].required) == (kind, required)
    assert inputs["x"].default == default
    assert missing_inputs(both) == (("x",) if required else ())


def test_choices() -> None:
    """Only what is a choice of all groups is one."""
    both = sequence(
        {"x": long("integer", enum=[1, 2, 3])}, {"x": long("integer", enum=[2, 3, 4])}
    )
    assert run_inputs(both)["x"].enum == (2, 3)


def test_call_only() -> None:
    """A group that only is called by name takes nothing of a run."""
    assert run_inputs(sequence({"x": "string"}, call_only=True)) == {}


@pytest.mark.parametrize(
    "signatures",
    [
        ({}, {}),
        ({"x": "string"}, {}),
        ({"x": long("string", default="a")}, {"x": long("string", required=False)}),
        ({"x": long("string", default="a")}, {"x": "string"}),
    ],
)
def test_as_preflight_sees_it(signatures: tuple[dict[str, Any], ...]) -> None:
    """Nothing is missing exactly if a run without inputs can begin."""
    made = sequence(*signatures)
    errors = check_inputs(Callee(sequence=made), {}).errors
    assert bool(missing_inputs(made)) == bool(errors)

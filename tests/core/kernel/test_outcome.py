"""What a tool returned is a success or a failure by one rule (§4.2, page 1 §1.2)."""

from collections import UserDict
from types import MappingProxyType

import pytest

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.outcome import judge

OURS = ToolError(reason=Reason.UNAVAILABLE, field="host", detail="offline")


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "Error: no such file",
        '{"error": "in a text"}',
        0,
        False,
        [],
        ["error"],
        [{"error": "in a list"}],
        {},
        {"error": ""},
        {"error": "  \n"},
        {"error": None},
        {"error": False},
        {"error": 0},
        {"error": 0.0},
        {"error": []},
        {"error": {}},
        {"error": ()},
        {"Error": "x"},
        {"exit_code": 1},
        {"stderr": "warning: x"},
        {"errors": ["x"]},
        {"isError": False},
        {"isError": "true"},
        {"isError": 1},
        {"success": False},
    ],
)
def test_a_success(value: object) -> None:
    assert judge(value) is None


@pytest.mark.parametrize(
    ("value", "reason", "detail"),
    [
        (OURS, Reason.UNAVAILABLE, "offline"),
        ({"error": "no such file"}, Reason.FAILED, "no such file"),
        ({"error": "x", "isError": False}, Reason.FAILED, "x"),
        ({"error": True}, Reason.FAILED, "true"),
        ({"error": 3}, Reason.FAILED, "3"),
        ({"error": ["a", 1]}, Reason.FAILED, '["a",1]'),
        ({"error": {"reason": "not_found"}}, Reason.FAILED, '{"reason":"not_found"}'),
        (MappingProxyType({"error": "x"}), Reason.FAILED, "x"),
        (UserDict({"error": "x"}), Reason.FAILED, "x"),
        ({"isError": True}, Reason.FAILED, '{"isError":true}'),
        (
            {
                "isError": True,
                "content": [{"type": "text", "text": "no"}, {"type": "x"}],
            },
            Reason.FAILED,
            "no",
        ),
        (ValueError("secret"), Reason.INTERNAL, "returned an exception (ValueError)"),
        (KeyboardInterrupt(), Reason.INTERNAL, "an exception (KeyboardInterrupt)"),
    ],
)
def test_a_failure(value: object, reason: Reason, detail: str) -> None:
    error = judge(value)
    assert error is not None
    assert error.reason is reason
    assert detail in error.detail
    assert "secret" not in error.detail


def test_an_error_of_ours_stays_itself() -> None:
    assert judge(OURS) is OURS


def test_every_failure_has_a_hint() -> None:
    errors = [judge({"error": "x"}), judge({"isError": True}), judge(ValueError())]
    assert all(error and error.hint for error in errors)


def test_a_long_error_is_cut_with_a_marker() -> None:
    error = judge({"error": "x" * 100_000})
    assert error is not None
    assert len(error.detail) <= 4096
    assert error.detail.endswith("the result's value has all of it]")

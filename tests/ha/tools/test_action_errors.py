"""Home Assistant's errors become ours, once, without secrets or Python's words."""

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceNotSupported,
    ServiceValidationError,
    Unauthorized,
    UnknownUser,
)
import probatio
import pytest

from custom_components.homeagent.tools.action_errors import (
    LONGEST_TEXT,
    ForeseenError,
    action_error,
)
from custom_components.homeagent.tools.quoting import LONGEST_QUOTE

SECRET = {"code": "4711", "data": {"api_key": "abcdef"}, "message": "4711 is fine"}


def invalid(schema: object, value: object) -> probatio.Invalid:
    with pytest.raises(probatio.Invalid) as caught:
        probatio.Schema(schema)(value)
    return caught.value


@pytest.mark.parametrize(
    ("error", "reason", "field", "detail"),
    [
        (HomeAssistantError("no answer"), "failed", None, "no answer"),
        (HomeAssistantError(), "failed", None, "the action failed and gave no reason"),
        (ServiceValidationError("too hot"), "value", None, "too hot"),
        (Unauthorized(), "unauthorized", None, "does not let this user do a.b"),
        (UnknownUser(), "unauthorized", None, "does not let this user do a.b"),
        (ServiceNotFound("x", "y"), "failed", None, "x.y not found"),
        (ServiceNotSupported("x", "y", "light.a"), "value", None, "light.a"),
        (
            invalid({probatio.Required("who"): str}, {}),
            "required",
            "who",
            "required key not provided",
        ),
        (invalid({"n": {"m": int}}, {"n": {"m": "x"}}), "value", "n.m", "int"),
        (probatio.Invalid("odd"), "value", None, "odd"),
        (HomeAssistantError("code 4711 is wrong"), "failed", None, "code *** is wrong"),
        (HomeAssistantError("key abcdef"), "failed", None, "key ***"),
        (
            HomeAssistantError(f"bad {State('light.a', 'on')!r} {object()!r}"),
            "failed",
            None,
            "bad an object an object",
        ),
    ],
)
async def test_mapping(
    hass: HomeAssistant,
    error: ForeseenError,
    reason: str,
    field: str | None,
    detail: str,
) -> None:
    """Translated errors speak English, as Home Assistant's do to everybody."""
    mapped = action_error(error, "a.b", SECRET)

    assert (mapped.reason.value, mapped.field) == (reason, field)
    assert detail in mapped.detail
    assert mapped.hint


def test_all_problems_are_told() -> None:
    error = invalid({"a": int, probatio.Required("b"): str}, {"a": "x"})

    mapped = action_error(error, "a.b", {})

    told = {(each.reason.value, each.field) for each in (mapped, *mapped.also)}
    assert told == {("value", "a"), ("required", "b")}


def test_long_texts_say_what_was_left_out() -> None:
    mapped = action_error(HomeAssistantError("x" * (LONGEST_TEXT + 7)), "a.b", {})

    assert mapped.detail.endswith("x… (7 more characters)")


@pytest.mark.parametrize(
    "value", ["x" * 201, "Ab c  d" * 90, "it's\n" * 99, "light." + "Y" * 3000]
)
def test_arguments_are_not_repeated_at_length(value: str) -> None:
    """Whatever a secret argument held, most of it stays where it is."""
    arguments = {"target": {"entity_id": [value]}}
    for text in (value, value.lower(), repr(value)):
        mapped = action_error(ServiceValidationError(f"bad {text}!"), "a.b", arguments)

        assert len(mapped.detail) <= LONGEST_QUOTE + len('bad ""!')
        assert "more characters" in mapped.detail


def test_long_paths_are_cut() -> None:
    error = probatio.Invalid("odd", path=["x" * 500])

    field = action_error(error, "a.b", {}).field

    assert field is not None
    assert len(field) <= LONGEST_QUOTE

"""Narrow what came as JSON; imports only our errors."""

from collections.abc import Mapping

from .errors import HomeError

type JsonObject = dict[str, object]


def as_object(value: object, what: str) -> JsonObject:
    """Return the JSON object that `value` is; HomeError where it is something else."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    raise HomeError(f"{what} should be an object, but is {value!r}.")


def as_list(value: object, what: str) -> list[object]:
    """Return the JSON array that `value` is; HomeError where it is something else."""
    if isinstance(value, list):
        return list(value)
    raise HomeError(f"{what} should be an array, but is {value!r}.")


def as_objects(value: object, what: str) -> list[JsonObject]:
    """Return the array of objects that `value` is; HomeError otherwise."""
    return [as_object(item, f"an element of {what}") for item in as_list(value, what)]


def as_text(value: object, what: str) -> str:
    """Return the text that `value` is; HomeError where it is something else."""
    if isinstance(value, str):
        return value
    raise HomeError(f"{what} should be a text, but is {value!r}.")


def as_number(value: object, what: str) -> float:
    """Return the number that `value` is; HomeError where it is something else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise HomeError(f"{what} should be a number, but is {value!r}.")

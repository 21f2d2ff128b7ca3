"""Home Assistant's own schema of an action tells what it takes and what it needs."""

from homeassistant.helpers import config_validation as cv
import probatio
import pytest

from custom_components.homeagent.tools.handler_schema import (
    OPEN,
    HandlerSchema,
    read_handler_schema,
)

KEYS = {
    probatio.Required("a"): str,
    probatio.Required("b", default=1): int,
    probatio.Optional("c"): str,
    probatio.Exclusive("d", "g"): str,
    "e": str,
    probatio.Remove("f"): dict,
}
READ = HandlerSchema(
    keys=frozenset("abcde"),
    needs=frozenset("a"),
    optional=frozenset("bcd"),
    removed=frozenset("f"),
    closed=True,
)


def rename(data: dict[str, object]) -> dict[str, object]:
    return data


@pytest.mark.parametrize(
    ("schema", "read"),
    [
        (probatio.Schema(KEYS), READ),
        (KEYS, READ),
        (probatio.All(probatio.AtLeastOne("a"), probatio.Schema(KEYS)), READ),
        (probatio.Schema(probatio.All(probatio.Schema(KEYS), rename)), READ),
        (
            probatio.Schema(KEYS, extra=probatio.ALLOW_EXTRA),
            HandlerSchema(
                keys=READ.keys,
                needs=READ.needs,
                optional=READ.optional,
                removed=READ.removed,
            ),
        ),
        (
            probatio.All(rename, probatio.Schema(KEYS)),
            HandlerSchema(keys=READ.keys, optional=READ.keys, removed=READ.removed),
        ),
        (probatio.Schema({cv.string: str}), OPEN),
        (probatio.Schema(dict), OPEN),
        (None, OPEN),
        (rename, OPEN),
        (probatio.Schema({}), HandlerSchema(closed=True)),
    ],
)
def test_read(schema: object, read: HandlerSchema) -> None:
    assert read_handler_schema(schema) == read


def test_entity_services_are_known_by_their_schema() -> None:
    read = read_handler_schema(cv.make_entity_service_schema({"x": str}))

    assert (read.targets_entities, read.closed) == (True, True)
    assert read.keys == {*cv.ENTITY_SERVICE_FIELDS, "x"}


@pytest.mark.parametrize(
    ("name", "described", "required"),
    [
        ("a", False, True),
        ("b", True, False),
        ("c", True, False),
        ("e", True, True),
        ("e", False, False),
        ("unknown", True, False),
    ],
)
def test_the_handler_decides_what_is_required(
    name: str, described: bool, required: bool
) -> None:
    assert READ.requires(name, described) is required


def test_without_a_schema_the_description_decides() -> None:
    assert OPEN.requires("a", described_as_required=True)

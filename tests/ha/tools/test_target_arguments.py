"""All ways to name a target come to one form, or to an error that says what is right."""

import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component
from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.schema_problems import MOST_PROBLEMS
from custom_components.homeagent.tools.actions import ActionRegistry
from custom_components.homeagent.tools.entity_ids import is_entity_id
from custom_components.homeagent.tools.home_names import HomeNames
from custom_components.homeagent.tools.target_arguments import MOST_IDS

from .house import DIRECT, Bolt, Lamp, async_move_in


@pytest.fixture(autouse=True)
async def _house(hass: HomeAssistant, registry: ActionRegistry) -> None:
    """A lamp and a lock of one name, and an area."""
    bolt = Bolt("hall")
    bolt._attr_name = "Hall"
    await async_move_in(hass, [Lamp("hall"), Lamp("hall_two"), Lamp("a"), bolt])
    er.async_get(hass).async_update_entity("light.a", aliases=["Reading lamp"])
    ar.async_get(hass).async_create("Living room", aliases={"Lounge"})
    await registry.async_prepare()


@pytest.mark.parametrize(
    ("given", "comes_to"),
    [
        ({"entity_id": "light.a"}, {"entity_id": ["light.a"]}),
        ({"entity_id": " LIGHT.A "}, {"entity_id": ["light.a"]}),
        ({"entity_id": "light.a, light.b,"}, {"entity_id": ["light.a", "light.b"]}),
        ({"entity_id": ["light.a", "light.A"]}, {"entity_id": ["light.a"]}),
        ({"entity_id": ["light.a", "light.a"]}, {"entity_id": ["light.a"]}),
        ({"entity_id": ("light.a",)}, {"entity_id": ["light.a"]}),
        ({"entity_id": '["light.a"]'}, {"entity_id": ["light.a"]}),
        ({"entity_id": "all"}, {"entity_id": "all"}),
        ({"entity_id": ["ALL"]}, {"entity_id": "all"}),
        ({"entity_id": "None"}, {"entity_id": "none"}),
        ({"target": {"entity_id": "light.a"}}, {"entity_id": ["light.a"]}),
        ({"target": '{"area_id": "x"}'}, {"area_id": ["x"]}),
        (
            {"target": {"entity_id": ["light.a"]}, "entity_id": "light.b"},
            {"entity_id": ["light.b", "light.a"]},
        ),
        (
            {"entity_id": "light.a", "area_id": None, "target": None},
            {"entity_id": ["light.a"]},
        ),
        ({"area_id": "living_room"}, {"area_id": ["living_room"]}),
        ({"area_id": ["Living Room", "lounge"]}, {"area_id": ["living_room"]}),
        ({"area_id": "no such area"}, {"area_id": ["no such area"]}),
        ({"device_id": "abc,def"}, {"device_id": ["abc", "def"]}),
        ({"entity_id": "Hall two"}, {"entity_id": ["light.hall_two"]}),
        ({"entity_id": "reading LAMP"}, {"entity_id": ["light.a"]}),
        ({"entity_id": "hall"}, {"entity_id": ["light.hall"]}),
    ],
)
async def test_forms(
    registry: ActionRegistry, given: dict[str, object], comes_to: object
) -> None:
    """A lock that is called the same is not meant by `light.turn_on`."""
    found = registry.find("light.turn_on")
    assert found is not None

    checked = found.check(given)

    assert (checked.problems, checked.arguments) == ((), comes_to)


async def test_registry_ids(hass: HomeAssistant, registry: ActionRegistry) -> None:
    """Home Assistant's automations name entities so."""
    entry = er.async_get(hass).async_get("light.a")
    found = registry.find("light.turn_on")
    assert entry is not None
    assert found is not None

    checked = found.check({"entity_id": [entry.id]})

    assert (checked.problems, checked.arguments["entity_id"]) == ((), ["light.a"])


@pytest.mark.parametrize(
    ("given", "reason", "field", "says"),
    [
        ({"entity_id": "{{ x }}"}, "value", "entity_id", "template"),
        ({"entity_id": ["{% x %}"]}, "value", "entity_id", "template"),
        ({"area_id": "{{ a }}, b"}, "value", "area_id", "template"),
        ({"target": {"label_id": ["{{ x }}"]}}, "value", "label_id", "template"),
        ({"entity_id": "no lamp"}, "value", "entity_id", "no lamp"),
        ({"entity_id": 7}, "type", "entity_id", "7"),
        ({"entity_id": {"a": 1}}, "type", "entity_id", "object"),
        ({"entity_id": ["light.a", 7]}, "type", "entity_id", "list"),
        ({"entity_id": "f" * 32}, "value", "entity_id", "f" * 32),
        ({"target": ["light.a"]}, "type", "target", "list"),
        ({"target": "light.a"}, "type", "target", "light.a"),
        ({"target": {"entity": "light.a"}}, "value", "target.entity", "target"),
        ({"entity_idd": "light.a"}, "value", "entity_idd", "entity_idd"),
        ({}, "required", "target", "act on"),
        ({"target": {}}, "required", "target", "act on"),
        ({"entity_id": ""}, "required", "target", "act on"),
    ],
)
async def test_problems(
    registry: ActionRegistry,
    given: dict[str, object],
    reason: str,
    field: str,
    says: str,
) -> None:
    """Where, what was found, and what would be right."""
    found = registry.find("light.turn_on")
    assert found is not None

    problem = found.check(given).problems[0]

    assert (problem.reason.value, problem.field) == (reason, field)
    assert says in problem.detail
    assert problem.hint


async def test_ambiguous_names_are_told_apart(registry: ActionRegistry) -> None:
    """The action takes both: the person must say which."""
    found = registry.find("homeassistant.update_entity")
    assert found is not None

    (problem,) = found.check({"entity_id": "Hall"}).problems

    assert problem.candidates == ("light.hall", "lock.hall")


async def test_required_entities_may_come_in_a_target(
    registry: ActionRegistry,
) -> None:
    """`homeassistant.update_entity` describes a field, and no target."""
    found = registry.find("homeassistant.update_entity")
    assert found is not None

    good = found.check({"target": {"entity_id": "light.a"}})
    bad = found.check({"target": {"area_id": "living_room"}})
    blank = found.check({"entity_id": []})

    assert (good.problems, good.arguments) == ((), {"entity_id": ["light.a"]})
    assert [(p.reason.value, p.field) for p in bad.problems] == [
        ("required", "entity_id"),
        ("value", "target.area_id"),
    ]
    assert [(p.reason.value, p.field) for p in blank.problems] == [
        ("required", "entity_id")
    ]


FIELDS: dict[str, object] = {
    "where": {"selector": {"target": {}}},
    "lamp": {"selector": {"entity": {}}},
    "room": {"selector": {"area": {}}},
}


@pytest.mark.parametrize(
    ("given", "comes_to"),
    [
        (
            {"where": {"entity_id": "LIGHT.A", "area_id": "Lounge"}},
            {"where": {"entity_id": ["light.a"], "area_id": ["living_room"]}},
        ),
        ({"lamp": "Reading lamp"}, {"lamp": "light.a"}),
        ({"lamp": ["light.a"]}, {"lamp": "light.a"}),
        ({"room": "lounge"}, {"room": "living_room"}),
        ({"where": "light.a"}, ("type", "where")),
        ({"where": {"entity_id": "{{ x }}"}}, ("value", "where.entity_id")),
        ({"lamp": "light.a, light.b"}, ("type", "lamp")),
        ({"lamp": "all"}, ("value", "lamp")),
    ],
)
async def test_fields_of_scripts(
    hass: HomeAssistant,
    registry: ActionRegistry,
    given: dict[str, object],
    comes_to: object,
) -> None:
    """Where nothing but the description tells, it is taken at its word."""
    hass.services.async_register("script", "x", lambda service_call: None)
    async_set_service_schema(hass, "script", "x", {"fields": FIELDS})
    found = registry.find("script.x")
    assert found is not None

    checked = found.check(given)

    told = [(each.reason.value, each.field) for each in checked.problems]
    assert (told[0] if told else checked.arguments) == comes_to


NAMES = st.sampled_from(
    (
        "target entity_id device_id area_id floor_id label_id entities scene_id"
        " media_player_entity_id message x"
    ).split()
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=3)
    | st.sampled_from(
        ["light.a", "LIGHT.A", "all", "none", "{{ x }}", "[", "a,b", "Hall"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(NAMES | SCALARS, inner, max_size=3)
    ),
    max_leaves=6,
)


SENSIBLE = st.dictionaries(
    st.sampled_from(["target", "entity_id", "area_id"]),
    st.sampled_from(["light.a, LIGHT.B", ["light.a"], "all", {"area_id": "x"}]),
    min_size=1,
    max_size=2,
)


@pytest.mark.parametrize(
    "name",
    ["light.turn_on", "homeassistant.update_entity", "scene.apply", "tts.speak", "x.y"],
)
async def test_total(hass: HomeAssistant, registry: ActionRegistry, name: str) -> None:
    """Whatever comes in, check answers; what it lets pass, the others can read."""
    hass.services.async_register("x", "y", lambda service_call: None)
    for domain in ("scene", "tts"):
        assert await async_setup_component(hass, domain, {})
    await registry.async_prepare()
    tool = registry.find(name)
    assert tool is not None
    passed = 0

    @settings(max_examples=100, deadline=None, database=None)
    @given(st.dictionaries(NAMES, VALUES, max_size=4) | SENSIBLE)
    def answer(arguments: dict[str, object]) -> None:
        nonlocal passed
        checked = tool.check(arguments)
        if not checked.problems:
            passed += 1
            resolved = tool.resolve(checked.arguments)
            assert resolved.unresolved is False or name == "x.y"
            assert (
                tool.facts(checked.arguments, DIRECT).keys is not None or name == "x.y"
            )
            assert "target" not in checked.arguments or name == "x.y"
            again = tool.check(checked.arguments)
            assert again == checked

    answer()
    assert passed > 0 or name not in {"light.turn_on", "x.y"}


@pytest.mark.parametrize(
    "ids",
    [
        [f"Lamp {number}" for number in range(MOST_IDS + 1)],
        [f"light.x{number}" for number in range(MOST_IDS + 1)],
        ",".join(f"Lamp {number}" for number in range(MOST_IDS + 1)),
        json.dumps([f"light.x{number}" for number in range(MOST_IDS + 1)]),
    ],
    ids=["names", "ids", "comma list", "JSON"],
)
@pytest.mark.parametrize("key", ["entity_id", "area_id", "label_id"])
async def test_ids_of_one_argument_are_bounded(
    registry: ActionRegistry, key: str, ids: object
) -> None:
    """What no home has is refused before anything is looked up."""
    found = registry.find("light.turn_on")
    assert found is not None

    flat, inside = found.check({key: ids}), found.check({"target": {key: ids}})

    for checked in (flat, inside):
        (problem,) = checked.problems
        assert (problem.reason.value, problem.field) == ("value", key)
        assert f"{MOST_IDS + 1} are named, {MOST_IDS}" in problem.detail


async def test_unknown_keys_of_a_target_are_bounded(registry: ActionRegistry) -> None:
    """As many as help are told, and how many more there are."""
    found = registry.find("light.turn_on")
    assert found is not None
    target = {f"entity{number}": "x" for number in range(5000)}

    problems = found.check({"entity_id": "light.a", "target": target}).problems

    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1].detail.startswith(f"{5000 - MOST_PROBLEMS} more")


async def test_names_are_read_once_for_a_check(hass: HomeAssistant) -> None:
    """However many names are asked for, the home is gone through once."""
    names = HomeNames(hass)
    assert names.find("entity_id", "hall TWO").id == "light.hall_two"
    hass.states.async_set("light.new", "on", {"friendly_name": "New one"})
    assert names.find("entity_id", "New one").id is None
    assert HomeNames(hass).find("entity_id", "New one").id == "light.new"


@pytest.mark.parametrize(
    "entities",
    [
        {"LIGHT.A": "off", "light.a": "on"},
        {"Reading lamp": "off", "light.hall": "on", "light.a": "on"},
        {" light.a": "off", "light.a": "on"},
    ],
)
async def test_states_of_one_entity_are_told_once(
    hass: HomeAssistant, registry: ActionRegistry, entities: dict[str, object]
) -> None:
    """Of two states nobody knows which is meant, and none may slip to another."""
    assert await async_setup_component(hass, "scene", {})
    await registry.async_prepare()
    found = registry.find("scene.apply")
    assert found is not None

    (problem,) = found.check({"entities": entities}).problems

    assert (problem.reason.value, problem.field) == ("value", "entities")
    first, *_, last = (text.strip() for text in entities)
    assert f'"{first}" and "{last}"' in problem.detail
    assert problem.candidates == ("light.a",)


async def test_a_line_break_is_no_part_of_an_id(registry: ActionRegistry) -> None:
    """Home Assistant's own pattern lets one pass at the end."""
    found = registry.find("light.turn_on")
    assert found is not None
    assert not is_entity_id("light.a\n")

    checked = found.check({"entity_id": ["light.a\n", "light.hall"]})

    assert checked.arguments == {"entity_id": ["light.a", "light.hall"]}

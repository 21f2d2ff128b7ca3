"""Menus as lists, for people who work by keyboard: every menu, in every kind of flow."""

import ast
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient
from homeassistant.auth.models import User
from homeassistant.components.frontend import storage
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    async_capture_events,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.access.defaults import READY_MADE
from custom_components.homeagent.const import EVENT_RUN_STARTED
from custom_components.homeagent.flow_menus import CHOICE, marked_of
from custom_components.homeagent.menu_lists import KEY
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.sequence_entry import is_draft

from .flow_words import LANGUAGES
from .home import async_set_up
from .sequence_home import PLAIN, async_make, entry_named

INTEGRATION = Path(__file__).parents[2] / "custom_components/homeagent"
MENUS = [
    (path.name, node)
    for path in sorted(INTEGRATION.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.AsyncFunctionDef)
    and any(
        isinstance(each, ast.Attribute) and each.attr == "async_show_menu"
        for each in ast.walk(node)
    )
]


def test_every_menu_can_be_a_list() -> None:
    """A step that shows a menu says so."""
    bare = [
        f"{name}: {step.name}"
        for name, step in MENUS
        if not any(
            isinstance(each, ast.Name) and each.id == "menu"
            for each in step.decorator_list
        )
    ]
    assert (len(MENUS) > 15, bare) == (True, [])


def _steps(texts: Any) -> Any:
    for key, below in texts.items():
        if key == "step":
            yield from below.items()
        elif isinstance(below, dict):
            yield from _steps(below)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_list_has_words(language: str) -> None:
    """The field has a name wherever there are options."""
    bare = [
        name
        for name, step in _steps(LANGUAGES[language])
        if {"menu_options", "menu_option_descriptions"} & set(step)
        and not step.get("data", {}).get(CHOICE)
    ]
    assert bare == []


class Dialogs:
    """The flows of one signed-in person, by Home Assistant's own API."""

    def __init__(self, client: TestClient[Any, Any], kind: str) -> None:
        """Take a client and the kind of flow: its part of the address."""
        self._client = client
        self._base = f"/api/{kind}"
        self.shown: Any = {}

    async def begin(self, handler: object, **more: object) -> Any:
        """Open a flow."""
        return await self._post(self._base, {"handler": handler, **more})

    async def answer(self, values: Mapping[str, object]) -> Any:
        """Answer what is shown."""
        return await self._post(f"{self._base}/{self.shown['flow_id']}", values)

    async def choose(self, *steps: str) -> Any:
        """Choose in lists, or in menus, that come one after the other."""
        for step in steps:
            assert step in self.choices(), self.shown
            await self.answer({CHOICE: step})
        return self.shown

    def choices(self) -> dict[str, str]:
        """Return what can be chosen in a list, with its words."""
        (field,) = (
            each for each in self.shown["data_schema"] if each["name"] == CHOICE
        )
        options = field["selector"]["select"]["options"]
        return {each["value"]: each["label"] for each in options}

    def marked(self) -> object:
        """Return what is marked in a list in advance."""
        return self.shown["data_schema"][0]["description"]["suggested_value"]

    async def _post(self, address: str, body: Mapping[str, object]) -> Any:
        answer = await self._client.post(address, json=body)
        self.shown = await answer.json()
        return self.shown


CALLING = [{"name": "g", "tools": '{"tool":"seq_call","args":{"target":"#Callee"}} ;'}]

ADD = "config/config_entries/flow"
EDIT = "config/config_entries/options/flow"
BELOW = "config/config_entries/subentries/flow"
REPAIR = "repairs/issues/fix"


@pytest.fixture
async def client(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> TestClient[Any, Any]:
    """A home with HomeAgent's domain, and its administrator."""
    await async_set_up(hass)
    for component in ("config", "frontend", "repairs"):
        assert await async_setup_component(hass, component, {})
    await hass.async_block_till_done()
    found: TestClient[Any, Any] = await hass_client()
    return found


async def _want_lists(client: TestClient[Any, Any], wanted: bool = True) -> None:
    """Say so where everything begins, and leave."""
    dialog = Dialogs(client, ADD)
    await dialog.begin("homeagent")
    shown = await dialog.answer({CHOICE: "sequence", "lists": wanted})
    await client.delete(f"/api/{ADD}/{shown['flow_id']}")


async def _kernel(hass: HomeAssistant, client: TestClient[Any, Any]) -> str:
    """Add HomeAgent; return its entry's id."""
    dialog = Dialogs(client, ADD)
    await dialog.begin("homeagent")
    await dialog.choose("kernel")
    made = await dialog.answer({})
    await hass.async_block_till_done()
    return str(made["result"]["entry_id"])


async def test_where_everything_begins(client: TestClient[Any, Any]) -> None:
    """A form for everybody: what is needed is chosen already; then menus or lists."""
    dialog = Dialogs(client, ADD)
    shown = await dialog.begin("homeagent")
    assert shown["type"] == "form"
    fields = {each["name"]: each for each in shown["data_schema"]}
    assert fields[CHOICE]["default"] == "kernel"
    assert fields["lists"]["default"] is False
    assert (await dialog.answer({CHOICE: "sequence"}))["type"] == "menu"


@pytest.mark.parametrize("first", ["kernel", "sequence"])
async def test_what_is_missing_is_chosen(
    hass: HomeAssistant, client: TestClient[Any, Any], first: str
) -> None:
    """HomeAgent as long as there is none; a sequence after that."""
    if first == "sequence":
        await _kernel(hass, client)
    dialog = Dialogs(client, ADD)
    shown = await dialog.begin("homeagent")
    assert shown["data_schema"][0]["default"] == first


async def test_a_sequence_is_built_with_lists(
    hass: HomeAssistant, client: TestClient[Any, Any]
) -> None:
    """From adding to saving; the choices have the words of the menus."""
    dialog = Dialogs(client, ADD)
    await dialog.begin("homeagent")
    await dialog.answer({CHOICE: "sequence", "lists": True})
    assert dialog.choices()["with_homeagent"].startswith("Add HomeAgent")
    await dialog.choose("begin", "draft")
    made = await dialog.answer({"name": "Keys"})
    kind, flow_id = made["next_flow"]
    assert kind == "options_flow"
    editor = Dialogs(client, EDIT)
    answer = await client.get(f"/api/{EDIT}/{flow_id}")
    editor.shown = await answer.json()
    assert "Groups" in " ".join(editor.choices().values())
    await editor.choose("groups", "add_group")
    row = {"tool": "wait", "args": {"seconds": 0}}
    await editor.answer({"name": "g", "tools": [row]})
    await editor.choose("copy_group")
    assert editor.choices()["group_1"].startswith("2. ")
    await editor.choose("group_1", "move_up", "group_0", "delete_group")
    # What cannot be taken back is not marked in advance.
    assert editor.marked() == "group"
    await editor.choose("do_delete_group", "editor", "check", "save")
    assert editor.shown["type"] == "create_entry", editor.shown
    assert not is_draft(entry_named(hass, "Keys"))


@pytest.mark.parametrize(
    ("steps", "marked"),
    [
        (("details", "groups", "check"), "details"),
        (("do_delete", "editor"), "editor"),
        (("accept", "take_over", "discard"), "take_over"),
        (("save_anyway", "editor"), "editor"),
        (("run_again", "editor"), "editor"),
        (("rotate", "pair_again", "revoke"), "pair_again"),
        (("enable", "confirm"), "confirm"),
        (("with_homeagent", "begin"), "begin"),
        (("editor",), "editor"),
        (("save",), "save"),
    ],
)
def test_nothing_is_done_by_pressing_enter(steps: tuple[str, ...], marked: str) -> None:
    """What is marked in advance leads on, as long as anything does."""
    assert marked_of(steps) == marked


async def test_wish_is_not_taken_back_by_an_older_dialog(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """Only who moves the switch wishes anything."""
    entry_id = await _kernel(hass, client)
    older, renaming = Dialogs(client, ADD), Dialogs(client, ADD)
    await older.begin("homeagent")
    await renaming.begin("homeagent", entry_id=entry_id)
    await _want_lists(client)
    await older.answer({CHOICE: "sequence", "lists": False})
    await renaming.answer({"name": "Agent", "lists": False})
    assert hass.data[DATA_RUNTIME].menu_lists.wanted(hass_admin_user.id)


async def test_a_run_ends_once(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """Nobody's answer is taken twice: one choice is one run, and then one page."""
    entry = await async_make(hass, hass_admin_user, "Keys", PLAIN)
    await _want_lists(client)
    runs = async_capture_events(hass, EVENT_RUN_STARTED)
    editor = Dialogs(client, EDIT)
    await editor.begin(entry.entry_id)
    for count, choice in enumerate(("run", "run_again", "run_anew", "run_again"), 1):
        await editor.choose(choice)
        while editor.shown["type"] == "progress":
            await hass.async_block_till_done()
            answer = await client.get(f"/api/{EDIT}/{editor.shown['flow_id']}")
            editor.shown = await answer.json()
        # What was chosen just now is not there to be chosen by a second press.
        assert choice not in editor.choices()
        assert len(runs) == count


async def test_nothing_chosen_is_told(client: TestClient[Any, Any]) -> None:
    """Neither nothing nor something that is not there leads anywhere."""
    await _want_lists(client)
    dialog = Dialogs(client, ADD)
    begun = await dialog.begin("homeagent")
    await dialog.choose("sequence")
    for wrong in ({}, {CHOICE: "system"}, {CHOICE: 1}):
        answer = await client.post(f"/api/{ADD}/{begun['flow_id']}", json=wrong)
        assert answer.status == 400
        assert CHOICE in str(await answer.json())


async def test_flow_that_is_begun_with_data(hass: HomeAssistant) -> None:
    """By code, which knows nothing of the form: it is shown."""
    await async_set_up(hass)
    flow = hass.config_entries.flow
    shown = await flow.async_init("homeagent", context={"source": "user"}, data={})
    assert (shown["type"], shown["step_id"]) == ("form", "user")


async def test_list_that_has_become_empty(
    hass: HomeAssistant, client: TestClient[Any, Any]
) -> None:
    """The last of the ready-made rules is added elsewhere: that is told."""
    entry_id = await _kernel(hass, client)
    await _want_lists(client)
    quicker, slower = Dialogs(client, BELOW), Dialogs(client, BELOW)
    await slower.begin([entry_id, "access_rule"])
    for rule in READY_MADE:
        await quicker.begin([entry_id, "access_rule"])
        await quicker.choose("ready", rule.key)
        await quicker.answer({})
    shown = await slower.choose("ready")
    assert (shown["type"], shown["reason"]) == ("abort", "already_there")


async def test_long_names_are_whole(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """A list has room for what a line of a menu puts below itself."""
    name = "Everything that is to be done before one goes to bed"
    await async_make(hass, hass_admin_user, "Long", [{**PLAIN[0], "name": name}])
    await _want_lists(client)
    editor = Dialogs(client, EDIT)
    await editor.begin(entry_named(hass, "Long").entry_id)
    await editor.choose("groups")
    assert name in editor.choices()["group_0"]


async def test_lists_are_for_one_person(
    hass: HomeAssistant,
    client: TestClient[Any, Any],
    hass_admin_user: User,
) -> None:
    """Somebody else has menus as before."""
    await _want_lists(client)
    lists = hass.data[DATA_RUNTIME].menu_lists
    assert lists.wanted(hass_admin_user.id)
    other = await hass.auth.async_create_user("Other", group_ids=["system-admin"])
    assert not lists.wanted(other.id)
    assert not lists.wanted(None)
    await _want_lists(client, wanted=False)
    assert not lists.wanted(hass_admin_user.id)


async def test_words_are_in_the_persons_language(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """As the texts beside them are."""
    store = await storage.async_user_store(hass, hass_admin_user.id)
    await store.async_set_item("language", {"language": "zh-Hans"})
    await _want_lists(client)
    dialog = Dialogs(client, ADD)
    await dialog.begin("homeagent")
    await dialog.choose("sequence", "begin")
    expected = LANGUAGES["zh-Hans"]["config"]["step"]["begin"]["menu_options"]
    for step, words in expected.items():
        assert dialog.choices()[step].startswith(words)


async def test_lists_in_the_other_flows(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """The options of HomeAgent, its rules, and a repair."""
    entry_id = await _kernel(hass, client)
    await _want_lists(client)
    options = Dialogs(client, EDIT)
    await options.begin(entry_id)
    shown = await options.choose("kernel_history")
    assert shown["step_id"] == "kernel_history"
    rules = Dialogs(client, BELOW)
    await rules.begin([entry_id, "access_rule"])
    await rules.choose("ready")
    rule = next(iter(rules.choices()))
    assert (await rules.choose(rule))["step_id"] == "confirm"
    await async_make(hass, hass_admin_user, "Callee", PLAIN)
    await async_make(hass, hass_admin_user, "Caller", CALLING)
    callee = entry_named(hass, "Callee").entry_id
    await hass.config_entries.async_set_disabled_by(callee, ConfigEntryDisabler.USER)
    await hass.async_block_till_done()
    (issue,) = (
        each
        for each in ir.async_get(hass).issues.values()
        if each.translation_key == "called_sequence_disabled"
    )
    repair = Dialogs(client, REPAIR)
    await repair.begin("homeagent", issue_id=issue.issue_id)
    words = LANGUAGES["en"]["issues"]["called_sequence_disabled"]["fix_flow"]["step"]
    assert repair.choices() == words["init"]["menu_options"]
    assert (await repair.choose("enable"))["type"] == "create_entry"


async def test_what_was_chosen_is_kept(
    hass: HomeAssistant,
    client: TestClient[Any, Any],
    hass_admin_user: User,
    hass_storage: dict[str, Any],
) -> None:
    """In a file of its own, from the first entry on and until the last."""
    await _want_lists(client)
    assert KEY not in hass_storage
    entry_id = await _kernel(hass, client)
    assert hass_storage[KEY]["data"] == {"users": [hass_admin_user.id]}
    await _want_lists(client, wanted=False)
    assert hass_storage[KEY]["data"] == {"users": []}
    await hass.config_entries.async_remove(entry_id)
    await hass.async_block_till_done()
    assert KEY not in hass_storage


@pytest.mark.parametrize(
    "stored",
    [
        {"version": 2, "data": {"users": ["x"]}},
        {"version": 0, "data": {"users": ["x"]}},
        {"version": 1, "data": {"users": [1, None, "x"]}},
        {"version": 1, "data": {"users": 5}},
        {"version": 1, "data": []},
        {"version": 1, "data": {}},
    ],
)
async def test_strange_file(
    hass: HomeAssistant, hass_storage: dict[str, Any], stored: dict[str, Any]
) -> None:
    """Of a newer version or written by somebody else: HomeAgent starts all the same."""
    hass_storage[KEY] = {"minor_version": 1, "key": KEY, **stored}
    before = deepcopy(hass_storage[KEY])
    await async_set_up(hass)
    lists = hass.data[DATA_RUNTIME].menu_lists
    assert lists.wanted("x") is (stored["data"] == {"users": [1, None, "x"]})
    await lists.async_choose("y", wanted=True)
    assert lists.wanted("y")
    MockConfigEntry(domain="homeagent").add_to_hass(hass)
    await lists.async_save()
    assert (hass_storage[KEY] == before) is (stored["version"] != 1)


async def test_it_can_be_changed_with_the_name(
    hass: HomeAssistant, client: TestClient[Any, Any], hass_admin_user: User
) -> None:
    """Where HomeAgent is renamed; the form shows how it is."""
    entry_id = await _kernel(hass, client)
    dialog = Dialogs(client, ADD)
    for wanted in (True, False):
        shown = await dialog.begin("homeagent", entry_id=entry_id)
        field = shown["data_schema"][1]
        assert field["name"] == "lists"
        assert field["description"] == {"suggested_value": not wanted}
        done = await dialog.answer({"name": "Agent", "lists": wanted})
        assert (done["type"], done["reason"]) == ("abort", "reconfigure_successful")
        lists = hass.data[DATA_RUNTIME].menu_lists
        assert lists.wanted(hass_admin_user.id) is wanted
    assert entry_named(hass, "Agent").entry_id == entry_id

"""A sequence from nothing to its use, by somebody who never saw JSON, in the browser."""

import asyncio
from collections.abc import Awaitable, Callable
import json
import time

from demohome.home import configuration, furnish
from demohome.jsonish import JsonObject, as_object, as_objects
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import expect

from .at_editor import AtEditor
from .person import person_at

VOICE = "conversation:\nassist_pipeline:\n"
NAME = "Good evening"
LIGHTS = ("light.worktop", "light.desk", "light.reading_lamp")


async def dark(home: RealHome) -> None:
    """Turn the lights off and open the blind."""
    await home.api.do_action("light.turn_off", {"entity_id": list(LIGHTS)})
    blind = {"entity_id": "cover.living_room_blind"}
    await home.api.do_action("cover.open_cover", blind)


async def wait_until(met: Callable[[], Awaitable[bool]], what: str) -> None:
    """Wait until `met` is true, a minute at most."""
    deadline = time.monotonic() + 60
    while not await met():
        assert time.monotonic() < deadline, what
        await asyncio.sleep(0.1)


async def expect_evening(home: RealHome) -> None:
    """Lights on, blind closed."""
    for entity_id in LIGHTS:
        assert (await home.api.state(entity_id))["state"] == "on", entity_id
    assert (await home.api.state("cover.living_room_blind"))["state"] == "closed"


async def build(at: AtEditor) -> None:
    """Add HomeAgent, and a sequence of two groups in forms, with a slip on the way."""
    await at.begin("HomeAgent")
    await at.press("Submit")
    await at.finish()
    await at.begin("Sequence")
    await at.picture("begin")
    await at.choose("Start empty")
    await at.fill("Name", NAME)
    await at.next()
    await at.picture("new-draft")
    await at.choose("Groups", "Add a group")
    await at.fill("Name", "Lights")
    for light in ("Worktop", "Desk", "Reading lamp"):
        await at.add_action(light, "Turn on light")
    await expect(at.rows(0)).to_contain_text("light.turn_on = Desk")
    await at.picture("three-lights")
    await at.fill("At most", "20")
    await at.next()
    timeout = at.page.get_by_role("textbox", name="At most")
    await at.error_at(timeout, 'Write "20s"')
    await at.picture("error-at-its-field")
    await at.fill("At most", "20s")
    await expect(at.page.get_by_text("3 calls at the same time")).to_be_visible()
    await at.picture("live-line")
    await at.next()
    await at.picture("group")
    await at.choose("Back to the groups", "Add a group")
    await at.fill("Name", "Blind")
    await at.fill("Only if", "$args.late == true")
    await at.add_row(1)
    await at.fill("Key", "late")
    await at.page.locator("ha-select").last.click()
    await at.page.get_by_text("Yes or no").last.click()
    await at.fill("Default", "maybe")
    await at.picture("input")
    await at.press("Add")
    await at.add_action("Living room blind", "Close cover")
    await at.next()
    await at.error_at(at.rows(1), "neither yes nor no")
    await at.picture("error-at-inputs")
    await at.rows(1).get_by_role("button", name="Edit").click()
    await at.fill("Default", "yes")
    await at.press("Save")
    await at.next()
    await at.choose("Back to the groups")
    await at.picture("groups")
    await at.choose("Back to the editor", "Details and inputs")
    await at.page.get_by_text("Add Sentences").click()
    await at.page.get_by_role("textbox").last.fill("start the evening")
    await at.picture("details")
    await at.next()
    await at.choose("Check, preview and save")
    await at.picture("check")
    await at.choose("Save")
    await at.finish()


async def stored(home: RealHome) -> JsonObject:
    """Return the sequence as seq_list tells it."""
    listed = await home.api.call_action("homeagent.seq_list", {})
    (sequence,) = as_objects(listed["sequences"], "the sequences")
    return sequence


async def press_button(at: AtEditor, home: RealHome) -> None:
    """Press the button on the page of the sequence's device, and wait for the event."""
    await dark(home)
    await at.person.open("/config/integrations/integration/homeagent")
    await at.page.locator("ha-config-entry-device-row").filter(has_text=NAME).click()
    event = "event.good_evening_run_finished"
    before = (await home.api.state(event))["state"]
    await at.picture("device")
    await at.page.get_by_role("button", name="Press").click()

    async def finished() -> bool:
        state = await home.api.state(event)
        attributes = as_object(state["attributes"], "the attributes")
        new = state["state"] != before
        return new and attributes["event_type"] == "finished"

    await wait_until(finished, "no event")
    await at.picture("device-after")
    await expect_evening(home)


async def edit_as_text(at: AtEditor) -> None:
    """Change something as JSON and save it, with a target in its older spelling."""
    await at.open(NAME)
    await at.choose("Edit as JSON")
    field = at.page.locator("textarea").last
    text = json.loads(await field.input_value())
    text["description"] = "Written as text"
    desk = '"target":{"entity_id":"light.desk"}'
    assert desk in text["groups"][0]["tools"]
    flat = text["groups"][0]["tools"].replace(desk, '"entity_id":"light.desk"')
    text["groups"][0]["tools"] = flat
    await at.picture("json")
    await field.fill(json.dumps(text)[:-1])
    await at.next()
    await expect(at.page.locator("ha-alert")).to_contain_text("line 1")
    await at.picture("json-error")
    await field.fill(json.dumps(text, indent=1))
    await at.next()
    await at.choose("Save")
    await at.finish()


async def go_through_forms(at: AtEditor) -> None:
    """Open and submit every form without a change."""
    await at.open(NAME)
    groups = {"1. Lights (3 calls at the same time)": 3, "2. Blind (1 call)": 1}
    for group, calls in groups.items():
        await at.choose("Groups", group, "Edit")
        await expect(at.title("Group")).to_be_visible()
        edits = at.rows(0).get_by_role("button", name="Edit")
        await expect(edits).to_have_count(calls)
        for row in await edits.all():
            await row.click()
            await expect(at.page.get_by_text("Perform action")).to_be_visible()
            await expect(at.page.get_by_text("No target set")).to_be_hidden()
            await at.picture("row-again")
            await at.press("Save")
            await expect(at.page.get_by_text("Perform action")).to_be_hidden()
        await at.next()
        await at.choose("Back to the groups", "Back to the editor")
    await expect(at.page.get_by_text("not saved")).to_be_hidden()
    await at.choose("Details and inputs")
    await at.next()
    await expect(at.page.get_by_text("not saved")).to_be_hidden()


async def run_now(at: AtEditor, home: RealHome) -> None:
    """Run it out of the editor."""
    await dark(home)
    await at.choose("Run now")
    await at.picture("run-inputs")
    await at.press("Run")
    await expect(at.page.get_by_text("Done in")).to_be_visible()
    await at.picture("report")
    await expect_evening(home)


async def use_in_automations(home: RealHome) -> None:
    """By its own action, and by seq_run with a response variable."""
    steps = {
        "own_action": [{"action": "homeagent.run_good_evening", "data": {}}],
        "seq_run": [
            {
                "action": "homeagent.seq_run",
                "data": {"name": NAME},
                "response_variable": "report",
            },
            {
                "action": "todo.add_item",
                "target": {"entity_id": "todo.shopping_list"},
                "data": {"item": "{{ report.status }}"},
            },
        ],
    }
    for name, actions in steps.items():
        await dark(home)
        automation = {"alias": name, "triggers": [], "actions": actions}
        path = f"/api/config/automation/config/{name}"
        await home.api.post(path, automation)

        async def there(entity_id: str = f"automation.{name}") -> bool:
            states = await home.api.states()
            return any(each["entity_id"] == entity_id for each in states)

        await wait_until(there, f"no automation {name}")
        await home.api.do_action(
            "automation.trigger", {"entity_id": f"automation.{name}"}
        )
        await expect_evening(home)
    todo = {"entity_id": "todo.shopping_list"}
    items = await home.api.call_action("todo.get_items", todo)
    assert '"summary": "ok"' in json.dumps(items)


async def say(home: RealHome) -> None:
    """Say the sentence through the voice pipeline, as text, without any model."""
    await dark(home)
    async with home.api.socket() as socket:
        await socket.command(
            "assist_pipeline/run",
            start_stage="intent",
            end_stage="intent",
            input={"text": "start the evening"},
        )

        async def done() -> bool:
            blind = await home.api.state("cover.living_room_blind")
            return blind["state"] == "closed"

        await wait_until(done, "the sentence did nothing")
    await expect_evening(home)


async def test_from_nothing_to_its_use() -> None:
    """Built in forms, run from its device, edited as text, used by automations."""
    options = HomeOptions(configuration=configuration() + VOICE)
    async with RealHome(options) as home:
        await furnish(home.api)
        async with person_at(home) as person:
            await person.log_in()
            at = AtEditor(person)
            await build(at)
            await press_button(at, home)
            await edit_as_text(at)
            before = await stored(home)
            assert before["description"] == "Written as text"
            await press_button(at, home)
            await go_through_forms(at)
            assert await stored(home) == before
            await run_now(at, home)
        await use_in_automations(home)
        await say(home)
        log = home.log_text()
    assert complaints(log) == []

"""A person installs HomeAgent by copying its folder, and adds it in the real UI."""

import json

from demohome.folder import LEAN_CONFIGURATION
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import Locator, expect

from .person import Person, person_at

ENTRY = {
    "tool": "persistent_notification.create",
    "args": {"title": "Good night", "message": "All is well"},
}
GOOD = json.dumps({"groups": [{"name": "note", "tools": f"{json.dumps(ENTRY)} ;"}]})
BAD = json.dumps({"groups": [{"name": "note", "tools": json.dumps(ENTRY)}]})
EMPTY = HomeOptions(configuration=LEAN_CONFIGURATION, integration=False)


async def add(person: Person, choice: str) -> None:
    """Open the dialog that adds HomeAgent and choose from its menu."""
    await person.open("/config/integrations/dashboard/add?domain=homeagent")
    await person.page.get_by_role("button", name="OK").click()
    await person.page.get_by_text(choice).click()


async def add_homeagent(person: Person) -> None:
    await add(person, "The hub itself")
    await person.take_picture("add-homeagent")
    await person.page.get_by_role("button", name="Submit").click()
    await person.page.get_by_role("button", name="Finish").click()


async def add_sequence(person: Person) -> None:
    """Paste a sequence with a slip, see the error at its field, and mend it."""
    page = person.page
    await add(person, "A named procedure")
    name = page.get_by_role("textbox", name="Name*")
    document = page.get_by_role("textbox", name="Sequence (JSON)*")
    await name.fill("Good night")
    await document.fill(BAD)
    await page.get_by_role("button", name="Submit").click()
    error = page.locator("ha-alert")
    await expect(error).to_contain_text(";")
    await person.take_picture("bad-sequence")
    assert await top(name) < await top(error) < await top(document)
    await document.fill(GOOD)
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("button", name="Finish").click()


async def top(element: Locator) -> float:
    """Tell how far below the upper edge of the screen something stands."""
    box = await element.bounding_box()
    assert box is not None
    return box["y"]


async def test_from_an_empty_home_to_a_sequence_that_runs() -> None:
    async with RealHome(EMPTY) as home:
        home.install_integration()
        await home.restart()
        async with person_at(home) as person:
            await person.log_in()
            await add_homeagent(person)
            await add_sequence(person)
            await person.open("/config/integrations/integration/homeagent")
            await expect(person.page.get_by_text("Good night")).to_be_visible()
            await person.take_picture("entries")
        run = {"name": "Good night"}
        report = await home.api.call_action("homeagent.seq_run", run)
        assert report["status"] == "ok", report["text"]
        log = home.log_text()
    assert complaints(log) == []
    assert "blocking call" not in log

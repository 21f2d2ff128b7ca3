"""A person installs HomeAgent by copying its folder, and adds it in the real UI."""

import json

from demohome.folder import LEAN_CONFIGURATION
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import expect

from .at_editor import AtEditor
from .person import person_at

ENTRY = {
    "tool": "persistent_notification.create",
    "args": {"title": "Good night", "message": "All is well"},
}
GOOD = json.dumps({"groups": [{"name": "note", "tools": f"{json.dumps(ENTRY)} ;"}]})
BAD = json.dumps({"groups": [{"name": "note", "tools": json.dumps(ENTRY)}]})
EMPTY = HomeOptions(configuration=LEAN_CONFIGURATION, integration=False)


async def add_homeagent(at: AtEditor) -> None:
    await at.begin("HomeAgent")
    await at.person.take_picture("add-homeagent")
    await at.press("Submit")
    await at.finish()


async def add_sequence(at: AtEditor) -> None:
    """Paste a sequence with a slip, see the error at its field, and mend it."""
    await at.begin("Sequence", "Paste JSON")
    await at.fill("Name", "Good night")
    document = at.page.get_by_role("textbox", name="Sequence (JSON)*")
    await document.fill(BAD)
    await at.next()
    await at.error_at(document, ";")
    await at.person.take_picture("bad-sequence")
    await document.fill(GOOD)
    await at.next()
    await expect(at.title("Sequence editor")).to_be_visible()


async def test_from_an_empty_home_to_a_sequence_that_runs() -> None:
    async with RealHome(EMPTY) as home:
        home.install_integration()
        await home.restart()
        async with person_at(home) as person:
            await person.log_in()
            at = AtEditor(person)
            await add_homeagent(at)
            await add_sequence(at)
            await person.open("/config/integrations/integration/homeagent")
            await expect(person.page.get_by_text("Good night").first).to_be_visible()
            await person.take_picture("entries")
        run = {"name": "Good night"}
        report = await home.api.call_action("homeagent.seq_run", run)
        assert report["status"] == "ok", report["text"]
        log = home.log_text()
    assert complaints(log) == []
    assert "blocking call" not in log

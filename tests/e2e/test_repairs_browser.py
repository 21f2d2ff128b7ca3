"""Repair issues in the real frontend: read, and the right editor is open."""

from demohome.real_home import RealHome
from playwright.async_api import expect

from .at_editor import AtEditor
from .person import person_at

GROUPS = [
    {
        "name": "note",
        "tools": '{"tool":"persistent_notification.create","args":{"message":"x"}} ;',
    }
]
CALLS = [{"name": "call", "tools": '{"tool":"seq_call","args":{"target":"#One"}} ;'}]


async def _break(home: RealHome) -> None:
    """Delete a sequence that another one calls, as a person can."""
    for name, groups in (("One", GROUPS), ("Caller", CALLS)):
        made = await home.api.call_action(
            "homeagent.seq_create", {"name": name, "groups": groups}
        )
        assert made["success"], made
    async with home.api.socket() as socket:
        entries = await socket.command("config_entries/get", domain="homeagent")
    assert isinstance(entries, list)
    (one,) = (entry for entry in entries if entry["title"] == "One")
    path = f"/api/config/config_entries/entry/{one['entry_id']}"
    await home.api.request("DELETE", path)


async def test_issue_opens_the_editor(home: RealHome) -> None:
    """From the list of repairs to the menu of the editor, in two clicks."""
    await _break(home)
    async with person_at(home) as person:
        await person.log_in()
        await person.open("/config/repairs")
        page, at = person.page, AtEditor(person)
        await page.get_by_text("The sequence One is deleted").click()
        await expect(page.get_by_text("Caller").last).to_be_visible()
        await person.take_picture("repair-explained")
        await at.press("Open the editor")
        await expect(at.title("Sequence editor")).to_be_visible()
        await person.take_picture("repair-editor")

"""The editor by keyboard alone: from an empty home to a sequence that ran."""

from demohome.folder import LEAN_CONFIGURATION
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import Locator, expect

from .at_keyboard import AtKeyboard
from .person import person_at

LEAN = HomeOptions(configuration=LEAN_CONFIGURATION)


async def _begin(keys: AtKeyboard) -> None:
    """Open the dialog that adds something to HomeAgent."""
    await keys.at.person.open("/config/integrations/dashboard/add?domain=homeagent")
    await expect(keys.page.get_by_role("button", name="OK")).to_be_visible()
    await keys.go_to("OK")
    await keys.press("Enter")
    await expect(keys.at.title("What to add")).to_be_visible()


async def _add_homeagent(keys: AtKeyboard) -> None:
    """Add it, and ask for lists on the way."""
    await _begin(keys)
    await keys.go_to("Menus as lists")
    await keys.press("Space")
    await keys.at.picture("keys-begin")
    await keys.next()
    await expect(keys.at.title("Add HomeAgent")).to_be_visible()
    await keys.next("Submit")
    await expect(keys.page.get_by_role("button", name="inish")).to_be_visible()
    await keys.go_to("inish")
    await keys.press("Enter")


async def _add_row(keys: AtKeyboard) -> None:
    # Forward stands Home Assistant's YAML editor, which takes the key for itself.
    # A picker that has closed moves the focus once more, a little later.
    for _ in range(5):
        await keys.go_to("Cancel", "Shift+Tab")
        await keys.press("Tab")
        if await keys.focused() == "Add":
            break
    assert await keys.focused() == "Add"
    await keys.press("Space")
    await expect(keys.page.get_by_text("Or a tool")).to_be_hidden()
    # The focus comes back a little after the dialog has gone.
    await keys.settle("Add")


async def _open_new_row(keys: AtKeyboard) -> None:
    """Open a new row; the button to add one has the focus."""
    await keys.press("Space")
    await expect(keys.page.get_by_text("Or a tool").first).to_be_visible()


async def _build(keys: AtKeyboard) -> None:
    """A group with a tool by its name, and an action out of Home Assistant's list."""
    page, at = keys.page, keys.at
    await keys.go_into(page.get_by_role("textbox", name="Name").last)
    await keys.type("g/")
    await keys.go_to("Add")
    await _open_new_row(keys)
    await keys.go_to("Or a tool")
    await keys.type("seq_list")
    await _add_row(keys)
    await expect(at.rows(0)).to_contain_text("seq_list")
    await _open_new_row(keys)
    await keys.go_to("Add action")
    await keys.press("Enter")
    await expect(page.get_by_placeholder("Search").last).to_be_focused()
    await keys.type("dismiss all")
    await expect(page.get_by_text("Dismiss all").last).to_be_visible()
    await keys.press("ArrowDown", "Enter")
    chosen = page.get_by_role("paragraph").filter(has_text="Deletes all persistent")
    await expect(chosen).to_be_visible()
    await _add_row(keys)
    await expect(at.rows(0)).to_contain_text("persistent_notification.dismiss_all")
    await keys.next()
    await expect(page.locator("ha-alert")).to_contain_text("contains `/`")
    await at.picture("keys-error")
    await keys.go_into(page.get_by_role("textbox", name="Name").last)
    await keys.press("Control+a")
    await keys.type("g")
    await keys.next()


async def _row_of(keys: AtKeyboard, name: str) -> Locator:
    """Go to the page of HomeAgent; return the line of the entry of that name."""
    await keys.at.person.open("/config/integrations/integration/homeagent")
    row = keys.page.locator("ha-config-entry-row").filter(has_text=name).first
    await expect(row).to_be_visible()
    return row


async def _run(keys: AtKeyboard) -> None:
    """Open the editor of what is saved, and run it."""
    await keys.go_to_one_in(await _row_of(keys, "Keys"), "Configure")
    await keys.press("Enter")
    await keys.choose("Run now")
    await expect(keys.page.get_by_text("Back to the editor")).to_be_visible()
    await keys.at.picture("keys-ran")


async def _want_menus(keys: AtKeyboard) -> None:
    """Take the lists back where HomeAgent is renamed."""
    row = await _row_of(keys, "HomeAgent")
    await keys.go_to_one_in(row, "Menu")
    await keys.press("Enter")
    await expect(keys.page.get_by_text("Reconfigure").first).to_be_visible()
    await keys.go_to("Reconfigure", "ArrowDown")
    await keys.press("Enter")
    await expect(keys.at.title("Rename HomeAgent")).to_be_visible()
    await keys.go_to("Menus as lists")
    await keys.at.picture("keys-reconfigure")
    await keys.press("Space")
    await keys.next("Submit")


async def test_editor_by_keyboard() -> None:
    """Everything is added, built, checked, saved, run and deleted without a mouse."""
    async with RealHome(LEAN) as home, person_at(home) as person:
        await person.log_in()
        keys = AtKeyboard(person)
        at = keys.at
        await _add_homeagent(keys)
        await _begin(keys)
        await keys.choose("Sequence", "Start empty")
        await keys.go_into(at.page.get_by_role("textbox", name="Name").last)
        await keys.type("Keys")
        await keys.next()
        await expect(at.title("Sequence editor")).to_be_visible()
        await at.picture("keys-editor")
        await keys.choose("Groups", "Add a group")
        await _build(keys)
        await expect(at.page.get_by_text("2 calls").first).to_be_visible()
        await keys.choose("Back to the groups")
        await at.picture("keys-groups")
        await keys.choose("Back to the editor", "Check, preview and save", "Save")
        await keys.go_to("inish")
        await keys.press("Enter")
        await _run(keys)
        await keys.choose("Back to the editor", "Delete")
        await at.picture("keys-delete")
        await keys.choose("Delete it")
        listed = await home.api.call_action("homeagent.seq_list", {})
        assert listed["sequences"] == []
        await _want_menus(keys)
        log = home.log_text()
    assert complaints(log) == []

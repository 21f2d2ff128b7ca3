"""A person at the editor of a sequence, in the real frontend."""

import re

from playwright.async_api import Locator, Page, expect

from .person import Person

CONFIGURE = "Configure"


class AtEditor:
    """What somebody does in the dialogs; names are those that the screen shows."""

    def __init__(self, person: Person) -> None:
        """Sit down in front of a page."""
        self.person = person
        self.page: Page = person.page

    async def begin(self, *choices: str) -> None:
        """Open the dialog that adds something to HomeAgent, and choose."""
        await self.person.open("/config/integrations/dashboard/add?domain=homeagent")
        await self.page.get_by_role("button", name="OK").click()
        kind, *others = choices
        await self.mark(kind)
        await self.next()
        await self.choose(*others)

    async def open(self, name: str) -> None:
        """Open the editor of the sequence of that name."""
        await self.person.open("/config/integrations/integration/homeagent")
        entry = self.page.locator("ha-config-entry-row").filter(
            has=self.page.get_by_role("heading", name=name, exact=True)
        )
        if not await entry.count():
            entry = self.page.locator("ha-config-entry-row").filter(has_text=name)
        await entry.first.get_by_label(CONFIGURE).first.click()
        await expect(self.title("Sequence editor")).to_be_visible()

    def title(self, text: str) -> Locator:
        """Return the title of the dialog."""
        return self.page.get_by_text(text, exact=True).first

    async def choose(self, *choices: str) -> None:
        """Choose in menus that come one after the other."""
        for choice in choices:
            option = self.page.locator("ha-list-item").get_by_text(choice, exact=True)
            await option.click()
            await expect(option).to_be_hidden()

    async def mark(self, choice: str) -> None:
        """Mark the line of a list that begins so."""
        begins = re.compile(f"^{re.escape(choice)}")
        await self.page.get_by_role("radio", name=begins).click()

    async def fill(self, field: str, text: str) -> None:
        """Fill a text field."""
        await self.page.get_by_role("textbox", name=field).last.fill(text)

    async def press(self, button: str) -> None:
        """Press the button of that name in the topmost dialog."""
        await self.page.get_by_role("button", name=button, exact=True).last.click()

    async def finish(self) -> None:
        """Close the last page of a flow, which may offer to name a device."""
        await self.page.get_by_role("button", name=re.compile("[Ff]inish")).click()

    async def next(self) -> None:
        """Submit the form."""
        await self.press("Next")

    def rows(self, number: int) -> Locator:
        """Return one of the form's lists of rows: calls 0, inputs 1, outputs 2."""
        return self.page.locator("ha-selector-object").nth(number)

    async def add_row(self, number: int) -> None:
        """Open the form of a new row."""
        await self.rows(number).get_by_text("Add", exact=True).click()
        await expect(self.title("Add")).to_be_visible()

    async def add_action(self, target: str, action: str) -> None:
        """Add a call in Home Assistant's visual action editor."""
        await self.add_row(0)
        await self.page.get_by_text("Add action").click()
        await expect(self.page.get_by_text("By target")).to_be_visible()
        await self.page.keyboard.type(target)
        await self.page.get_by_text(target, exact=True).last.click()
        await self.page.get_by_text(action).first.click()
        await expect(self.page.get_by_text("Add target")).to_be_visible()
        await self.press("Add")
        await expect(self.page.get_by_text("Add target")).to_be_hidden()

    async def error_at(self, field: Locator, says: str) -> None:
        """Expect an error that stands right above a field."""
        error = self.page.locator("ha-alert").filter(has_text=says)
        await expect(error).to_be_visible()
        await error.scroll_into_view_if_needed()
        above, below = await error.bounding_box(), await field.bounding_box()
        assert above is not None
        assert below is not None
        assert 0 < below["y"] - above["y"] < 160, (above, below)

    async def picture(self, name: str) -> None:
        """Keep what the screen shows, once the dialog has come to rest."""
        await self.page.wait_for_timeout(500)
        await self.person.take_picture(f"editor-{name}")

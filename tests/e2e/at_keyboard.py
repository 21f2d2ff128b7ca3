"""A person at the editor of a sequence who has no mouse."""

from collections.abc import Awaitable, Callable
from functools import partial
import re

from playwright.async_api import Locator, expect

from .at_editor import AtEditor
from .person import Person

_MOST = 80
"""Presses of a key after which something counts as out of reach."""

_HAS_FOCUS = "node => node.getRootNode().activeElement === node"
_HOLDS_FOCUS = """node => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  while (at && at !== node) at = at.assignedSlot ?? at.parentNode ?? at.host;
  return at === node;
}"""
_IS_RADIO = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.getAttribute('role') === 'radio' || at?.type === 'radio';
}"""
_FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const words = node => node?.getAttribute?.('aria-label') || node?.textContent?.trim();
  return words(at) || words(at?.getRootNode().host) || at?.nodeName;
}"""


class AtKeyboard:
    """Presses keys; labels are those of what has the focus, as it would be read out."""

    def __init__(self, person: Person) -> None:
        """Sit down, and push the mouse away."""
        self.at = AtEditor(person)
        self.page = person.page

    async def focused(self) -> str:
        """Return the label of what has the focus."""
        return str(await self.page.evaluate(_FOCUSED))

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def type(self, text: str) -> None:
        """Type a text where the focus is, in the place of what is selected."""
        await self.page.keyboard.type(text)

    async def settle(self, label: str) -> None:
        """Wait until something of that label has the focus by itself."""
        script = f"label => ({_FOCUSED})().includes(label)"
        await self.page.wait_for_function(script, arg=label)

    async def go_to(self, label: str, key: str = "Tab") -> None:
        """Press a key until something of that label has the focus."""

        async def there() -> bool:
            return label in await self.focused()

        await self.press(key)
        await self._until(key, there, label)

    async def go_into(self, field: Locator) -> None:
        """Press Tab until a field has the focus."""

        async def there() -> bool:
            return bool(await field.evaluate(_HAS_FOCUS))

        await self._until("Tab", there, str(field))

    async def go_to_one_in(self, place: Locator, label: str) -> None:
        """Press Tab until something of that label has the focus, in a part of the page."""

        async def there() -> bool:
            return await self._is_in(place) and label in await self.focused()

        await self._until("Tab", there, label)

    async def _is_in(self, place: Locator) -> bool:
        return bool(await place.evaluate(_HOLDS_FOCUS))

    async def choose(self, *choices: str) -> None:
        """Choose in lists that come one after the other; each begins a label."""
        for choice in choices:
            await self.mark(choice)
            await self.next()

    async def mark(self, choice: str) -> None:
        """Mark one of the lines of a list; arrows go from line to line."""
        line = self.page.get_by_role("radio", name=re.compile(f"^{re.escape(choice)}"))
        await expect(line).to_be_visible()
        await self._until("Tab", self._is_in_list, choice)
        await self._until("ArrowDown", partial(self._begins, choice), choice)
        await self.press("Space")
        await expect(line).to_be_checked()

    async def _is_in_list(self) -> bool:
        return bool(await self.page.evaluate(_IS_RADIO))

    async def _begins(self, label: str) -> bool:
        return (await self.focused()).startswith(label)

    async def _until(
        self, key: str, there: Callable[[], Awaitable[bool]], what: str
    ) -> None:
        """Press a key as long as that is not where the focus is."""
        passed = []
        while not await there():
            passed.append((await self.focused())[:40])
            assert len(passed) < _MOST, f"{what} is out of reach: {passed}"
            await self.press(key)

    async def next(self, button: str = "Next") -> None:
        """Submit what is shown."""
        await self.go_to(button)
        await self.press("Enter")

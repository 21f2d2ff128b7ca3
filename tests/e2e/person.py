"""A person at Home Assistant's real frontend, in headless Chromium."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import os
from pathlib import Path

from demohome.real_home import RealHome
from playwright.async_api import Page, async_playwright

PICTURES = Path(__file__).resolve().parents[2] / "test-results" / "screenshots"

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Person:
    """The owner of a home, with one page open; roles and names are what it sees."""

    def __init__(self, home: RealHome, page: Page) -> None:
        """Sit down."""
        self.home = home
        self.page = page

    async def log_in(self) -> None:
        """Log in at the login page."""
        await self.page.goto(self.home.url)
        await self.page.fill("input[name=username]", self.home.owner.username)
        await self.page.fill("input[name=password]", self.home.owner.password)
        await self.page.keyboard.press("Enter")
        await self.page.wait_for_url("**/home/**", wait_until="commit")

    async def open(self, path: str) -> None:
        """Go to a page of Home Assistant."""
        await self.page.goto(f"{self.home.url}{path}")

    async def take_picture(self, name: str) -> None:
        """Keep what the screen shows, for people to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=PICTURES / f"{name}.png")


@asynccontextmanager
async def person_at(
    home: RealHome, *, locale: str = "en-US", size: tuple[int, int] = (1280, 720)
) -> AsyncIterator[Person]:
    """Open the browser at a home; a picture of its last page is taken at the end."""
    browser_path = os.environ.get("HOMEAGENT_CHROMIUM", "/usr/bin/chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=browser_path, args=_FLAGS
        )
        page = await browser.new_page(
            locale=locale, viewport={"width": size[0], "height": size[1]}
        )
        page.set_default_timeout(60_000)
        person = Person(home, page)
        try:
            yield person
        finally:
            await person.take_picture("last")
            await browser.close()

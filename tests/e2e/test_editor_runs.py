"""Runs from the editor, as the real frontend waits for their end."""

from demohome.log import complaints
from demohome.real_home import RealHome
from playwright.async_api import expect

from .at_editor import AtEditor
from .person import person_at

SECONDS = {"Ends 1": 0.0, "Ends 2": 1.2, "Ends 3": 4.0}
"""Ended before anybody could listen, right after it is shown, and long after that."""


def _groups(seconds: float) -> list[dict[str, object]]:
    """Twelve groups; only the first of them takes long."""
    waits = [seconds, *[0] * 11]
    return [
        {"name": f"g{number}", "tools": [{"tool": "wait", "args": {"seconds": wait}}]}
        for number, wait in enumerate(waits)
    ]


async def test_end_of_a_run_is_seen(home: RealHome) -> None:
    """However soon it ends; the second time, too."""
    for name, seconds in SECONDS.items():
        made = await home.api.call_action(
            "homeagent.seq_create", {"name": name, "groups": _groups(seconds)}
        )
        assert made["success"], made
    async with person_at(home) as person:
        await person.log_in()
        at = AtEditor(person)
        back = at.page.locator("ha-list-item").get_by_text("Back to the editor")
        for name in SECONDS:
            await at.open(name)
            for choice in ("Run now", "Run again"):
                await at.page.locator("ha-list-item").get_by_text(choice).click()
                await expect(back).to_be_visible(timeout=30_000)
                await expect(at.page.get_by_text("Done in").first).to_be_visible()
    assert complaints(home.log_text()) == []

"""The README, followed by somebody new: from a fresh home to a failure that is told.

The browser presses what the text says in bold, and pastes what stands in its blocks;
nothing is known here that is not on the page.
"""

import asyncio
import contextlib
from dataclasses import dataclass
import re

from demohome.errors import ApiError
from demohome.home import configuration, furnish
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import Locator, expect
import pytest

from tests.core.docs.markdown import fences, read

from .person import Person, person_at

LOOK = 1500
"""Milliseconds that a person looks at what was pasted; the editor needs some, too."""

READ_ON = 8000
"""Milliseconds that a person needs for the next step, and more than the five seconds
after which the frontend asks of new actions whether they answer."""

NOTIFICATIONS = "persistent_notification:\nlogbook:\nhistory:\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A README, the languages of browser and home, and words in the order of the steps."""

    page: str
    locale: str
    language: str
    told: str
    """What the notification says, in the language of the home."""

    steps: str
    """Labels, one a line; each must stand in bold on the page."""


ENGLISH = Edition(
    page="README.md",
    locale="en-US",
    language="en",
    told="There is no such entity: light.no_such_lamp.",
    steps="""\
Settings > Devices & services
Add integration
HomeAgent
Next
Submit
Skip and finish
Settings > Tools > Actions
YAML mode
Perform action
Settings > Automations & scenes
Create automation
Create new automation
Edit in YAML
Save
Run actions
Notifications""",
)
CHINESE = Edition(
    page="README.zh-Hans.md",
    locale="zh-CN",
    language="zh-Hans",
    told="没有这样的实体：light.no_such_lamp。",
    steps="""\
设置 > 设备与服务
添加集成
HomeAgent
下一步
提交
跳过并完成
设置 > 工具 > 动作
YAML 模式
执行动作
设置 > 自动化与场景
创建自动化
创建新的自动化
YAML 编辑
保存
运行动作
通知""",
)


class Reader:
    """Somebody who has the README open beside Home Assistant."""

    def __init__(self, person: Person, edition: Edition) -> None:
        """Open the README."""
        self.person = person
        self.page = person.page
        self.text = " ".join(read(edition.page).split())
        (
            self.devices,
            self.add,
            self.homeagent,
            self.next,
            self.submit,
            self.finish,
            self.tools,
            self.yaml_mode,
            self.perform,
            self.automations,
            self.create,
            self.create_new,
            self.edit_yaml,
            self.save,
            self.run_actions,
            self.notifications,
        ) = edition.steps.splitlines()
        for step in edition.steps.splitlines():
            assert f"**{step}**" in self.text, step
        self.blocks = [
            each.text for each in fences(read(edition.page)) if "yaml" in each.info
        ]

    def label(self, text: str) -> Locator:
        """Return what shows this text."""
        return self.page.get_by_text(text, exact=True)

    async def go(self, way: str) -> None:
        """Follow a way from the sidebar."""
        for step in way.split(" > "):
            await self.label(step).first.click()

    async def replace(self, text: str) -> None:
        """Replace what stands in the box."""
        box = self.page.locator(".cm-content").first
        await box.click()
        await self.page.keyboard.press("Control+A")
        await self.page.keyboard.press("Delete")
        await self.page.keyboard.insert_text(text)
        await self.page.wait_for_timeout(LOOK)

    async def choose_in_menu(self, choice: str) -> None:
        """Choose in the menu with the three dots at the top right."""
        await self.page.locator(
            "ha-icon-button[slot=toolbar-icon], [slot=toolbar-icon] ha-icon-button"
        ).last.click()
        await self.label(choice).first.click()

    async def add_homeagent(self) -> None:
        """Install, step 4."""
        await self.go(self.devices)
        await self.page.get_by_text(self.add).last.click()
        dialog = self.page.locator("dialog-add-integration")
        await dialog.locator("input").first.fill(self.homeagent)
        found = dialog.locator("ha-integration-list-item")
        await found.filter(has_text=self.homeagent).first.click()
        await self.page.get_by_role("button", name=self.next, exact=True).click()
        await self.page.get_by_role("button", name=self.submit).click()
        await self.page.get_by_role("button", name=self.finish).click()
        await self.page.wait_for_timeout(READ_ON)

    async def perform_action(self, text: str, response: str) -> None:
        """Paste an action and perform it; the response says something."""
        await self.replace(text)
        await self.label(self.perform).click()
        answer = self.page.locator("ha-code-editor, ha-yaml-editor").last
        await expect(answer).to_contain_text(response, timeout=60_000)

    async def make_automation(self) -> None:
        """Step 3."""
        await self.go(self.automations)
        await self.label(self.create).last.click()
        await self.page.get_by_text(self.create_new).first.click()
        await self.choose_in_menu(self.edit_yaml)
        await self.save_text(self.blocks[2])

    async def save_text(self, text: str) -> None:
        """Replace what stands in the box, and save it; wait until it is in force."""
        await self.replace(text)
        await self.label(self.save).last.click()
        (lamps,) = re.findall(r"lamps: (.+)", text)
        async with asyncio.timeout(60):
            while not await self.in_force(f"'lamps': '{lamps}'"):
                await self.page.wait_for_timeout(100)
        await self.page.wait_for_timeout(LOOK)

    async def in_force(self, words: str) -> bool:
        """Whether an automation with these words is loaded: it is written earlier."""
        api = self.person.home.api
        async with api.socket() as socket:
            for state in await api.states():
                entity_id = str(state["entity_id"])
                if entity_id.startswith("automation."):
                    # It may be gone by now, as it is just being loaded anew.
                    with contextlib.suppress(ApiError):
                        config = await socket.command(
                            "automation/config", entity_id=entity_id
                        )
                        return words in str(config)
        return False

    async def break_it(self) -> None:
        """Step 4: put a lamp that is none in the place of `all`, save and run."""
        broken = self.blocks[2].replace("lamps: all", "lamps: light.no_such_lamp")
        assert broken != self.blocks[2]
        await self.choose_in_menu(self.edit_yaml)
        await self.save_text(broken)
        await self.choose_in_menu(self.run_actions)
        await self.label(self.notifications).first.click()


@pytest.mark.parametrize("edition", [ENGLISH, CHINESE], ids=["english", "chinese"])
async def test_first_five_minutes(edition: Edition) -> None:
    """A sequence that runs every night, and a notification when it fails."""
    # As the first page of a new home leaves it: the language of whoever sets it up.
    spoken = "homeassistant:\n  language: " + edition.language
    text = configuration().replace("homeassistant:", spoken, 1)
    options = HomeOptions(configuration=text + NOTIFICATIONS)
    async with RealHome(options) as home:
        await furnish(home.api)
        await home.api.do_action("light.turn_on", {"entity_id": "all"})
        async with person_at(home, locale=edition.locale) as person:
            await person.log_in()
            reader = Reader(person, edition)
            await reader.add_homeagent()
            await reader.go(reader.tools)
            await reader.label(reader.yaml_mode).click()
            await reader.perform_action(reader.blocks[0], "success: true")
            await reader.perform_action(reader.blocks[1], "status: ok")
            assert (await home.api.state("light.worktop"))["state"] == "off"
            await reader.make_automation()
            await reader.break_it()
            note = person.page.locator("persistent-notification-item").filter(
                has_text=edition.told
            )
            await expect(note).to_be_visible(timeout=60_000)
            await person.page.wait_for_timeout(LOOK)
            await person.take_picture(f"notification-{edition.locale}")
        log = home.log_text()
    assert complaints(log) == []

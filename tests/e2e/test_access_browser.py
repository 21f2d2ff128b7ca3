"""Access rules in the real frontend: written, switched on, explained; on a phone, too."""

from demohome.folder import LEAN_CONFIGURATION
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import expect

from .person import Person, person_at

PAGE = "/config/integrations/integration/homeagent"
PHONE = (390, 844)
CHINESE = HomeOptions(
    configuration=LEAN_CONFIGURATION.replace(
        "homeassistant:\n", "homeassistant:\n  language: zh-Hans\n"
    )
)
SENTENCE = (
    "Everyone who speaks to a voice device may switch entities in the area of the voice"
    " device that spoke, through a conversation, after a person has agreed."
)
MESSAGES = "管理员可以通过对话向任何接收者发送消息。"
RISK = "进入对话的一段文字能让它把所知道的家中情况发送给别人。"


async def press(person: Person, name: str) -> None:
    await person.page.get_by_role("button", name=name).click()


async def choose(person: Person, text: str) -> None:
    await person.page.get_by_text(text, exact=True).click()


async def write_a_rule(person: Person) -> None:
    """Forget something first, see where it is told, and mend it."""
    page = person.page
    await press(person, "Add access rule")
    await choose(person, "Write a rule")
    await choose(person, "Everyone who speaks to a voice device")
    await choose(person, "Switch entities")
    await choose(person, "The area of the voice device that spoke")
    await choose(person, "Ask a person first")
    await press(person, "Next")
    await expect(page.locator("ha-alert")).to_have_text("Choose at least one way.")
    await person.take_picture("access-rule-error")
    await choose(person, "Conversations and voice")
    await press(person, "Next")
    await expect(page.get_by_text(SENTENCE, exact=True)).to_be_visible()
    await person.take_picture("access-rule-sentence")
    await press(person, "Save")
    await press(person, "Finish")
    await expect(page.get_by_text(SENTENCE, exact=True)).to_be_visible()
    await person.take_picture("access-rules")


async def ask_for_an_explanation(person: Person) -> None:
    page = person.page
    await page.get_by_role("button", name="Configure").first.click()
    await choose(person, "Explain access")
    await person.take_picture("access-explain")
    await press(person, "Next")
    answer = page.get_by_text("Whatever acts by itself may not use light.turn_on")
    await expect(answer).to_be_visible()
    await person.take_picture("access-explained")


async def test_rule_is_written_and_access_explained(home: RealHome) -> None:
    """At a desk, in English."""
    async with person_at(home, size=(1280, 1200)) as person:
        await person.log_in()
        await person.open(PAGE)
        await write_a_rule(person)
        await ask_for_an_explanation(person)
    assert complaints(home.log_text()) == []


async def test_ready_made_rule_shows_its_risk_on_a_phone() -> None:
    """In Chinese: the menu, the risk, and the sentence as the rule's title."""
    async with RealHome(CHINESE) as home:
        await home.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
        async with person_at(home, locale="zh-CN", size=PHONE) as person:
            page = person.page
            await person.log_in()
            await person.open(PAGE)
            await press(person, "添加访问规则")
            await choose(person, "启用预设规则")
            await person.take_picture("access-ready-phone")
            await choose(person, "消息，通过对话")
            await expect(page.get_by_text(MESSAGES, exact=True)).to_be_visible()
            await expect(page.locator("ha-alert")).to_have_text(RISK)
            await person.take_picture("access-risk-phone")
            await press(person, "保存")
            await press(person, "完成")
            await expect(page.get_by_text(MESSAGES, exact=True)).to_be_visible()
            await press(person, "添加访问规则")
            await choose(person, "编写规则")
            await person.take_picture("access-form-phone")
            width = await page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE[0]
        assert complaints(home.log_text()) == []

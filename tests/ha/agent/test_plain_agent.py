"""The agent without a model: sequences by name, in English and Chinese."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.conversation import async_converse
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.agent.by_name import Match, Wish, find_name, hear
from custom_components.homeagent.const import (
    CONF_KIND,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.runtime import DATA_RUNTIME
from tests.ha.home import async_set_up
from tests.ha.sequence_home import FAILING, PLAIN, async_make

from .agent_home import EVERYTHING, rule

ROOM: list[dict[str, Any]] = [
    {
        "name": "g",
        "in": {
            "room": {
                "type": "string",
                "enum": ["kitchen", "bedroom"],
                "description": "room",
            }
        },
        "tools": '{"tool":"input_boolean.turn_on",'
        '"args":{"entity_id":"input_boolean.${args.room}"}} ;',
    }
]
LEVEL = [{**PLAIN[0], "in": {"level": "number"}}]
WAITING = [{"name": "g", "tools": '{"tool":"wait","args":{"seconds":1}} ;'}]


class Talk:
    """A conversation with the agent."""

    def __init__(self, hass: HomeAssistant, user: User, agent: str) -> None:
        self.hass, self.user, self.agent = hass, user, agent

    async def __call__(self, text: str, language: str = "en") -> str:
        result = await async_converse(
            self.hass,
            text,
            "talk",
            Context(user_id=self.user.id),
            language=language,
            agent_id=self.agent,
        )
        return str(result.response.speech["plain"]["speech"])


@pytest.fixture
async def talk(hass: HomeAssistant, hass_admin_user: User) -> Talk:
    entry = MockConfigEntry(
        domain=DOMAIN,
        unique_id=KERNEL_UNIQUE_ID,
        title="HomeAgent",
        minor_version=2,
        data={CONF_KIND: KIND_KERNEL},
        subentries_data=[rule("all", **EVERYTHING)],
    )
    entry.add_to_hass(hass)
    await async_set_up(hass)
    for name, groups in (
        ("Evening check", PLAIN),
        ("Lights on", PLAIN),
        ("Lights off", FAILING),
        ("Light a room", ROOM),
        ("晚间检查", PLAIN),
    ):
        await async_make(hass, hass_admin_user, name, groups)
    agent = er.async_get(hass).async_get_entity_id(
        "conversation", DOMAIN, f"{entry.entry_id}_plain"
    )
    assert agent is not None
    return Talk(hass, hass_admin_user, agent)


def is_on(hass: HomeAssistant, name: str) -> bool:
    return hass.states.is_state(f"input_boolean.{name}", "on")


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Run evening check", "en", "Evening check is done."),
        ("please start the Evening Check.", "en", "Evening check is done."),
        ("evening chek", "en", "Evening check is done."),
        ("运行晚间检查", "zh-Hans", "晚间检查已完成。"),
        ("请执行一下“晚间检查”。", "zh-CN", "晚间检查已完成。"),
    ],
)
async def test_runs_by_name(
    hass: HomeAssistant, talk: Talk, text: str, language: str, said: str
) -> None:
    assert await talk(text, language) == said
    assert is_on(hass, "hall")


async def test_similar_is_not_run_but_asked_for(
    hass: HomeAssistant, talk: Talk
) -> None:
    """`lights` may be both; and a yes to two is none."""
    said = await talk("run lights")
    assert said.startswith("Did you mean “Lights on”, “Lights off”")
    assert "I know no sequence" in await talk("yes")
    assert not is_on(hass, "hall")


@pytest.mark.parametrize(
    "text",
    [
        "run evening check tomorrow",
        "Evening check off",
        "run evening check and lights off",
        "lights on not",
        "晚间检查怎么样了",
    ],
)
async def test_more_than_a_name_is_not_run_but_asked_for(
    hass: HomeAssistant, talk: Talk, text: str
) -> None:
    """What is not understood may be what matters most."""
    assert (await talk(text)).startswith(("Did you mean", "您是指"))
    assert not is_on(hass, "hall")
    await talk("yes")
    assert is_on(hass, "hall")


async def test_another_wish_in_the_place_of_an_input(
    hass: HomeAssistant, talk: Talk
) -> None:
    await talk("light a room")
    assert await talk("run evening check") == "Evening check is done."


async def test_asked_and_agreed(hass: HomeAssistant, talk: Talk) -> None:
    assert await talk("run evening") == "Did you mean “Evening check”?"
    assert not is_on(hass, "hall")
    assert await talk("yes") == "Evening check is done."
    assert is_on(hass, "hall")


async def test_asked_and_declined(hass: HomeAssistant, talk: Talk) -> None:
    await talk("run evening")
    assert await talk("no") == "All right, I run nothing."
    assert not is_on(hass, "hall")


async def test_asks_back_for_a_missing_input(hass: HomeAssistant, talk: Talk) -> None:
    """Until it fits: never a wrong run."""
    question = "room is one of kitchen, bedroom. Which one for Light a room?"
    assert await talk("run light a room") == question
    said = await talk("the garage")
    assert said.endswith(question)
    assert await talk("Bedroom.") == "Light a room is done."
    assert is_on(hass, "bedroom")
    assert not is_on(hass, "kitchen")


@pytest.mark.parametrize("word", ["cancel", "Stop."])
async def test_leaving_a_question(talk: Talk, word: str) -> None:
    await talk("run light a room")
    assert await talk(word) == "All right, I run nothing."


async def test_input_said_with_the_name(hass: HomeAssistant, talk: Talk) -> None:
    assert await talk("run light a room for kitchen") == "Light a room is done."
    assert is_on(hass, "kitchen")


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [
        ("en", "run level five percent", 5),
        ("en", "run level to minus three.", -3),
        ("en", "run level -3", -3),
        ("zh-Hans", "运行Level，零下三点五", -3.5),
    ],
)
async def test_number_said_with_the_name(
    hass: HomeAssistant, talk: Talk, language: str, said: str, number: float
) -> None:
    """In digits or words."""
    await async_make(hass, talk.user, "Level", LEVEL)
    await talk(said, language)
    ran = [each["args"] for each in hass.data[DATA_RUNTIME].history.runs()]
    assert ran == [{"level": number}]


async def test_no_number_is_asked_for_again(hass: HomeAssistant, talk: Talk) -> None:
    """What could mean several numbers is none."""
    await async_make(hass, talk.user, "Level", LEVEL)
    await talk("run level")
    assert "It should be a number." in await talk("half")
    assert not list(hass.data[DATA_RUNTIME].history.runs())
    await talk("twenty-one.")
    (run,) = hass.data[DATA_RUNTIME].history.runs()
    assert run["args"] == {"level": 21}


async def test_failure_is_told(talk: Talk) -> None:
    said = await talk("run lights off")
    assert said.startswith(("Lights off has failed", "I could not run Lights off"))


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("list sequences", "en", "I can run: Evening check, Lights on"),
        ("Which sequences are there?", "en", "I can run: Evening check"),
        ("what can you do?", "en", "Without a language model I list sequences"),
        ("有哪些序列？", "zh-Hans", "我可以运行：Evening check、"),
        ("你能做什么？", "zh-Hans", "没有语言模型时"),
        ("Play some music", "en", "I know no sequence like that."),
        ("run the moon landing", "en", "I know no sequence like that. I can run"),
        ("放点音乐", "zh-Hans", "我不知道这样的序列。"),
        ("", "en", "I did not hear anything."),
    ],
)
async def test_lists_and_says_what_it_cannot_do(
    talk: Talk, text: str, language: str, told: str
) -> None:
    assert told in await talk(text, language)


async def test_only_what_the_speaker_may_run(
    hass: HomeAssistant, talk: Talk, hass_read_only_user: User
) -> None:
    """Of all else nothing is told."""
    stranger = Talk(hass, hass_read_only_user, talk.agent)
    assert await stranger("list sequences") == (
        "There are no sequences that I may run for you. In the settings of the voice"
        " assistants, the button of a sequence can be exposed to Assist."
    )
    assert "Evening check" not in await stranger("run evening check")
    assert not is_on(hass, "hall")


NAMES = ["Morning", "Morning inspection", "Turn everything off", "关灯", "晚间检查"]


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ("morning", Match(name="Morning")),
        ("morning inspection", Match(name="Morning inspection")),
        ("mornin inspecton", Match(name="Morning inspection")),
        ("morning inspection for nas", Match(name="Morning inspection", rest="nas")),
        ("turn everything on", Match(near=("Turn everything off",))),
        ("开灯", Match()),
        ("晚间的检查", Match(name="晚间检查")),
        ("晚间检查 客厅", Match(name="晚间检查", rest="客厅")),
        ("morning please, thank you", Match(name="Morning")),
        ("晚间检查一下吧", Match(name="晚间检查")),
        ("", Match()),
        ("\u0000" * 500, Match()),
    ],
)
def test_names(said: str, match: Match) -> None:
    """What is only similar is never taken."""
    assert find_name(said, NAMES) == match


@pytest.mark.parametrize(
    ("text", "wish", "name"),
    [
        ("run it", Wish.RUN, "it"),
        ("Please run the sequence evening check now", Wish.RUN, "evening check"),
        ("运行晚间检查序列", Wish.RUN, "晚间检查"),
        ("evening check", Wish.RUN, "evening check"),
        ("help", Wish.HELP, ""),
        ("帮助", Wish.HELP, ""),
        ("show me all sequences", Wish.LIST, ""),
        ("列出所有序列", Wish.LIST, ""),
    ],
)
def test_wishes(text: str, wish: Wish, name: str) -> None:
    heard = hear(text)
    assert (heard.wish, heard.name) == (wish, name)

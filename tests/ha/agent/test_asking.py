"""Asking a person before a call, in the conversation (page 1 §1.6).

Only the person's very next words release a call, never anything that a model says.
"""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.conversation import AssistantContent, UserContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.homeagent.agent.yes_no import yes_or_no

from .agent_home import EVERYTHING, AgentHome, async_agent_home, rule
from .scripted_server import ScriptedServer, calls, words

SAFE = rule(
    "safe",
    who=["administrators", "signed_in"],
    through=["conversation"],
    tools=["test.b", "tool_call"],
    where=["everywhere"],
)
ASKED = rule(
    "asked",
    **{**EVERYTHING, "through": ["conversation"], "how": "ask"},
)
QUESTION = "Please say yes or no: shall I do this: A (n: 1)?"


@pytest.fixture
async def asking(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> AgentHome:
    """Return a home in which everything but tool b is asked for."""
    return await async_agent_home(hass, server, hass_admin_user.id, rules=[SAFE, ASKED])


async def test_yes_releases_the_call_and_the_model_goes_on(asking: AgentHome) -> None:
    asking.server.say(calls(("test__a", {"n": 1})), words("It is done."))
    result = await asking.say("Open up")
    assert result.response.speech["plain"]["speech"] == QUESTION
    assert result.continue_conversation
    assert asking.counted.begun == []
    assert await asking.hear("Yes, please.") == "It is done."
    assert asking.counted.ended == ["a1"]
    last = asking.server.requests[-1]["messages"]
    assert last[-1]["content"] == '{"did":"a1"}'
    assert last[-2]["tool_calls"][0]["function"]["name"] == "test__a"


async def test_no_declines(asking: AgentHome) -> None:
    """The model is not asked again."""
    asking.server.say(calls(("test__a", {"n": 1})))
    await asking.hear("Open up")
    assert await asking.hear("No") == "All right, I left it."
    assert asking.runtime.requests.pending() == ()
    assert asking.counted.begun == []


@pytest.mark.parametrize("between", ["What is the weather?", "yes and no", "yesterday"])
async def test_only_the_next_words_count(asking: AgentHome, between: str) -> None:
    """A yes that comes later, or in another conversation, releases nothing."""
    asking.server.say(
        calls(("test__a", {"n": 1})), words("Hm."), words("Yes what?"), words("Who?")
    )
    await asking.hear("Open up")
    assert await asking.hear("Yes", conversation_id="another") == "Hm."
    assert await asking.hear(between) == "Yes what?"
    assert await asking.hear("Yes") == "Who?"
    assert asking.counted.begun == []


async def test_a_model_that_repeats_our_question(asking: AgentHome) -> None:
    """A yes to the model's words is no yes to ours."""
    asking.server.say(calls(("test__a", {"n": 1})), words(QUESTION), words("What?"))
    await asking.hear("Open up")
    assert await asking.hear("Pardon?") == QUESTION
    assert await asking.hear("Yes") == "What?"
    assert asking.counted.begun == []


async def test_something_else_was_said_in_between(
    asking: AgentHome, hass: HomeAssistant
) -> None:
    """Such as by Home Assistant itself, which answers before an agent hears of it."""
    asking.server.say(calls(("test__a", {"n": 1})), words("What?"))
    await asking.hear("Open up")
    log = hass.data[DATA_CHAT_LOGS]["talk"]
    log.async_add_user_content(UserContent("What time is it?"))
    log.async_add_assistant_content_without_tools(
        AssistantContent(agent_id="conversation.home_assistant", content="It is noon.")
    )
    assert await asking.hear("Yes") == "What?"
    assert asking.counted.begun == []


async def test_yes_of_somebody_else(
    asking: AgentHome, hass_read_only_user: User
) -> None:
    """In the same conversation, such as a shared tablet's."""
    asking.server.say(calls(("test__a", {"n": 1})))
    await asking.hear("Open up")
    said = await asking.hear("Yes", context=Context(user_id=hass_read_only_user.id))
    assert said == "That request is no longer waiting, so I did nothing."
    assert asking.counted.begun == []


async def test_the_model_cannot_say_yes_itself(asking: AgentHome) -> None:
    """Neither with words nor by making the call again."""
    asking.server.say(calls(("test__a", {"n": 1})), words("Yes"))
    await asking.hear("Open up")
    asking.server.script.clear()
    asking.server.say(calls(("test__a", {"n": 1}), text="Yes."))
    assert await asking.hear("Never mind, tell me a joke") == QUESTION
    assert asking.counted.begun == []
    requests = asking.server.requests
    (waiting,) = asking.runtime.requests.pending()
    assert waiting.id not in str(requests)


async def test_asked_again_in_a_later_turn(asking: AgentHome) -> None:
    """The same call waits once, and the new question can be answered."""
    asking.server.say(calls(("test__a", {"n": 1})), calls(("test__a", {"n": 1})))
    await asking.hear("Open up")
    assert await asking.hear("I said open up") == QUESTION
    asking.server.say(words("Done."))
    assert await asking.hear("yes") == "Done."
    assert asking.counted.ended == ["a1"]


async def test_several_calls_are_asked_for_together(asking: AgentHome) -> None:
    """What needs no yes has run by then."""
    asking.server.say(
        calls(("test__a", {"n": 1}), ("test__b", {"n": 2}), ("test__c", {"n": 3}))
    )
    said = await asking.hear("Go")
    assert said == "Please say yes or no: shall I do all of this: A (n: 1), C (n: 3)?"
    assert asking.counted.ended == ["b2"]
    asking.server.say(words("All done."))
    assert await asking.hear("ok") == "All done."
    assert asking.counted.ended == ["b2", "a1", "c3"]


async def test_through_tool_call(asking: AgentHome) -> None:
    """The question names the tool that is meant."""
    inner = {"tool": "test.a", "arguments": {"n": 1}}
    asking.server.say(calls(("tool_call", inner)))
    assert await asking.hear("Go") == QUESTION
    asking.server.say(words("Done."))
    assert await asking.hear("yes") == "Done."
    assert asking.counted.ended == ["a1"]


async def test_in_chinese(asking: AgentHome) -> None:
    asking.server.say(calls(("test__a", {"n": 1})))
    result = await asking.say("打开", language="zh-Hans")
    said = result.response.speech["plain"]["speech"]
    assert said == "请说“是”或“否”：要我执行这项操作吗：A (n: 1)？"
    assert result.continue_conversation
    asking.server.say(words("好了。"))
    assert await asking.hear("好的", language="zh-Hans") == "好了。"
    assert asking.counted.ended == ["a1"]


async def test_a_yes_when_the_request_is_gone(asking: AgentHome) -> None:
    """It waits two minutes, or was answered elsewhere."""
    asking.server.say(calls(("test__a", {"n": 1})))
    await asking.hear("Open up")
    asking.runtime.requests.close()
    said = await asking.hear("Yes")
    assert said == "That request is no longer waiting, so I did nothing."


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("yes", True),
        ("Yes!", True),
        ("OK.", True),
        ("go ahead", True),
        ("好的。", True),
        ("确认", True),
        ("Yes, go ahead.", True),
        ("好的，执行吧", True),
        ("yes, no", None),
        ("没问题，但是别开灯", None),
        ("yes?", None),
        ("可以？", None),
        ("no, stop", False),
        ("no", False),
        ("Don't!", False),
        ("Don\u2019t do it", False),
        ("不要", False),
        ("算了", False),
        ("", None),
        ("yes but only the window", None),
        ("no idea", None),
        ("yes yes no", None),
        ("不好说", None),
        ("是什么", None),
    ],
)
def test_yes_or_no(text: str, means: Any) -> None:
    """The whole of the words must be a yes or a no."""
    assert yes_or_no(text) is means

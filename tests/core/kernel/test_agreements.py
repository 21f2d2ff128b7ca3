"""What a person agreed to, request by request, to the letter (page 1 §1.6)."""

from dataclasses import replace
from typing import override

import pytest

from custom_components.homeagent.kernel.agreements import (
    AgreementPolicy,
    agreed_call,
    is_agreed,
)
from custom_components.homeagent.kernel.answering import Answer
from custom_components.homeagent.kernel.contract import (
    Agreed,
    Arguments,
    Caller,
    Decision,
    Invocation,
    Tool,
    ToolCall,
    ToolOutput,
    Verdict,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.requests import MOST_OF_ONE, RequestEnd

from .asking import ANNA, SPOKEN, UNLOCK, Asking, asked, scenario
from .fakes import FakePolicy, Home

INNER = frozenset({agreed_call("unlock", {"n": 1})})
NEEDS_YES = ToolError(reason=Reason.UNCONFIRMED)


@pytest.mark.parametrize(
    ("agreed", "tool", "arguments", "allowed"),
    [
        (agreed_call("t", None), "t", {"n": 1}, True),
        (agreed_call("t", None), "t", None, True),
        (agreed_call("t", None), "u", {"n": 1}, False),
        (agreed_call("t", {"n": [1]}), "t", {"n": [1]}, True),
        (agreed_call("t", {"n": [1]}), "t", {"n": [2]}, False),
        (agreed_call("t", {"n": [{"a": 1, "b": 2}]}), "t", {"n": [{"b": 2, "a": 1}]},
         True),
        (agreed_call("t", {}), "t", {"n": 1}, False),
    ],
)  # fmt: skip
def test_agreement_is_for_one_form_of_one_call(
    agreed: Agreed, tool: str, arguments: Arguments | None, allowed: bool
) -> None:
    """Deep inside, too; only where nothing was fixed does everything pass."""
    assert agreed_call("t", None) == Agreed(tool="t", arguments=None)
    caller = replace(SPOKEN, agreed=frozenset({agreed}))
    assert is_agreed(caller, tool, arguments) is allowed


def test_inner_policy_judges_the_call_itself() -> None:
    """It gets caller, tool and arguments; a yes is for what it left of them."""
    questions: list[object] = []

    class Reducing(FakePolicy):
        @override
        def can_use(
            self, caller: Caller, tool: Tool, arguments: Arguments | None
        ) -> Decision:
            questions.append((caller, tool.definition.name, arguments))
            return Decision(verdict=Verdict.ASK, arguments={"n": 7})

        @override
        def sees_everything(self, caller: Caller) -> bool:
            questions.append(caller)
            return True

    policy = AgreementPolicy(Reducing())
    tool = Home().tool("t")
    verdicts = []
    for arguments in ({"n": 1}, {"n": 7}):
        caller = replace(SPOKEN, agreed=frozenset({agreed_call("t", arguments)}))
        verdicts.append(policy.can_use(caller, tool, {"n": 1}).verdict)
        assert questions.pop() == (caller, "t", {"n": 1})
    assert verdicts == [Verdict.ASK, Verdict.ALLOW]
    assert policy.sees_everything(SPOKEN)
    assert questions == [SPOKEN]


def test_request_is_for_the_tool_and_the_checked_arguments() -> None:
    """Under whatever name it was called; the caller brings no yes along."""

    async def call(home: Asking) -> None:
        home.registry.tools["alias"] = home.registry.tools["unlock"]
        earlier = replace(SPOKEN, agreed=frozenset({agreed_call("other", None)}))
        await home.call(earlier, replace(UNLOCK, tool="alias"))

    home, _ = scenario(call)
    (request,) = home.told.made
    assert request.caller == SPOKEN
    assert (request.call.tool, request.call.arguments) == ("unlock", {"n": 1})
    assert request.agreed == {agreed_call("other", None), *INNER}


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        (ToolOutput(error=NEEDS_YES, asks=INNER), True),
        (ToolOutput(error=NEEDS_YES), False),
        (ToolOutput(asks=INNER), False),
        (ToolOutput(error=ToolError(reason=Reason.FAILED), asks=INNER), False),
        (NEEDS_YES, False),
    ],
)
def test_tool_asks_by_error_and_calls(output: object, kept: bool) -> None:
    """Either alone keeps nothing; the request has the checked arguments."""

    async def call(home: Asking) -> None:
        async def work(invocation: Invocation) -> object:
            return output

        numbers: dict[str, object] = {"properties": {"n": {"type": "integer"}}}
        home.tool("whole", work=work, parameters=numbers)
        result = await home.call(call=ToolCall(tool="whole", arguments={"n": "1"}))
        error = output if isinstance(output, ToolError) else None
        if isinstance(output, ToolOutput):
            error = output.error
        assert result.error == error

    home, _ = scenario(call)
    assert [one.call.arguments for one in home.told.made] == [{"n": 1}] * kept


def test_two_tools_that_ask_for_the_same_wait_both() -> None:
    """One yes must not run the other."""

    async def call(home: Asking) -> None:
        async def work(invocation: Invocation) -> ToolOutput:
            return ToolOutput(error=NEEDS_YES, asks=INNER)

        for name in ("one", "two", "one"):
            home.tool(name, work=work)
            await home.call(call=ToolCall(tool=name))

    home, _ = scenario(call)
    assert [request.call.tool for request in home.told.made] == ["one", "two"]


def test_too_many() -> None:
    """The words of a call that cannot even wait."""

    async def flood(home: Asking) -> object:
        for number in range(MOST_OF_ONE):
            await home.call(call=replace(UNLOCK, arguments={"n": number}))
        result = await home.call(call=replace(UNLOCK, arguments={"n": 99}))
        assert result.error is not None
        return result.error.as_dict()

    assert scenario(flood)[1] == {
        "reason": "unconfirmed",
        "detail": "unlock runs only after a person agreed,"
        " and too many calls wait for that",
        "hint": "Wait until the person has answered, or two minutes, then try again.",
    }


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("heard", [True, False])
def test_answer_tells_what_was_answered_and_by_whom(yes: bool, heard: bool) -> None:
    """The request, its end, and who spoke."""
    by = SPOKEN if heard else ANNA

    async def answered(home: Asking) -> object:
        await home.call()
        take = home.answering.heard if heard else home.answering.answer
        return await take(asked(home), yes=yes, by=by)

    home, answer = scenario(answered)
    assert isinstance(answer, Answer)
    assert answer.end is (RequestEnd.RELEASED if yes else RequestEnd.DECLINED)
    assert (answer.request, home.told.answered_by) == (home.told.made[0], [by])


@pytest.mark.parametrize(
    ("by", "error"),
    [
        (
            SPOKEN,
            {
                "reason": "unauthorized",
                "detail": "requests are answered by a signed-in person"
                " who acts directly",
                "hint": "Ask the person; only their own yes can release the call.",
            },
        ),
        (
            ANNA,
            {
                "field": "request_id",
                "reason": "value",
                "detail": "no such request of yours waits for an answer",
                "hint": "A request waits two minutes and is answered once;"
                " make the call again.",
            },
        ),
    ],
)
def test_answers_that_are_turned_away(by: Caller, error: dict[str, object]) -> None:
    """To the letter: whoever is not a person, and what does not wait."""
    _, answer = scenario(lambda home: home.answering.answer("gone", yes=True, by=by))
    assert isinstance(answer, ToolError)
    assert answer.as_dict() == error


def test_request_that_is_gone_ends_once() -> None:
    """Whoever comes second gets nothing, and nothing is told."""

    async def twice(home: Asking) -> list[object]:
        await home.call()
        request = asked(home)
        return [
            home.requests.take(request, RequestEnd.DECLINED, None) for _ in range(2)
        ]

    home, taken = scenario(twice)
    assert taken == [home.told.made[0], None]
    assert len(home.told.ended) == 1


def test_request_ids_cannot_be_guessed() -> None:
    """Sixteen random bytes, and never the same."""

    async def calls(home: Asking) -> None:
        for number in range(3):
            await home.call(call=replace(UNLOCK, arguments={"n": number}))

    home, _ = scenario(calls)
    ids = {request.id for request in home.told.made}
    assert len(ids) == 3
    assert {len(one) for one in ids} == {22}

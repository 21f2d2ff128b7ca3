"""Calls that wait for a person's yes, and attempts to do without it (page 1 §1.6)."""

import asyncio
from collections.abc import Callable
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
    Arguments,
    Caller,
    Decision,
    Entrance,
    Invocation,
    Tool,
    ToolCall,
    ToolOutput,
    ToolResult,
    Verdict,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.requests import (
    MOST_OF_ONE,
    MOST_PENDING,
    MOST_WITHOUT_LOGIN,
    REQUEST_SECONDS,
    RequestEnd,
)

from .asking import ANNA, SPOKEN, UNLOCK, Asking, asked, asked_and, scenario
from .fakes import FakePolicy, Home

ASKED = (Entrance.DIRECT, Entrance.CONVERSATION, Entrance.MCP, Entrance.SENTENCE)


def test_yes_runs_the_call_once() -> None:
    """The result is the call's, with the checked arguments, by its own caller."""
    home, answer = scenario(lambda home: asked_and(home, ANNA))
    assert isinstance(answer, Answer)
    assert answer.result is not None
    assert answer.result.value == {"n": 1}
    assert home.records[-1].caller == replace(
        SPOKEN, agreed=frozenset({agreed_call("unlock", {"n": 1})})
    )
    assert home.told.ended == [("unlock", RequestEnd.RELEASED)]
    assert home.unlocked == 1


def test_no_runs_nothing() -> None:
    """A no ends the request."""
    home, answer = scenario(lambda home: asked_and(home, ANNA, yes=False))
    assert isinstance(answer, Answer)
    assert answer.result is None
    assert home.told.ended == [("unlock", RequestEnd.DECLINED)]
    assert home.unlocked == 0


def test_nothing_that_releases_stands_in_the_result() -> None:
    """A model that saw the id would confirm itself."""
    home, result = scenario(lambda home: home.call())
    assert result.error is not None
    assert result.error.reason is Reason.UNCONFIRMED
    assert home.told.made[0].id not in f"{result}{result.text}{home.records}"


@pytest.mark.parametrize(
    "by",
    [
        SPOKEN,
        replace(ANNA, entrance=Entrance.MCP),
        replace(ANNA, entrance=Entrance.SENTENCE),
        replace(ANNA, entrance=Entrance.AUTOMATION),
        replace(ANNA, entrance=Entrance.UNKNOWN),
        replace(ANNA, entrance=Entrance.SYSTEM),
        replace(ANNA, run=object()),
        replace(ANNA, user_id=None),
        replace(ANNA, user_id="ben"),
        replace(ANNA, agreed=frozenset({agreed_call("unlock", None)})),
    ],
)
def test_answers_that_do_not_count(by: Caller) -> None:
    """Only the person who acts directly releases; the request goes on waiting."""
    home, answer = scenario(lambda home: asked_and(home, by))
    assert isinstance(answer, ToolError)
    assert home.unlocked == 0
    assert len(home.requests.pending()) == 1


def test_foreign_and_made_up_requests_answer_alike() -> None:
    """Nobody learns which requests exist."""

    async def both(home: Asking) -> tuple[object, object]:
        await home.call()
        ben = replace(ANNA, user_id="ben")
        foreign = await home.answering.answer(asked(home), yes=True, by=ben)
        return foreign, await home.answering.answer("made up", yes=True, by=ben)

    _, (foreign, made_up) = scenario(both)
    assert foreign == made_up


def test_second_answer_finds_nothing() -> None:
    """Two answers at the same time run the call once."""

    async def twice(home: Asking) -> list[object]:
        await home.call()
        answers = home.answering.answer
        request = asked(home)
        return list(
            await asyncio.gather(
                answers(request, yes=True, by=ANNA), answers(request, yes=True, by=ANNA)
            )
        )

    home, answers = scenario(twice)
    assert [isinstance(one, Answer) for one in answers] == [True, False]
    assert home.unlocked == 1


@pytest.mark.parametrize(("seconds", "runs"), [(-1, 1), (1, 0)])
def test_request_waits_two_minutes(seconds: float, runs: int) -> None:
    """After that it is gone, and its end is told."""

    async def late(home: Asking) -> object:
        await home.call()
        request = asked(home)
        await asyncio.sleep(REQUEST_SECONDS + seconds)
        return await home.answering.answer(request, yes=True, by=ANNA)

    home, _ = scenario(late)
    assert home.unlocked == runs
    end = RequestEnd.RELEASED if runs else RequestEnd.EXPIRED
    assert home.told.ended == [("unlock", end)]


def test_same_call_waits_once_and_others_have_an_end() -> None:
    """Neither a repeated call nor a flood asks without end."""

    async def flood(home: Asking) -> list[ToolResult]:
        for number in (1, 1, *range(2, MOST_OF_ONE + 1)):
            await home.call(call=replace(UNLOCK, arguments={"n": number}))
        more = [await home.call(call=replace(UNLOCK, arguments={"n": 99}))]
        for number in range(MOST_PENDING):
            other = replace(SPOKEN, user_id=f"user {number}")
            more.append(await home.call(other))
        return more

    home, results = scenario(flood)
    assert len(home.told.made) == MOST_PENDING
    for result in (results[0], results[-1]):
        assert result.error is not None
        assert "too many" in result.error.detail


@pytest.mark.parametrize(
    ("one", "most"),
    [
        (lambda n: replace(SPOKEN, device_id=f"made up {n}"), MOST_OF_ONE),
        (lambda n: replace(SPOKEN, area_id=f"made up {n}"), MOST_OF_ONE),
        (lambda n: replace(SPOKEN, entrance=ASKED[n % 4]), MOST_OF_ONE),
        (lambda n: replace(SPOKEN, user_id=None, device_id="hall"), MOST_OF_ONE),
        (
            lambda n: replace(SPOKEN, user_id=None, device_id=f"made up {n}"),
            MOST_WITHOUT_LOGIN,
        ),
    ],
)
def test_nobody_takes_the_place_of_all(one: Callable[[int], Caller], most: int) -> None:
    """Whatever a client makes up about itself, others can still ask."""

    async def flood(home: Asking) -> ToolResult:
        for number in range(MOST_PENDING):
            await home.call(one(number), replace(UNLOCK, arguments={"n": number}))
        assert len(home.told.made) == most
        return await home.call(replace(SPOKEN, user_id="ben"))

    home, _ = scenario(flood)
    assert home.told.made[-1].caller.user_id == "ben"


@pytest.mark.parametrize(
    ("tool", "arguments", "allowed"),
    [
        ("unlock", {"n": 1, "m": 2}, True),
        ("unlock", {"m": 2, "n": 1}, True),
        ("unlock", {"n": 2, "m": 2}, False),
        ("unlock", {"n": 1}, False),
        ("unlock", {"n": True, "m": 2}, False),
        ("unlock", {"n": "1", "m": 2}, False),
        ("unlock", None, False),
        ("open", {"n": 1, "m": 2}, False),
    ],
)
def test_yes_is_for_one_call(
    tool: str, arguments: Arguments | None, allowed: bool
) -> None:
    """Another tool, or other arguments, are asked for anew."""
    caller = replace(
        SPOKEN, agreed=frozenset({agreed_call("unlock", {"n": 1, "m": 2})})
    )
    assert is_agreed(caller, tool, arguments) is allowed
    assert not is_agreed(SPOKEN, tool, arguments)


def test_yes_overrules_no_refusal() -> None:
    """What is refused by now stays refused: all gates are passed again."""

    async def changed(home: Asking) -> object:
        await home.call()
        home.policy.refused = frozenset({"unlock"})
        return await home.answering.answer(asked(home), yes=True, by=ANNA)

    home, answer = scenario(changed)
    assert isinstance(answer, Answer)
    assert answer.result is not None
    assert answer.result.error is not None
    assert answer.result.error.reason is Reason.UNAUTHORIZED
    assert home.unlocked == 0


def test_agreement_touches_ask_only() -> None:
    """The policy's other verdicts are its own."""
    inner = FakePolicy(refused=frozenset({"no"}), asked=frozenset({"ask"}), admin=False)
    policy = AgreementPolicy(inner)
    home = Home()
    caller = replace(
        SPOKEN, agreed=frozenset(agreed_call(name, {}) for name in ("no", "ask", "yes"))
    )
    verdicts = [
        policy.can_use(caller, home.tool(name), {}).verdict
        for name in ("no", "ask", "yes")
    ]
    assert verdicts == [Verdict.REFUSE, Verdict.ALLOW, Verdict.ALLOW]
    assert not policy.sees_everything(caller)


def test_reduction_survives_the_yes() -> None:
    """What was left out stays left out, with its warning."""

    class Reducing(FakePolicy):
        """Leaves something out."""

        @override
        def can_use(
            self, caller: Caller, tool: Tool, arguments: Arguments | None
        ) -> Decision:
            """Ask, and leave something out."""
            return Decision(
                verdict=Verdict.ASK, arguments={"n": 7}, warnings=("one left out",)
            )

    async def reduced(home: Asking) -> object:
        home.door.policy = AgreementPolicy(Reducing())
        return await asked_and(home, ANNA)

    _, answer = scenario(reduced)
    assert isinstance(answer, Answer)
    assert answer.result is not None
    assert (answer.result.value, answer.result.warnings) == (
        {"n": 7},
        ("one left out",),
    )


@pytest.mark.parametrize(
    ("by", "counts"),
    [
        (SPOKEN, True),
        (replace(SPOKEN, user_id="ben"), False),
        (replace(SPOKEN, device_id="kitchen"), False),
        (replace(SPOKEN, run=object()), False),
        (replace(SPOKEN, entrance=Entrance.MCP), False),
        (ANNA, False),
    ],
)
def test_next_words_count_from_the_same_speaker(by: Caller, counts: bool) -> None:
    """The agent that heard them speaks for nobody else."""

    async def heard(home: Asking) -> object:
        await home.call()
        return await home.answering.heard(asked(home), yes=True, by=by)

    home, _ = scenario(heard)
    assert home.unlocked == int(counts)


def test_mcp_call_cannot_be_heard() -> None:
    """A request of another client waits for a person who acts directly."""

    async def heard(home: Asking) -> object:
        mcp = replace(SPOKEN, entrance=Entrance.MCP)
        await home.call(mcp)
        return await home.answering.heard(asked(home), yes=True, by=mcp)

    home, _ = scenario(heard)
    assert home.unlocked == 0


@pytest.mark.parametrize(
    "caller",
    [
        Caller(entrance=Entrance.AUTOMATION),
        Caller(entrance=Entrance.SYSTEM),
        replace(SPOKEN, run=object()),
    ],
)
def test_who_is_not_asked_for(caller: Caller) -> None:
    """Automations are not asked; a run is asked for as a whole."""
    home, result = scenario(lambda home: home.call(caller))
    assert result.error is not None
    assert home.requests.pending() == ()


def test_tool_asks_for_its_inner_calls() -> None:
    """One yes for the whole call lets exactly the told inner calls pass."""
    asks = frozenset({agreed_call("unlock", {"n": 1})})
    inner: list[ToolResult] = []

    async def whole(home: Asking) -> object:
        async def work(invocation: Invocation) -> object:
            if not invocation.caller.agreed:
                error = ToolError(reason=Reason.UNCONFIRMED)
                return ToolOutput(error=error, asks=asks)
            inside = replace(invocation.caller, run=object())
            for number in (1, 2):
                call = replace(UNLOCK, arguments={"n": number})
                inner.append(await home.call(inside, call))
            return "done"

        home.tool("whole", work=work)
        await home.call(call=ToolCall(tool="whole"))
        return await home.answering.answer(asked(home), yes=True, by=ANNA)

    home, answer = scenario(whole)
    assert isinstance(answer, Answer)
    assert [one.success for one in inner] == [True, False]
    assert home.unlocked == 1
    assert home.requests.pending() == ()


def test_tool_that_asks_may_need_a_yes_itself() -> None:
    """The second yes does not undo the first."""
    asks = frozenset({agreed_call("inner", None)})

    async def twice(home: Asking) -> list[object]:
        async def work(invocation: Invocation) -> object:
            if not asks <= invocation.caller.agreed:
                return ToolOutput(error=ToolError(reason=Reason.UNCONFIRMED), asks=asks)
            return "done"

        home.tool("unlock", work=work)
        await home.call()
        return [
            await home.answering.answer(asked(home), yes=True, by=ANNA)
            for _ in range(2)
        ]

    home, answers = scenario(twice)
    results = [one.result for one in answers if isinstance(one, Answer)]
    assert [one is not None and one.success for one in results] == [False, True]
    assert home.requests.pending() == ()


def test_close_ends_what_waits() -> None:
    """No timer is left behind."""

    async def closed(home: Asking) -> object:
        await home.call()
        home.requests.close()
        return None

    home, _ = scenario(closed)
    assert home.told.ended == [("unlock", RequestEnd.EXPIRED)]


def test_answerable_tells_people_only() -> None:
    """The panel shows what the person may answer."""

    async def shown(home: Asking) -> list[int]:
        await home.call()
        ben = replace(ANNA, user_id="ben")
        return [len(home.answering.answerable(by)) for by in (ANNA, ben, SPOKEN)]

    _, numbers = scenario(shown)
    assert numbers == [1, 0, 0]

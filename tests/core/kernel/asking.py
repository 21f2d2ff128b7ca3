"""A home whose door asks a person first, for tests of requests and their answers."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import override

from custom_components.homeagent.kernel.agreements import AgreementPolicy
from custom_components.homeagent.kernel.answering import Answering
from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import (
    Caller,
    Entrance,
    ToolCall,
    ToolResult,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.requests import Request, RequestEnd, Requests

from ..virtual_time import run_virtual
from .fakes import FakePolicy, Home

SPOKEN = Caller(entrance=Entrance.CONVERSATION, user_id="anna")
ANNA = Caller(entrance=Entrance.DIRECT, user_id="anna")
NUMBER: dict[str, object] = {"type": "object", "properties": {"n": {"type": "integer"}}}
UNLOCK = ToolCall(tool="unlock", arguments={"n": "1"}, id="call_1")


@dataclass
class Told:
    """A journal of requests."""

    made: list[Request] = field(default_factory=list)
    ended: list[tuple[str, RequestEnd]] = field(default_factory=list)
    answered_by: list[Caller | None] = field(default_factory=list)

    def request_made(self, request: Request) -> None:
        """Note it."""
        self.made.append(request)

    def request_ended(
        self, request: Request, end: RequestEnd, by: Caller | None
    ) -> None:
        """Note it."""
        self.ended.append((request.call.tool, end))
        self.answered_by.append(by)


@dataclass
class Asking(Home):
    """A home whose door keeps requests; `unlock` needs a yes."""

    told: Told = field(default_factory=Told)

    @override
    def __post_init__(self) -> None:
        """Put requests and answers in their place."""
        self.policy = FakePolicy(asked=frozenset({"unlock"}))
        self.requests = Requests(self.told)
        self.door = Door(
            registry=self.registry,
            policy=AgreementPolicy(self.policy),
            hooks=self.hooks,
            requests=self.requests,
        )
        self.answering = Answering(
            requests=self.requests,
            open_batch=self.open,
            may_answer=self.may_answer,
        )
        self.tool("unlock", parameters=NUMBER)

    def may_answer(self, by: Caller, request: Request) -> bool:
        """Let Anna answer, and everybody a request of their own."""
        return by.user_id in ("anna", request.caller.user_id)

    def open(self, caller: Caller, calls: Sequence[ToolCall]) -> Batch:
        """Open a batch."""
        return self.batch(*calls, caller=caller)

    async def call(
        self, caller: Caller = SPOKEN, call: ToolCall = UNLOCK
    ) -> ToolResult:
        """Make one call."""
        return (await self.open(caller, [call]).run()).results[0]

    @property
    def unlocked(self) -> int:
        """How often the tool itself ran."""
        return sum(entry.startswith("start unlock") for entry in self.log)


def asked(home: Asking) -> str:
    """Return the id of the one request."""
    (request,) = home.requests.pending()
    return request.id


def scenario[T](work: Callable[[Asking], Awaitable[T]]) -> tuple[Asking, T]:
    """Let something happen in a home; return both."""
    home = Asking()

    async def run() -> T:
        return await work(home)

    return home, run_virtual(run())


async def asked_and(home: Asking, by: Caller, *, yes: bool = True) -> object:
    """Make the call, and answer its request."""
    await home.call()
    return await home.answering.answer(asked(home), yes=yes, by=by)

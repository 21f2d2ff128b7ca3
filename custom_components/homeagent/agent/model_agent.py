"""The agent with a model: from what a person says to a turn, and into the chat log.

Above `turn`; puts together what one agent works with. What belongs to the turn and not
to a call is resolved here, once: the caller, the tools, the prompt.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache, partial
import logging
from typing import Any, cast

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationInput,
    ConverseError,
    SystemContent,
    UserContent,
)
from homeassistant.core import HomeAssistant

from ..const import DOMAIN
from ..kernel.contract import Caller
from ..tools.narrowing import simple
from ..tools.offered_tools import OfferedTool
from ..tools.offering import Offering
from .asking import Questions, Reaction
from .calls import DroppedWarnings
from .chat_history import last_said, read_log
from .describing import Names
from .messages import Asked, Instructions, Message
from .pictures import read_files
from .ports import RunBatch
from .reports import ServerReports
from .server import ModelServer
from .settings import Settings
from .standing import Standing, stand
from .turn import PATIENCE, Turn
from .words import say

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPorts:
    """What all agents have in common.

    `caller_of` returns who is behind a person's words, once for the turn. `hint_of` gives a tool's own advice for arguments that were cut off.
    """

    hass: HomeAssistant
    run: RunBatch
    offering: Offering
    questions: Questions
    names: Names
    caller_of: Callable[[ConversationInput], Caller]
    hint_of: Callable[[str], str]
    dropped: DroppedWarnings
    patience: float = PATIENCE


@dataclass(slots=True, kw_only=True)
class ModelAgent:
    """One model with its settings."""

    ports: AgentPorts
    settings: Settings
    server: ModelServer
    reports: ServerReports
    told: set[tuple[str, ...]] = field(default_factory=set)

    async def respond(
        self, asked: ConversationInput, log: ChatLog, entity_id: str
    ) -> None:
        """Answer what a person said; the answer is in the log then."""
        caller = self.ports.caller_of(asked)
        reaction = await self.ports.questions.hear(
            log.conversation_id, asked.text, caller, last_said(log.content)
        )
        words = _without_model(reaction, asked)
        if words is None:
            words = await self._prepare(asked, log)
        if words is not None:
            log.async_add_assistant_content_without_tools(
                AssistantContent(agent_id=entity_id, content=words)
            )
            return
        turn = await self._turn(asked, log, caller, reaction)
        async with aclosing(turn.deltas()) as deltas:
            stream = cast(AsyncGenerator[Any], deltas)
            async for _ in log.async_add_delta_content_stream(entity_id, stream):
                pass

    async def _prepare(self, asked: ConversationInput, log: ChatLog) -> str | None:
        """Have the instructions rendered into the log; return words if they cannot be."""
        try:
            await log.async_provide_llm_data(
                asked.as_llm_context(DOMAIN),
                None,
                self.settings.prompt or None,
                asked.extra_system_prompt,
            )
        except ConverseError:
            return say("no_prompt", asked.language)
        return None

    async def _turn(
        self,
        asked: ConversationInput,
        log: ChatLog,
        caller: Caller,
        reaction: Reaction | None,
    ) -> Turn:
        ports, settings = self.ports, self.settings
        await ports.offering.async_prepare()
        own = log.content[0]
        own_text = own.content if isinstance(own, SystemContent) else ""
        standing = self._stand(caller, own_text, asked.language)
        return Turn(
            server=self.server,
            run=ports.run,
            caller=caller,
            conversation_id=log.conversation_id,
            language=asked.language,
            offered=standing.offered,
            messages=[
                Instructions(text=standing.text),
                *await self._history(log, asked.language),
            ],
            questions=ports.questions,
            names=ports.names,
            context=settings.context,
            tool_choice=settings.tool_choice,
            sees=settings.vision,
            patience=ports.patience,
            once=settings.simple,
            hint_of=ports.hint_of,
            dropped=self._warn,
            troubled=self.reports.tell,
            released=() if reaction is None else reaction.answers,
        )

    def _stand(self, caller: Caller, own: str, language: str) -> Standing:
        """Choose tools and instructions; what does not fit is told in the log, once."""
        offering, settings = self.ports.offering, self.settings
        offered = offering.tools_for(caller)
        if settings.simple:
            ids = cache(partial(offering.ids_for, caller))
            offered = [simple(each, ids) for each in offered]

        def instruct(shown: Sequence[OfferedTool], characters: int) -> str:
            rules = offering.prompt_for(
                caller, language, offered=shown, characters=characters
            )
            # Own words hold the time. What stays the same comes first, as many servers
            # read such a beginning only once.
            return f"{rules}\n{own}"

        standing = stand(offered, instruct, settings.context)
        if standing.left_out and standing.left_out not in self.told:
            self.told.add(standing.left_out)
            _LOGGER.warning(
                "With a context of %s tokens, %s is not shown these tools and has to "
                "find them by tool_search: %s",
                settings.context,
                settings.model,
                ", ".join(standing.left_out),
            )
        return standing

    async def _history(self, log: ChatLog, language: str) -> list[Message]:
        """Return the history; files of the words just said are in it."""
        last = log.content[-1]
        if not isinstance(last, UserContent) or not last.attachments:
            return read_log(log.content, language)
        shown = replace(last, attachments=None)
        messages = read_log([*log.content[:-1], shown], language)
        seen = await self.ports.hass.async_add_executor_job(
            lambda: read_files(
                last.attachments or (), sees=self.settings.vision, language=language
            )
        )
        said = messages[-1] if messages else None
        text = said.text if isinstance(said, Asked) else last.content
        asked = Asked(
            text="\n".join(filter(None, [text, *seen.notes])), pictures=seen.pictures
        )
        return [*messages[:-1], asked]

    def _warn(self, tool: str) -> None:
        self.ports.dropped.warn(self.settings.server_name, self.settings.model, tool)


def _without_model(reaction: Reaction | None, asked: ConversationInput) -> str | None:
    """Return what is said where the model need not be asked."""
    if reaction is not None and not reaction.answers:
        return say("expired", asked.language)
    if reaction is not None and not reaction.yes:
        return say("declined", asked.language)
    if not asked.text.strip():
        return say("nothing_heard", asked.language)
    return None

"""One turn of the conversation: rounds of asking the model and running its calls.

Above all parts of the agent but `model_agent`, which makes it. Gives Home Assistant's
chat log deltas as they come; calls are marked external and run here, all of
a reply by the batch rule (page 1 §1.3). Whatever a server does, the turn ends with words.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
import logging
from typing import Any

from ..kernel.answering import Answer
from ..kernel.arguments import CUT_OFF
from ..kernel.contract import Caller, ToolCall, ToolResult
from ..kernel.ids import unique_ids
from ..kernel.json_text import encode_json
from ..kernel.json_values import to_json_value
from ..tools.action_names import llm_name
from ..tools.offered_tools import OfferedTool, function_tools
from .asking import Questions
from .calls import MOST_CALLS, ReplyCall, not_run, read_calls, with_remark
from .chat_history import result_data
from .describing import Names
from .ending import closing_words, done_words, stopped_words, trouble_words
from .messages import Answered, Made, Message, Picture, Said, Shown
from .pictures import of_result, without_pictures
from .ports import RunBatch
from .reply import Piece, ReplyReader, Words
from .running import as_input, begin, end, said
from .server import ModelRequest, ModelServer
from .trimming import fit, size_of
from .troubles import Kind, ServerTrouble
from .words import say

_LOGGER = logging.getLogger(__name__)

type Delta = dict[str, Any]

MAX_ROUNDS = 10
"""Requests to the model in one turn."""

PATIENCE = 1.0
"""Seconds that a batch may take before something is said to pass the time."""

_SMALLEST_CONTEXT = 1024


@dataclass(slots=True, kw_only=True)
class Turn:
    """What a turn works with; `messages` begin with the instructions.

    `context` is what the model can read, in tokens. `dropped` is told of tools whose
    arguments look dropped, `troubled` of troubles with the server, and that there are
    none. `released` are calls that the person's words have just released. `once` ends
    the turn where the model repeats the calls of its last reply: some small models know
    no end.
    """

    server: ModelServer
    run: RunBatch
    caller: Caller
    conversation_id: str
    language: str
    offered: Sequence[OfferedTool]
    messages: list[Message]
    questions: Questions
    names: Names
    context: int
    tool_choice: str = "auto"
    sees: bool = False
    patience: float = PATIENCE
    once: bool = False
    hint_of: Callable[[str], str] = lambda tool: ""
    dropped: Callable[[str], None] = lambda tool: None
    troubled: Callable[[ServerTrouble | None], None] = lambda trouble: None
    released: Sequence[Answer] = ()
    done: list[tuple[ToolCall, ToolResult]] = field(default_factory=list)
    _said: bool = False
    _sent: int = 0

    async def deltas(self) -> AsyncGenerator[Delta]:
        """Give the deltas of the whole turn; nothing but a cancellation ends it early."""
        try:
            async with aclosing(self._rounds()) as deltas:
                async for delta in deltas:
                    yield delta
        except Exception:
            # The last line of defense: a bug here must not leave the person in silence.
            _LOGGER.exception("A turn of the conversation failed")
            yield {"role": "assistant", "content": say("internal", self.language)}

    async def _rounds(self) -> AsyncGenerator[Delta]:
        for delta in self._tell_released():
            yield delta
        by_function = {each.function: each for each in self.offered}
        last: object = None
        for number in range(MAX_ROUNDS):
            reader = ReplyReader()
            yield {"role": "assistant"}
            trouble: ServerTrouble | None = None
            request = self._request(first=number == 0)
            try:
                async with aclosing(self.server.reply(request, reader)) as pieces:
                    async for piece in pieces:
                        yield self._delta(piece)
            except ServerTrouble as error:
                trouble = error
            self.troubled(trouble)
            for piece in reader.close():
                yield self._delta(piece)
            calls = read_calls(
                reader.calls(),
                by_function,
                finish_reason=reader.finish_reason,
                cut_off=trouble is not None or reader.cut_off,
                used_ids=self._used_ids(),
                hint_of=self.hint_of,
            )
            wanted = [(each.call.tool, each.call.arguments) for each in calls]
            endless = trouble is not None and trouble.kind is Kind.TOO_MUCH
            if endless or (self.once and wanted == last):
                calls = []
            last = wanted
            if not calls:
                if trouble is not None and self._mend(trouble, reader):
                    continue
                yield {"content": self._closing(reader, trouble)}
                return
            async with aclosing(self._run(calls, reader)) as deltas:
                async for delta in deltas:
                    yield delta
            if question := self._question():
                yield {"role": "assistant", "content": question}
                return
        stopped = stopped_words(MAX_ROUNDS, self.done, self.names, self.language)
        yield {"role": "assistant", "content": stopped}

    def _request(self, *, first: bool) -> ModelRequest:
        offered = () if self.tool_choice == "none" else self.offered
        tools = function_tools(offered)
        messages = fit(self.messages, tools, self.context)
        self._sent = size_of(messages, tools)
        return ModelRequest(
            messages=messages,
            tools=tools,
            # Demanded in every round, calls would never end.
            tool_choice=self.tool_choice if first else "auto",
        )

    def _delta(self, piece: Piece) -> Delta:
        if isinstance(piece, Words):
            self._said = self._said or bool(piece.text.strip())
            return {"content": piece.text}
        return {"thinking_content": piece.text}

    def _mend(self, trouble: ServerTrouble, reader: ReplyReader) -> bool:
        """Make the next request one that the server may take, if there is a way."""
        if reader.anything:
            return False
        if trouble.kind is Kind.TOO_LONG and self.context > _SMALLEST_CONTEXT:
            # What was sent may be far less than what was thought to fit.
            self.context = min(self.context, self._sent) // 2
            return True
        if trouble.kind is Kind.NO_PICTURES and self.sees:
            self.sees = False
            self.messages = without_pictures(self.messages, self.language)
            return True
        return False

    def _closing(self, reader: ReplyReader, trouble: ServerTrouble | None) -> str:
        """Return what is still to be said where the model says no more."""
        text = reader.text.strip()
        if trouble is not None:
            told = done_words(self.done, self.names, self.language)
            words = trouble_words(trouble, self.language)
            words = f"{words}\n{told}" if told else words
        elif not text:
            words = closing_words(
                self.done, self.names, self.language, reader.finish_reason
            )
        elif reader.finish_reason in CUT_OFF:
            words = say("cut_off", self.language)
        else:
            return ""
        return f"\n{words}" if text else words

    def _used_ids(self) -> list[str]:
        return [
            call.id
            for message in self.messages
            if isinstance(message, Said)
            for call in message.calls
        ]

    async def _run(
        self, calls: list[ReplyCall], reader: ReplyReader
    ) -> AsyncGenerator[Delta]:
        """Run the calls of one reply as one batch; tell calls and results in order."""
        for call in calls:
            if call.dropped:
                self.dropped(call.call.tool)
        running = [call.call for call in calls[:MOST_CALLS]]
        task = begin(self.run, self.caller, running)
        try:
            if not self._said:
                await asyncio.wait({task}, timeout=self.patience)
                if not task.done():
                    self._said = True
                    yield {"content": say("one_moment", self.language)}
            yield {"tool_calls": [as_input(call.made) for call in calls]}
            await asyncio.wait({task})
        finally:
            await end(task)
        results = [
            *map(with_remark, calls[:MOST_CALLS], task.result().results, strict=True),
            *map(not_run, calls[MOST_CALLS:]),
        ]
        self.done += zip((call.call for call in calls), results, strict=True)
        self.messages.append(said(calls, reader))
        for delta in self._answers([call.made for call in calls], results):
            yield delta

    def _answers(
        self, made: Sequence[Made], results: Sequence[ToolResult]
    ) -> list[Delta]:
        """Note the results for the model, and return them for the log."""
        deltas: list[Delta] = []
        pictures: list[Picture] = []
        for call, result in zip(made, results, strict=True):
            seen = of_result(result, sees=self.sees, language=self.language)
            pictures += seen.pictures
            text = "\n".join(filter(None, [result.text, *seen.notes]))
            self.messages.append(
                Answered(
                    call_id=call.id,
                    function=call.function,
                    text=text,
                    failed=not result.success,
                )
            )
            deltas.append(
                {
                    "role": "tool_result",
                    "tool_call_id": call.id,
                    "tool_name": call.function,
                    "result": result_data(result, text),
                }
            )
        if pictures:
            self.messages.append(Shown(pictures=tuple(pictures)))
        return deltas

    def _question(self) -> str:
        """Return the question for calls that wait for a yes, "" if none does."""
        results = [result for _, result in self.done]
        raised = self.questions.raised(self.conversation_id, self.caller, results)
        if not raised:
            return ""
        return self.questions.ask(
            self.conversation_id, raised, self.names, self.language
        )

    def _tell_released(self) -> list[Delta]:
        """Tell the calls that a yes released as calls of this turn."""
        answers = [each for each in self.released if each.result is not None]
        if not answers:
            return []
        functions = {each.tool: each.function for each in self.offered}
        made: list[Made] = []
        results: list[ToolResult] = []
        used = self._used_ids()
        ids = unique_ids([*used, *("released" for _ in answers)])[len(used) :]
        for call_id, answer in zip(ids, answers, strict=True):
            assert answer.result is not None
            call = answer.request.call
            arguments = to_json_value(call.arguments)
            made.append(
                Made(
                    id=call_id,
                    function=functions.get(call.tool) or llm_name(call.tool),
                    arguments=encode_json(arguments),
                )
            )
            results.append(replace(answer.result, call_id=made[-1].id))
            self.done.append((call, results[-1]))
        self.messages.append(Said(calls=tuple(made)))
        calls = [as_input(each) for each in made]
        first: Delta = {"role": "assistant", "tool_calls": calls}
        return [first, *self._answers(made, results)]

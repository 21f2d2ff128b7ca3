"""The agent without a model: lists and runs sequences by name, and asks for inputs.

Above `by_name`; runs everything through the kernel's door, by the rights of the speaker.
What it cannot do, it says.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ..kernel.contract import Caller, ToolCall, ToolResult
from ..kernel.records import record
from ..sequence.model import Parameter, Sequence
from ..sequence.report import RunReport
from ..sequence.sentence_slots import NotUnderstood, read_slots, shown
from ..sequence.signature import missing_inputs, run_inputs
from ..sequence.spoken import Speech
from .asking import Questions
from .by_name import Wish, find_name, hear
from .describing import Names
from .ending import done_words
from .ports import RunBatch
from .words import listed, say
from .yes_no import yes_or_no

STARTED_AFTER: Final = 10.0
"""Seconds after which the answer is that a sequence has started."""

_MOST_LISTED: Final = 20
_MOST_DIALOGUES: Final = 64
_LEAVE: Final = frozenset(
    "cancel|stop|never mind|forget it|取消|算了|算了吧|不要了|不用了|停".split("|")
)


@record
class Dialogue:
    """What was asked last: which of some sequences, or the value of an input."""

    names: tuple[str, ...] = ()
    sequence: str = ""
    key: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class PlainAgent:
    """Answers; `sequences` are those that a caller may run."""

    run: RunBatch
    sequences: Callable[[Caller], list[Sequence]]
    questions: Questions
    names: Names
    _open: OrderedDict[str, Dialogue] = field(default_factory=OrderedDict)

    async def answer(
        self,
        conversation_id: str,
        text: str,
        caller: Caller,
        *,
        language: str,
        last_said: str,
    ) -> str:
        """Return what is said to a person's words, after what was said last."""
        told = _Told(self, conversation_id, caller, language)
        reaction = await self.questions.hear(conversation_id, text, caller, last_said)
        if reaction is not None:
            if not reaction.answers:
                return say("expired", language)
            if not reaction.yes:
                return say("declined", language)
            return " ".join(
                told.outcome(answer.request.call, answer.result)
                for answer in reaction.answers
                if answer.result is not None
            )
        if not text.strip():
            return say("nothing_heard", language)
        open_now = self._open.pop(conversation_id, None)
        if open_now is not None:
            said = await told.continued(open_now, text)
            if said is not None:
                return said
        return await told.begun(text)

    def remember(self, conversation_id: str, dialogue: Dialogue) -> None:
        """Keep what was asked, for the next words."""
        self._open[conversation_id] = dialogue
        if len(self._open) > _MOST_DIALOGUES:
            self._open.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Told:
    """One answer in the making."""

    agent: PlainAgent
    conversation_id: str
    caller: Caller
    language: str

    async def begun(self, text: str) -> str:
        """Answer words that begin something."""
        heard = hear(text)
        known = {each.name: each for each in self.agent.sequences(self.caller)}
        if heard.wish is Wish.HELP:
            return f"{self._say('can_do')} {self._list(list(known))}"
        if heard.wish is Wish.LIST:
            return self._list(list(known))
        match = find_name(heard.name, known)
        if match.name is not None:
            return await self._with_rest(known[match.name], match.rest)
        if match.near:
            self._remember(Dialogue(names=match.near))
            return self._say("did_you_mean", names=self._or(match.near))
        if not known:
            return self._say("no_sequences")
        last = self._list(list(known)) if heard.plainly else self._say("can_do")
        return f"{self._say('not_known')} {last}"

    async def continued(self, dialogue: Dialogue, text: str) -> str | None:
        """Answer words that answer a question; None where they begin something new."""
        if text.strip(" .!。！").casefold() in _LEAVE:  # noqa: RUF001
            return self._say("left")
        known = {each.name: each for each in self.agent.sequences(self.caller)}
        if not dialogue.names:
            sequence = known.get(dialogue.sequence)
            if sequence is None:
                return self._say("not_known")
            return await self._take(sequence, dialogue, text)
        names = [name for name in dialogue.names if name in known]
        match yes_or_no(text):
            case True if len(names) == 1:
                return await self._go_on(known[names[0]], {})
            case False:
                return self._say("left")
            case _:
                return None

    async def _take(self, sequence: Sequence, dialogue: Dialogue, text: str) -> str:
        inputs = run_inputs(sequence)
        heard = {dialogue.key: text}
        # The words of numbers are looked up in files.
        read = await asyncio.to_thread(read_slots, inputs, heard, self.language)
        if isinstance(read, NotUnderstood):
            if hear(text).plainly:
                return await self.begun(text)
            self._remember(dialogue)
            said = Speech(self.language).not_understood(read)
            return f"{said} {self._ask_for(sequence, dialogue.key, inputs)}"
        return await self._go_on(sequence, {**dialogue.values, **read})

    async def _with_rest(self, sequence: Sequence, rest: str) -> str:
        """Run a sequence; what was said after its name is the one input it lacks.

        Where it lacks none, more was said than is understood: such as `tomorrow`.
        """
        missing = missing_inputs(sequence)
        if rest and not missing:
            self._remember(Dialogue(names=(sequence.name,)))
            return self._say("did_you_mean", names=self._or((sequence.name,)))
        if not rest or len(missing) > 1:
            return await self._go_on(sequence, {})
        dialogue = Dialogue(sequence=sequence.name, key=missing[0])
        return await self._take(sequence, dialogue, rest)

    async def _go_on(self, sequence: Sequence, values: Mapping[str, object]) -> str:
        """Ask for the next input that is missing, or run."""
        for key in missing_inputs(sequence):
            if key not in values:
                self._remember(Dialogue(sequence=sequence.name, key=key, values=values))
                return self._ask_for(sequence, key, run_inputs(sequence))
        call = ToolCall(
            tool="seq_run",
            arguments={"name": sequence.name, "args": dict(values)},
            # The tool answers a little before its time is up.
            timeout=STARTED_AFTER / 0.9,
        )
        (result,) = (await self.agent.run(self.caller, [call])).results
        return self.outcome(call, result)

    def _ask_for(
        self, sequence: Sequence, key: str, inputs: Mapping[str, Parameter]
    ) -> str:
        parameter = inputs[key]
        name = parameter.description or key
        if parameter.enum is None:
            return self._say("which_value", name=name, sequence=sequence.name)
        choices = listed([shown(value) for value in parameter.enum], self.language)
        return self._say("which_of", name=name, sequence=sequence.name, choices=choices)

    def outcome(self, call: ToolCall, result: ToolResult) -> str:
        """Return what is said of a call that was made, or the question before it."""
        agent = self.agent
        raised = agent.questions.raised(self.conversation_id, self.caller, [result])
        if raised:
            return agent.questions.ask(
                self.conversation_id, raised, agent.names, self.language
            )
        name = (
            str(call.arguments.get("name"))
            if isinstance(call.arguments, Mapping)
            else ""
        )
        if call.tool != "seq_run" or not name:
            return done_words([(call, result)], agent.names, self.language)
        speech = Speech(self.language)
        if isinstance(result.nested, RunReport):
            return speech.report(name, result.nested)
        if result.error is not None:
            return speech.refusal(name, result.error.reason)
        return speech.say("started", name=name)

    def _list(self, names: list[str]) -> str:
        if not names:
            return self._say("no_sequences")
        shown_now = listed(names[:_MOST_LISTED], self.language)
        more = len(names) - _MOST_LISTED
        if more > 0:
            return self._say("more_sequences", names=shown_now, count=more)
        return self._say("sequences", names=shown_now)

    def _or(self, names: tuple[str, ...]) -> str:
        return listed([f"“{name}”" for name in names], self.language)

    def _remember(self, dialogue: Dialogue) -> None:
        self.agent.remember(self.conversation_id, dialogue)

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

"""The sentences in use, and what is answered to somebody who says one.

Between the book of sentences and the kernel's door; knows nothing of how Home Assistant
recognizes speech.
"""

import asyncio
from collections.abc import Callable, Coroutine
import logging
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..editing.issue_text import sentence_lines
from ..kernel.contract import Caller, ToolCall, ToolResult
from ..sequence.library import Library
from ..sequence.model import Sequence
from ..sequence.problems import Problem
from ..sequence.report import RunReport
from ..sequence.sentence_book import SentenceBook
from ..sequence.sentence_checks import check_sentences
from ..sequence.sentence_slots import NotUnderstood, read_slots
from ..sequence.signature import run_inputs
from ..sequence.spoken import Speech
from .mending import issue_data
from .people_words import home_wording
from .sequence_extras import sentences_of

PATIENCE: Final = 10.0
"""Seconds after which somebody who spoke is told that the run has started."""

BROKEN: Final = "broken_sentences"

type Run = Callable[[Caller, ToolCall], Coroutine[object, object, ToolResult]]

_LOGGER = logging.getLogger(__name__)


class SentenceDesk:
    """Keeps the book in step with the sequences, and answers."""

    def __init__(self, hass: HomeAssistant, library: Library, run: Run) -> None:
        """Take the sequences, and the way to the door; `run` never raises."""
        self._hass = hass
        self._library = library
        self._run = run
        self._book = SentenceBook()

    def sentences(self) -> list[str]:
        """Return all sentences in use."""
        return self._book.sentences()

    @callback
    def take(self, key: str) -> bool:
        """Read the sentences of a sequence anew; true if others are in use now.

        One that does not fit the sequence any more is not used, and an issue tells so.
        """
        entry = self._hass.config_entries.async_get_entry(key)
        sequence = self._library.get(key)
        if entry is None or sequence is None:
            ir.async_delete_issue(self._hass, DOMAIN, f"{BROKEN}_{key}")
            return self._book.put(key, ())
        problems: dict[str, tuple[Problem, ...]] = {}
        usable: list[str] = []
        for sentence in sentences_of(entry):
            errors = check_sentences(sequence, [sentence], {}).errors
            if errors:
                problems[sentence] = errors
            else:
                usable.append(sentence)
        told = sentence_lines(problems, home_wording(self._hass)) if problems else ""
        self._tell(key, sequence.name, told)
        return self._book.put(key, usable)

    def _tell(self, key: str, name: str, problems: str) -> None:
        if not problems:
            ir.async_delete_issue(self._hass, DOMAIN, f"{BROKEN}_{key}")
            return
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{BROKEN}_{key}",
            data=issue_data(key),
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=BROKEN,
            translation_placeholders={"name": name, "problems": problems},
        )

    async def answer(self, text: str, language: str | None, caller: Caller) -> str:
        """Run what was meant and say what came of it; never raises."""
        speech = Speech(language)
        try:
            return await self._answer(text, language, speech, caller)
        except Exception:
            # The agent would answer nothing at all, and forget the turn.
            _LOGGER.exception("A sentence could not be answered")
            return speech.say("internal")

    async def _answer(
        self, text: str, language: str | None, speech: Speech, caller: Caller
    ) -> str:
        meant = self._book.find(text)
        if not meant:
            return speech.say("gone")
        if len(meant) > 1:
            found = (self._library.get(heard.key) for heard in meant)
            return speech.several(each.name for each in found if each is not None)
        sequence = self._library.get(meant[0].key)
        if sequence is None:
            return speech.say("gone")
        # The words of numbers are looked up in files.
        values = await self._hass.async_add_executor_job(
            read_slots, run_inputs(sequence), meant[0].slots, language
        )
        if isinstance(values, NotUnderstood):
            return speech.not_understood(values)
        return await self._run_it(sequence, values, speech, caller)

    async def _run_it(
        self,
        sequence: Sequence,
        values: dict[str, object],
        speech: Speech,
        caller: Caller,
    ) -> str:
        arguments = {"name": sequence.name, "args": values}
        work = self._run(caller, ToolCall(tool="seq_run", arguments=arguments))
        # It goes on when nobody listens any more: stopping half-way does harm.
        task = self._hass.async_create_background_task(
            work, f"homeagent sentence {sequence.name}"
        )
        await asyncio.wait({task}, timeout=PATIENCE)
        if not task.done():
            return speech.say("started", name=sequence.name)
        return _told(sequence.name, task.result(), speech)


def _told(name: str, result: ToolResult, speech: Speech) -> str:
    if isinstance(result.nested, RunReport):
        return speech.report(name, result.nested)
    if result.error is not None:
        return speech.refusal(name, result.error.reason)
    return speech.say("ok", name=name)

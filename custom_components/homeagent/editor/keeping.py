"""What the editor works on, kept in the entry beside what others do to that.

Below the other steps. The work of an open editor is always what the entry keeps; where the
entry keeps something else, somebody changed it elsewhere.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import override

from homeassistant.config_entries import ConfigEntry, ConfigFlowResult, OptionsFlow

from ..const import CONF_DRAFT, CONF_SEQUENCE
from ..editing.markdown import bullets
from ..editing.wording import Wording
from ..editing.work import Work, renamed, says_same, under_name, work_of, work_of_draft
from ..flow_menus import menu
from ..runtime import Runtime
from ..sequence.codec import load
from ..sequence.failures import DamagedSequence
from ..sequence.model import Sequence
from ..tools.open_entry import entry_or_end
from ..tools.sequence_extras import sentences_of

type Input = dict[str, object] | None
type Then = Callable[[], Awaitable[ConfigFlowResult]]


class KeepingFlow(OptionsFlow):
    """Keeps the work of one editor, and asks before it replaces what others keep."""

    runtime: Runtime
    word: Wording
    work: Work
    _waiting: tuple[Work, Then]
    _effects: list[str]
    _elsewhere = False

    @property
    @override
    def config_entry(self) -> ConfigEntry:
        """Return the entry; where it was deleted meanwhile, this ends the flow."""
        return entry_or_end(self.hass, self.handler)

    def _present_name(self) -> str:
        """Return what the entry is called now, by whatever it was renamed."""
        stored = self._stored()
        return self.config_entry.title if stored is None else stored.name

    def _stored_work(self) -> Work:
        entry, stored = self.config_entry, self._stored()
        if (kept := self._kept()) is not None:
            return kept
        if stored is None:
            return Work(name=entry.title, sentences=sentences_of(entry))
        return work_of(stored, sentences_of(entry))

    def _stored(self) -> Sequence | None:
        """Return the sequence that can run now; none for drafts and damaged ones."""
        try:
            return load(self.config_entry.options.get(CONF_SEQUENCE))
        except DamagedSequence:
            return None

    def _is_enabled(self) -> bool:
        """Whether what is stored can run: people may disable the entry."""
        return self.config_entry.disabled_by is None

    def _kept(self) -> Work | None:
        draft = self.config_entry.options.get(CONF_DRAFT)
        if not isinstance(draft, Mapping):
            return None
        return work_of_draft(self._present_name(), draft)

    def _is_changed(self) -> bool:
        """Whether there are changes that were not saved."""
        stored = self._stored()
        if stored is None:
            return True
        work = self.work
        same = work.sequence() == stored and work.text is None
        return not same or work.sentences != sentences_of(self.config_entry)

    def _fresh(self) -> Work:
        """Return what the entry keeps now; a draft's own calls follow its new name."""
        fresh = self._stored_work()
        if self._stored() is None and fresh.name != self.work.name:
            return renamed(fresh, self.work.name, fresh.name)
        return fresh

    def _follow(self) -> bool:
        """Take over what was done elsewhere; whether it is more than a new name."""
        fresh = self._fresh()
        more = not says_same(under_name(self.work, fresh.name), fresh)
        self.work = fresh
        self._elsewhere = self._elsewhere or more
        return more

    def _told_elsewhere(self) -> str:
        """Return, once, that something else is shown than what the editor had."""
        told, self._elsewhere = self._elsewhere, False
        return self.word("changed_elsewhere") if told else ""

    async def _async_keep(
        self, work: Work, then: Then, *, typed: bool = False
    ) -> ConfigFlowResult:
        """Go on with this work, and keep it for when the editor is left.

        It is asked first where that replaces what was changed elsewhere, or drops a
        text that waits, but for `typed`: the work was made of the text.
        """
        fresh = self._fresh()
        before = under_name(self.work, fresh.name)
        self._effects = []
        if says_same(before, fresh):
            work = replace(work, base=fresh.base)
        else:
            self._effects.append(self.word("overwrites_draft"))
        if before.text is not None and work.text is None and not typed:
            self._effects.append(self.word("drops_text"))
        self._waiting = (work, then)
        if self._effects:
            return await self.async_step_overwrite()
        return await self.async_step_do_overwrite()

    @menu
    async def async_step_overwrite(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask, with what going on would do."""
        return self.async_show_menu(
            step_id="overwrite",
            menu_options=["do_overwrite", "editor"],
            description_placeholders={"effects": bullets(self._effects)},
        )

    async def async_step_do_overwrite(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Go on with the work, after the answer where there was a question."""
        work, then = self._waiting
        self._keep(work)
        return await then()

    def _keep(self, work: Work) -> None:
        self.work = under_name(work, self._present_name())
        kept = self.work if self._is_changed() else None
        if kept != self._kept():
            self.runtime.entries.keep_draft(self.config_entry, kept)

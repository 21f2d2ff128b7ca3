"""What all steps of the editor share: the work, where it is kept, the words.

Above the runtime; the other modules of the package add steps.
"""

from collections.abc import Mapping
from typing import override

from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import area_registry as ar, device_registry as dr

from ..const import CONF_DRAFT, CONF_SEQUENCE
from ..editing.markdown import escaped
from ..editing.plan_text import state_line
from ..editing.wording import Wording
from ..editing.work import Work, work_of, work_of_draft
from ..runtime import Runtime, async_get_runtime
from ..sequence.checks import Report
from ..sequence.codec import load
from ..sequence.failures import DamagedSequence
from ..sequence.model import Sequence
from ..sequence.sentence_checks import check_sentences
from ..tools.sequence_extras import other_sentences, sentences_of
from .language import async_language, async_wording, current_user_id
from .preview import async_setup, forget_preview

type Input = dict[str, object] | None


class EditorFlow(OptionsFlow):
    """An options flow that works on one sequence."""

    runtime: Runtime
    word: Wording
    work: Work

    async def _async_open(self) -> None:
        """Get the tools, the words and the work ready."""
        self.runtime = await async_get_runtime(self.hass)
        await self.runtime.actions.async_prepare()
        language = await async_language(self.hass, current_user_id())
        self.word = await async_wording(self.hass, language)
        self.work = self._stored_work()

    @staticmethod
    @override
    async def async_setup_preview(hass: HomeAssistant) -> None:
        """Offer the live line under the form of a group."""
        async_setup(hass)

    @override
    def async_remove(self) -> None:
        """Forget the live line of a flow that is gone; the draft stays."""
        if self.hass is not None:
            forget_preview(self.hass, self.flow_id)

    def _stored_work(self) -> Work:
        entry, stored = self.config_entry, self._stored()
        draft = entry.options.get(CONF_DRAFT)
        if isinstance(draft, Mapping):
            return work_of_draft(entry.title, draft)
        if stored is None:
            return Work(name=entry.title, sentences=sentences_of(entry))
        return work_of(stored, sentences_of(entry))

    def _stored(self) -> Sequence | None:
        """Return the sequence that can run now; none for drafts and damaged ones."""
        try:
            return load(self.config_entry.options.get(CONF_SEQUENCE))
        except DamagedSequence:
            return None

    def _is_changed(self) -> bool:
        """Whether there are changes that were not saved."""
        stored = self._stored()
        if stored is None:
            return True
        work = self.work
        same = work.sequence() == stored and work.text is None
        return not same or work.sentences != sentences_of(self.config_entry)

    def _keep(self, work: Work) -> None:
        """Go on with this work, and keep it for when the editor is left."""
        self.work = work
        kept = work if self._is_changed() else None
        if kept != self._kept():
            self.runtime.entries.keep_draft(self.config_entry, kept)

    def _kept(self) -> Work | None:
        draft = self.config_entry.options.get(CONF_DRAFT)
        if not isinstance(draft, Mapping):
            return None
        return work_of_draft(self.config_entry.title, draft)

    async def _async_check(self) -> tuple[Sequence | None, Report]:
        """Check the whole against the home as it is now, with its sentences."""
        work = self.work
        draft = await self.runtime.author.from_groups(
            work.name, work.description, list(work.groups)
        )
        spoken = self._check_sentences(work)
        errors = (*draft.errors, *spoken.errors)
        report = Report(errors=errors, warnings=(*draft.warnings, *spoken.warnings))
        return None if errors else draft.sequence, report

    def _check_sentences(self, work: Work) -> Report:
        if not work.sentences:
            return Report(errors=(), warnings=())
        others = other_sentences(self.hass, self.config_entry.entry_id)
        return check_sentences(work.sequence(), list(work.sentences), others)

    def _state(self) -> str:
        """Return the one line of what the work is, for Markdown."""
        return escaped(state_line(self.work.sequence(), self.word))

    def _named(self, text: str) -> str:
        """Return the name of the entity, area or device that an id stands for."""
        if state := self.hass.states.get(text) if valid_entity_id(text) else None:
            return state.name
        if area := ar.async_get(self.hass).async_get_area(text):
            return area.name
        device = dr.async_get(self.hass).async_get(text)
        name = None if device is None else device.name_by_user or device.name
        return name or text

    def _is_action(self, tool: str) -> bool:
        """Whether Home Assistant's action editor knows a tool."""
        domain, dot, action = tool.partition(".")
        return bool(dot) and self.hass.services.has_service(domain, action)

    async def async_step_editor(self, user_input: Input = None) -> ConfigFlowResult:
        """Show what can be done; every way back leads here."""
        raise NotImplementedError

"""What all steps of the editor share: the words, the checks, what is shown of the work.

Above the runtime; the other modules of the package add steps.
"""

from dataclasses import replace
from typing import override

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.service import async_get_cached_service_description

from ..editing.action_rows import KnownActions
from ..editing.markdown import escaped
from ..editing.plan_text import state_line
from ..editing.typed_values import YesNo
from ..editing.work import Work
from ..runtime import async_get_runtime
from ..sequence.checks import Report
from ..sequence.model import Sequence
from ..sequence.sentence_checks import check_sentences
from ..tools.person_language import async_language, async_wording, current_user_id
from ..tools.sequence_author import Draft
from ..tools.sequence_extras import other_sentences
from ..tools.target_advice import target_advice
from .keeping import Input, KeepingFlow
from .preview import async_setup, forget_preview

__all__ = ["EditorFlow", "Input"]


class EditorFlow(KeepingFlow):
    """An options flow that works on one sequence."""

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

    async def _async_check(self) -> tuple[Sequence | None, Report]:
        """Check the whole against the home as it is now, with its sentences."""
        work = self.work
        draft = await self._async_draft(work)
        spoken = self._check_sentences(work)
        errors = (*draft.errors, *spoken.errors)
        report = Report(errors=errors, warnings=(*draft.warnings, *spoken.warnings))
        return None if errors else draft.sequence, report

    async def _async_draft(self, work: Work) -> Draft:
        """Check a work against the home as it is now, without its sentences.

        Only administrators come here, so that targets that do not exist may be told.
        """
        draft = await self.runtime.author.from_groups(
            work.name, work.description, list(work.groups)
        )
        advice = target_advice(self.runtime.registry.find, work.sequence())
        return replace(draft, warnings=(*draft.warnings, *advice))

    def _check_sentences(self, work: Work) -> Report:
        if not work.sentences:
            return Report(errors=(), warnings=())
        others = other_sentences(self.hass, self.config_entry.entry_id)
        return check_sentences(work.sequence(), list(work.sentences), others)

    def _state(self) -> str:
        """Return the one line of what the work is, for Markdown."""
        return escaped(state_line(self._shown(self.work), self.word))

    def _shown(self, work: Work) -> Sequence:
        """Return a work as it is shown: as it will run."""
        return self.runtime.author.as_it_runs(work.sequence())

    def _named(self, text: str) -> str:
        """Return the name of the entity, area or device that an id stands for."""
        if state := self.hass.states.get(text) if valid_entity_id(text) else None:
            return state.name
        if area := ar.async_get(self.hass).async_get_area(text):
            return area.name
        device = dr.async_get(self.hass).async_get(text)
        name = None if device is None else device.name_by_user or device.name
        return name or text

    @property
    def _actions(self) -> KnownActions:
        """The tools that Home Assistant's action editor knows."""
        return KnownActions(exists=self._is_action, targeted=self._has_target)

    def _is_action(self, tool: str) -> bool:
        domain, dot, action = tool.partition(".")
        return bool(dot) and self.hass.services.has_service(domain, action)

    def _has_target(self, tool: str) -> bool:
        """Whether the action editor asks for a target; its descriptions were read."""
        domain, _, action = tool.partition(".")
        described = async_get_cached_service_description(self.hass, domain, action)
        return bool(described) and "target" in (described or {})

    def _yes_no(self) -> YesNo:
        return self.word("yes"), self.word("no")

    async def async_step_editor(self, user_input: Input = None) -> ConfigFlowResult:
        """Show what can be done; every way back leads here."""
        raise NotImplementedError

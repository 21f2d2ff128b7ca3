"""Adding a sequence: empty, from a template, or from JSON; its editor opens at once.

The steps that the config flow takes over; beside the steps of the editor.
"""

from typing import override

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowContext,
    ConfigFlowResult,
    FlowType,
)
import probatio

from ..const import CONF_KIND, DOMAIN, KERNEL_UNIQUE_ID, KIND_KERNEL, KIND_SEQUENCE
from ..editing.problem_lines import text_problems
from ..editing.templates import TEMPLATES
from ..editing.wording import Wording
from ..editing.work import Work, made_of
from ..flow_menus import menu
from ..runtime import Runtime, async_get_runtime
from ..sequence.names import normal_name
from ..sequence.problems import Problem
from ..tools.person_language import async_language, async_wording, current_user_id
from ..tools.sequence_entry import NewEntry, new_draft, new_entry
from ..tools.target_advice import target_advice
from .base import Input
from .forms import NAME_FORM, PASTE_FORM, TEMPLATE_FORM
from .names import name_text


class AddingSteps(ConfigFlow):
    """Adds sequences."""

    runtime: Runtime
    word: Wording

    async def async_step_sequence(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask with what to begin; the first sequence brings HomeAgent with it."""
        self.runtime = await async_get_runtime(self.hass)
        language = await async_language(self.hass, current_user_id())
        self.word = await async_wording(self.hass, language)
        if self._is_first():
            return await self.async_step_first()
        return await self.async_step_begin()

    @menu
    async def async_step_first(self, user_input: Input = None) -> ConfigFlowResult:
        """Offer to add HomeAgent, too."""
        return self.async_show_menu(
            step_id="first", menu_options=["with_homeagent", "begin"]
        )

    def _is_first(self) -> bool:
        """Whether there is no sequence yet, and no HomeAgent that is enabled."""
        entries = self.hass.config_entries.async_entries(DOMAIN)
        return not any(
            entry.data.get(CONF_KIND) == KIND_SEQUENCE or not entry.disabled_by
            for entry in entries
        )

    async def async_step_with_homeagent(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Add HomeAgent first, or enable it, as the person would."""
        entries = self.hass.config_entries
        known = entries.async_entry_for_domain_unique_id(DOMAIN, KERNEL_UNIQUE_ID)
        if known is not None:
            await entries.async_set_disabled_by(known.entry_id, None)
        else:
            context = ConfigFlowContext(source=SOURCE_USER)
            flow = await entries.flow.async_init(DOMAIN, context=context)
            for answer in ({"next_step_id": KIND_KERNEL}, {}):
                await entries.flow.async_configure(flow["flow_id"], answer)
        return await self.async_step_begin()

    @menu
    async def async_step_begin(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask with what to begin."""
        return self.async_show_menu(
            step_id="begin", menu_options=["draft", "template", "paste"]
        )

    async def async_step_draft(self, user_input: Input = None) -> ConfigFlowResult:
        """Begin with nothing but a name."""
        if user_input is None:
            return self._show("draft", NAME_FORM, {})
        name = normal_name(str(user_input["name"]))
        if text := name_text(self.runtime, self.word, name):
            return self._show("draft", NAME_FORM, user_input, name=text)
        return await self._async_add(new_draft(Work(name=name)))

    async def async_step_template(self, user_input: Input = None) -> ConfigFlowResult:
        """Begin with a sequence that is useful in most homes."""
        if user_input is None:
            return self._show("template", TEMPLATE_FORM, {})
        template = str(user_input["template"])
        typed = normal_name(str(user_input.get("name", "")))
        name = typed or self.word(f"template_{template}")
        if text := name_text(self.runtime, self.word, name):
            return self._show("template", TEMPLATE_FORM, user_input, name=text)
        unit = self.hass.config.units.temperature_unit
        groups = tuple(TEMPLATES[template](self.word, unit))
        about = self.word(f"template_{template}_about")
        work = Work(name=name, description=about, groups=groups)
        return await self._async_add(new_draft(work))

    async def async_step_paste(self, user_input: Input = None) -> ConfigFlowResult:
        """Begin with a text; with warnings it is a draft until they were seen."""
        if user_input is None:
            return self._show("paste", PASTE_FORM, {})
        typed = normal_name(str(user_input.get("name", "")))
        document = str(user_input["document"])
        if typed and (text := name_text(self.runtime, self.word, typed)):
            return self._show("paste", PASTE_FORM, user_input, name=text)
        await self.runtime.actions.async_prepare()
        draft = await self.runtime.author.from_text(document, name=typed or None)
        if draft.sequence is None:
            texts = self._paste_texts(draft.errors, document, named=bool(typed))
            return self._show("paste", PASTE_FORM, user_input, **texts)
        if text := name_text(self.runtime, self.word, draft.sequence.name):
            return self._show("paste", PASTE_FORM, user_input, name=text)
        if self.runtime.entries.cannot_store(draft.sequence) is not None:
            text = self.word("no_room")
            return self._show("paste", PASTE_FORM, user_input, document=text)
        advice = target_advice(self.runtime.registry.find, draft.sequence)
        if draft.warnings or advice:
            return await self._async_add(new_draft(made_of(draft.sequence)))
        return await self._async_add(new_entry(draft.sequence))

    def _paste_texts(
        self, problems: tuple[Problem, ...], document: str, *, named: bool
    ) -> dict[str, str]:
        """Return what is wrong with a text, and with its name at that of the form."""
        texts = {}
        rest = []
        for problem in problems:
            missing = problem.code == "missing_key" and not problem.path
            if problem.code == "name_differs":
                texts["name"] = self.word("two_names", **problem.placeholders)
            elif missing and not named and problem.placeholders["key"] == '"name"':
                texts["name"] = self.word("name_nowhere")
            else:
                rest.append(problem)
        if rest:
            texts["document"] = text_problems(rest, document, self.word)
        return texts

    def _show(
        self, step: str, schema: probatio.Schema, values: Input, **texts: str
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors={name: f"at_{name}" for name in texts},
            description_placeholders={
                f"at_{name}": text for name, text in texts.items()
            },
            last_step=False,
        )

    async def _async_add(self, entry: NewEntry) -> ConfigFlowResult:
        self.runtime.entries.promise(entry)
        return await self._async_create(entry)

    async def _async_create(self, entry: NewEntry) -> ConfigFlowResult:
        await self.async_set_unique_id(entry.id)
        self._abort_if_unique_id_configured()
        return self.async_create_entry(
            title=entry.title, data=entry.data, options=entry.options
        )

    @override
    async def async_on_create_entry(self, result: ConfigFlowResult) -> ConfigFlowResult:
        """Open the editor of a sequence that a person added."""
        entry = result.get("result")
        if (
            self.source == SOURCE_USER
            and isinstance(entry, ConfigEntry)
            and entry.data[CONF_KIND] == KIND_SEQUENCE
        ):
            options = self.hass.config_entries.options
            flow = await options.async_init(entry.entry_id)
            result["next_flow"] = (FlowType.OPTIONS_FLOW, flow["flow_id"])
        return result

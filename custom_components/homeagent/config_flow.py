"""Adding HomeAgent and adding sequences, in Home Assistant's UI.

A menu offers the two kinds of entry. A sequence is pasted as JSON here; every problem of
the text is told at the field. Entries that the tools make come in through `system`.
"""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    OptionsFlow,
)
from homeassistant.core import callback
from homeassistant.helpers import selector
import probatio

from .const import CONF_KIND, DOMAIN, KERNEL_UNIQUE_ID, KIND_KERNEL, KIND_SEQUENCE
from .kernel_options import KernelOptionsFlow
from .runtime import async_get_runtime
from .sequence.telling import describe
from .tools.sequence_entries import NewEntry, new_entry

CONF_NAME = "name"
CONF_DOCUMENT = "document"

SEQUENCE_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_NAME): selector.TextSelector(),
        probatio.Required(CONF_DOCUMENT): selector.TextSelector(
            selector.TextSelectorConfig(multiline=True)
        ),
    }
)


class HomeAgentConfigFlow(ConfigFlow, domain=DOMAIN):
    """Makes entries of both kinds."""

    VERSION = 1
    MINOR_VERSION = 1

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the options flow of an entry's kind."""
        return KernelOptionsFlow()

    @classmethod
    @callback
    @override
    def async_supports_options_flow(cls, config_entry: ConfigEntry) -> bool:
        """Whether an entry of that kind has options to edit here."""
        return bool(config_entry.data[CONF_KIND] == KIND_KERNEL)

    @override
    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which kind of entry to add."""
        return self.async_show_menu(
            step_id="user", menu_options=[KIND_KERNEL, KIND_SEQUENCE]
        )

    async def async_step_kernel(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Add the one HomeAgent entry."""
        await self.async_set_unique_id(KERNEL_UNIQUE_ID)
        self._abort_if_unique_id_configured()
        if user_input is None:
            return self.async_show_form(step_id=KIND_KERNEL)
        return self.async_create_entry(title="HomeAgent", data={CONF_KIND: KIND_KERNEL})

    async def async_step_sequence(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Add a sequence from its JSON text."""
        if user_input is None:
            return self.async_show_form(
                step_id=KIND_SEQUENCE, data_schema=SEQUENCE_SCHEMA
            )
        runtime = await async_get_runtime(self.hass)
        await runtime.actions.async_prepare()
        name = user_input[CONF_NAME]
        draft = await runtime.author.from_text(user_input[CONF_DOCUMENT], name=name)
        problems, field = draft.errors, CONF_DOCUMENT
        if sequence := draft.sequence:
            entries = runtime.entries
            taken = entries.cannot_add(sequence.name) or entries.cannot_store(sequence)
            if taken is None:
                entry = new_entry(sequence)
                entries.promise(entry)
                return await self._async_create(entry)
            text, field = f"{taken.detail}. {taken.hint}", CONF_NAME
        elif problems and all(problem.path == CONF_NAME for problem in problems):
            text, field = describe(problems), CONF_NAME
        else:
            text = describe(problems)
        return self.async_show_form(
            step_id=KIND_SEQUENCE,
            data_schema=self.add_suggested_values_to_schema(
                SEQUENCE_SCHEMA, user_input
            ),
            errors={field: "invalid_sequence"},
            description_placeholders={"problems": text},
        )

    async def async_step_system(self, entry: Mapping[str, Any]) -> ConfigFlowResult:
        """Add a sequence that a tool has made and checked."""
        return await self._async_create(NewEntry(**entry))

    async def _async_create(self, entry: NewEntry) -> ConfigFlowResult:
        await self.async_set_unique_id(entry.id)
        self._abort_if_unique_id_configured()
        return self.async_create_entry(
            title=entry.title, data=entry.data, options=entry.options
        )

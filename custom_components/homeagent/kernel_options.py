"""The options of the HomeAgent entry: tools for models, prompt, parallel runs, history.

A thin flow; the forms are in `tools.kernel_form`. What a declaration means is in
`tools.declarations`, what models are offered in `tools.default_set`.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
import probatio

from .const import CONF_ASK_FIRST, CONF_KIND, CONF_PROMPT, KIND_KERNEL
from .explain_steps import ExplainSteps
from .flow_menus import menu
from .runtime import async_get_runtime
from .tools.default_set import DEFAULT_SET
from .tools.kernel_form import (
    CONF_OFFERED,
    HISTORY_SCHEMA,
    LONGEST_PROMPT,
    PROMPT_SCHEMA,
    parallel_problem,
    parallel_schema,
    tools_options,
    tools_schema,
)
from .tools.offering import Wishes
from .tools.tool_options import tool_selector


class KernelOptionsFlow(ExplainSteps):
    """Edits what the user wants, one subject at a time; each is saved by itself."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Begin."""
        if self.config_entry.data[CONF_KIND] != KIND_KERNEL:
            return self.async_abort(reason="no_options")
        return await self.async_step_kernel()

    @menu
    async def async_step_kernel(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the subjects; the flows of all entries share their translations."""
        return self.async_show_menu(
            step_id="kernel",
            menu_options=[
                "kernel_tools",
                "kernel_prompt",
                "kernel_parallel",
                "kernel_history",
                "kernel_explain",
            ],
        )

    async def async_step_kernel_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Switch tools on and off for models, and mark those to be asked for."""
        runtime = await async_get_runtime(self.hass)
        options = self.config_entry.options
        if user_input is not None:
            return self._save(tools_options(user_input))
        choice = Wishes.of(options).choice
        asked = options.get(CONF_ASK_FIRST, [])
        await runtime.actions.async_prepare()
        tools = tool_selector(
            runtime.registry,
            [*DEFAULT_SET, *choice.added, *asked],
            runtime.offering.run_functions(),
        )
        shown = {CONF_OFFERED: list(choice.names()), CONF_ASK_FIRST: asked}
        return self._form("kernel_tools", tools_schema(tools), shown)

    async def async_step_kernel_prompt(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Edit the user's own part of what models are told."""
        if user_input is None:
            return self._form("kernel_prompt", PROMPT_SCHEMA, self.config_entry.options)
        length = len(user_input[CONF_PROMPT])
        if length <= LONGEST_PROMPT:
            return self._save(user_input)
        return self._form(
            "kernel_prompt",
            PROMPT_SCHEMA,
            user_input,
            errors={CONF_PROMPT: "prompt_too_long"},
            placeholders={"found": str(length), "most": str(LONGEST_PROMPT)},
        )

    async def async_step_kernel_parallel(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Edit the user's own declarations, and save them when they make sense."""
        names = (await async_get_runtime(self.hass)).actions.names()
        schema = parallel_schema(sorted(names))
        if user_input is None:
            return self._form("kernel_parallel", schema, self.config_entry.options)
        field, error, wrong = parallel_problem(user_input)
        if field is None:
            return self._save(user_input)
        return self._form(
            "kernel_parallel",
            schema,
            user_input,
            errors={field: error},
            placeholders={"names": ", ".join(wrong)},
        )

    async def async_step_kernel_history(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Edit how much is kept."""
        if user_input is None:
            return self._form(
                "kernel_history", HISTORY_SCHEMA, self.config_entry.options
            )
        return self._save({key: int(value) for key, value in user_input.items()})

    def _form(
        self,
        step_id: str,
        schema: probatio.Schema,
        shown: Mapping[str, Any],
        *,
        errors: dict[str, str] | None = None,
        placeholders: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, shown),
            errors=errors,
            description_placeholders=placeholders,
        )

    def _save(self, changed: Mapping[str, Any]) -> ConfigFlowResult:
        return self.async_create_entry(data={**self.config_entry.options, **changed})

"""The options of the HomeAgent entry: tools for models, prompt, parallel runs, history.

A thin flow. What a declaration means is in `tools.declarations`, what models are offered
in `tools.default_set`.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.helpers import selector
import probatio

from .const import (
    CONF_ASK_FIRST,
    CONF_BATCHES_KEPT,
    CONF_KIND,
    CONF_NOT_PARALLEL_SAFE,
    CONF_PARALLEL_SAFE,
    CONF_PROMPT,
    CONF_RUNS_KEPT,
    CONF_TOOLS_ADDED,
    CONF_TOOLS_OFF,
    KIND_KERNEL,
)
from .explain_steps import ExplainSteps
from .runtime import async_get_runtime
from .tools.action_names import split_name
from .tools.default_set import DEFAULT_SET, choice_of
from .tools.history import MOST_BATCHES, MOST_RUNS
from .tools.offering import Wishes
from .tools.tool_options import tool_selector

CONF_OFFERED = "offered"
"""Field of the form: the tools that are switched on, of which options keep the changes."""

LONGEST_PROMPT = 4000

PROMPT_SCHEMA = probatio.Schema(
    {
        probatio.Optional(CONF_PROMPT, default=""): selector.TextSelector(
            selector.TextSelectorConfig(multiline=True)
        )
    }
)


def _number(most: int) -> selector.NumberSelector:
    return selector.NumberSelector(
        selector.NumberSelectorConfig(
            min=1, max=most, step=1, mode=selector.NumberSelectorMode.BOX
        )
    )


HISTORY_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_RUNS_KEPT, default=MOST_RUNS): _number(MOST_RUNS),
        probatio.Required(CONF_BATCHES_KEPT, default=MOST_BATCHES): _number(
            MOST_BATCHES
        ),
    }
)


class KernelOptionsFlow(ExplainSteps):
    """Edits what the user wants, one subject at a time; each is saved by itself."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Begin."""
        if self.config_entry.data[CONF_KIND] != KIND_KERNEL:
            return self.async_abort(reason="no_options")
        return await self.async_step_kernel()

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
            chosen = choice_of(user_input[CONF_OFFERED])
            return self._save(
                {
                    CONF_TOOLS_OFF: sorted(chosen.off),
                    CONF_TOOLS_ADDED: list(chosen.added),
                    CONF_ASK_FIRST: user_input[CONF_ASK_FIRST],
                }
            )
        choice = Wishes.of(options).choice
        asked = options.get(CONF_ASK_FIRST, [])
        await runtime.actions.async_prepare()
        tools = tool_selector(
            runtime.registry,
            [*DEFAULT_SET, *choice.added, *asked],
            runtime.offering.run_functions(),
        )
        schema = probatio.Schema(
            {
                probatio.Optional(CONF_OFFERED, default=list): tools,
                probatio.Optional(CONF_ASK_FIRST, default=list): tools,
            }
        )
        shown = {CONF_OFFERED: list(choice.names()), CONF_ASK_FIRST: asked}
        return self._form("kernel_tools", schema, shown)

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
        schema = _parallel_schema(sorted(names))
        if user_input is None:
            return self._form("kernel_parallel", schema, self.config_entry.options)
        field, error, wrong = _problem(user_input)
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


def _parallel_schema(names: list[str]) -> probatio.Schema:
    actions = selector.SelectSelector(
        selector.SelectSelectorConfig(options=names, multiple=True, custom_value=True)
    )
    return probatio.Schema(
        {
            probatio.Optional(CONF_PARALLEL_SAFE, default=list): actions,
            probatio.Optional(CONF_NOT_PARALLEL_SAFE, default=list): actions,
        }
    )


def _problem(
    user_input: dict[str, list[str]],
) -> tuple[str | None, str, list[str]]:
    """Return the field that is wrong, the error's key, and the names it concerns."""
    for field, names in user_input.items():
        if wrong := [name for name in names if split_name(name) is None]:
            return field, "no_action", wrong
    both = set(user_input[CONF_PARALLEL_SAFE]) & set(user_input[CONF_NOT_PARALLEL_SAFE])
    if both:
        return CONF_NOT_PARALLEL_SAFE, "declared_both", sorted(both)
    return None, "", []

"""The options of the HomeAgent entry: which actions may run beside others.

A thin flow; what a declaration means is in `tools.declarations`.
"""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.helpers import selector
import probatio

from .const import CONF_KIND, CONF_NOT_PARALLEL_SAFE, CONF_PARALLEL_SAFE, KIND_KERNEL
from .runtime import async_get_runtime
from .tools.action_names import split_name


class KernelOptionsFlow(OptionsFlow):
    """Edits the user's own declarations."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the declarations, and save them when they make sense."""
        if self.config_entry.data[CONF_KIND] != KIND_KERNEL:
            return self.async_abort(reason="no_options")
        errors: dict[str, str] = {}
        placeholders: dict[str, str] = {}
        if user_input is not None:
            field, error, names = _problem(user_input)
            if field is None:
                return self.async_create_entry(
                    data={**self.config_entry.options, **user_input}
                )
            errors[field] = error
            placeholders["names"] = ", ".join(names)
        shown = self.config_entry.options if user_input is None else user_input
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                await self._schema(), shown
            ),
            errors=errors,
            description_placeholders=placeholders,
        )

    async def _schema(self) -> probatio.Schema:
        names = (await async_get_runtime(self.hass)).actions.names()
        actions = selector.SelectSelector(
            selector.SelectSelectorConfig(
                options=sorted(names), multiple=True, custom_value=True
            )
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

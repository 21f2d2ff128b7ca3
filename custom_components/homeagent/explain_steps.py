"""Explaining who may do what, as steps of the HomeAgent entry's options flow.

A part of the config flow, which Home Assistant opens to administrators only. A form
asks, a menu shows the answer. What an answer is made of is in `tools.access_explaining`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, override

from homeassistant.config_entries import ConfigEntry, ConfigFlowResult, OptionsFlow

from .flow_menus import menu
from .kernel.errors import ToolError
from .kernel.names import nearest
from .runtime import Runtime, async_get_runtime
from .tools.access_explaining import Told, question_of
from .tools.explain_form import explain_schema
from .tools.markdown import plain
from .tools.open_entry import entry_or_end
from .tools.rule_names import async_user_names

EXPLAIN = "kernel_explain"
EXPLAINED = "kernel_explained"


class ExplainSteps(OptionsFlow):
    """The steps; the menu that leads to them has `kernel_explain` among its options."""

    _asked: Mapping[str, Any] = {}
    _told: Told

    @property
    @override
    def config_entry(self) -> ConfigEntry:
        """Return the entry; where it was deleted meanwhile, this ends the flow."""
        return entry_or_end(self.hass, self.handler)

    async def async_step_kernel_explain(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who, by which way, what and where."""
        runtime = await async_get_runtime(self.hass)
        if user_input is None:
            return await self._ask(runtime, {}, {})
        self._asked = user_input
        told = await runtime.explainer.explain(
            question_of(user_input), self.hass.config.language
        )
        if isinstance(told, ToolError):
            near = nearest(user_input["tool"], runtime.registry.names())
            place, code, about = _problem(told, near)
            return await self._ask(runtime, {place: code}, about)
        self._told = told
        return await self.async_step_kernel_explained()

    async def _ask(
        self, runtime: Runtime, errors: dict[str, str], placeholders: dict[str, str]
    ) -> ConfigFlowResult:
        await runtime.actions.async_prepare()
        schema = explain_schema(
            await async_user_names(self.hass), sorted(runtime.registry.names())
        )
        return self.async_show_form(
            step_id=EXPLAIN,
            data_schema=self.add_suggested_values_to_schema(schema, self._asked),
            errors=errors,
            description_placeholders=placeholders,
            last_step=False,
        )

    @menu
    async def async_step_kernel_explained(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Show the answer, and lead on."""
        first, *others = (plain(line) for line in self._told.lines)
        answer = "\n".join([f"**{first}**", "", *(f"- {line}" for line in others)])
        return self.async_show_menu(
            step_id=EXPLAINED,
            menu_options=[EXPLAIN, "kernel"],
            description_placeholders={"answer": answer},
        )


def _problem(error: ToolError, near: Sequence[str]) -> tuple[str, str, dict[str, str]]:
    """Return the field of a wrong question, the key of its text, and what it names."""
    match error.field:
        case "user":
            return "user", "person_gone", {}
        case "device":
            return "voice_device", "voice_device_gone", {}
        case "tool" if near:
            return "tool", "tool_similar", {"near": ", ".join(near)}
        case "tool":
            return "tool", "tool_unknown", {}
        case _:
            about = {"detail": error.detail, "hint": error.hint}
            return "base", "cannot_explain", about

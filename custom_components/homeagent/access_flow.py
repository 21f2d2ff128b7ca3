"""Access rules in Home Assistant's UI: written, switched on, changed (page 3 §3.2).

A part of the config flow: the flow of the HomeAgent entry's subentries. Before a rule
is saved it is shown as one plain sentence, with its risk. Thin; the form is in
`tools.rule_form`, what rules mean in `access`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partialmethod
from typing import Any

from homeassistant.config_entries import SOURCE_RECONFIGURE, SubentryFlowResult

from .access.defaults import DEFAULTS, READY_MADE, ReadyRule
from .access.model import AccessRule
from .access.rule_sentence import rule_risk, rule_sentence
from .flow_menus import menu
from .tools.access_rules import missing_rules, ready_rules_there, rule_data
from .tools.markdown import plain, warning
from .tools.person_language import async_language, current_user_id
from .tools.rule_form import (
    FormErrors,
    filled_in,
    form_values,
    rule_of_form,
    rule_schema,
)
from .tools.rule_names import RuleNames, async_rule_names
from .tools.rule_things import lasting, readable
from .tools.subentry_flow import SubentryFlow

NEW_RULE = {"how": "allow", "enabled": True, "through": []}


class AccessRuleFlow(SubentryFlow):
    """Adds a rule, written or ready-made, and changes one."""

    _rule: AccessRule
    _names: RuleNames

    @menu
    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask whether to write a rule, or to take one that is ready."""
        options = ["rule"]
        entry = self._get_entry()
        options += ["ready"] if missing_rules(entry, READY_MADE) else []
        options += ["restore"] if missing_rules(entry, DEFAULTS) else []
        if len(options) == 1:
            return await self.async_step_rule()
        return self.async_show_menu(step_id="user", menu_options=options)

    @menu
    async def async_step_ready(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Offer the ready-made rules that are not there yet."""
        return self._offer("ready", READY_MADE)

    @menu
    async def async_step_restore(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Offer the default rules that were deleted."""
        return self._offer("restore", DEFAULTS)

    def _offer(self, step: str, rules: Iterable[ReadyRule]) -> SubentryFlowResult:
        if missing := missing_rules(self._get_entry(), rules):
            return self.async_show_menu(step_id=step, menu_options=missing)
        return self.async_abort(reason="already_there")

    async def async_take_ready(
        self, ready: ReadyRule, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Go on with a default or ready-made rule as it is."""
        self._names = await async_rule_names(self.hass)
        self._rule = replace(ready.rule, enabled=True)
        return await self.async_step_confirm()

    async def async_step_rule(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Write a new rule."""
        return await self._edit("rule", NEW_RULE, user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change a rule; a damaged one shows what of it can be shown."""
        data = readable(self.hass, self._get_reconfigure_subentry().data)
        return await self._edit("reconfigure", data, user_input)

    async def _edit(
        self, step: str, stored: Mapping[str, Any], user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        self._names = await async_rule_names(self.hass)
        if user_input is None:
            return self._form(step, stored, FormErrors(errors={}, placeholders={}))
        data = readable(self.hass, filled_in(user_input))
        rule = rule_of_form(data, stored.get("key"))
        if isinstance(rule, FormErrors):
            return self._form(step, data, rule)
        self._rule = rule
        return await self.async_step_confirm()

    def _form(
        self, step: str, data: Mapping[str, Any], told: FormErrors
    ) -> SubentryFlowResult:
        values = form_values(data)
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(
                rule_schema(self._names, filled_in(values), told.errors), values
            ),
            errors=dict(told.errors),
            description_placeholders=told.placeholders,
            last_step=False,
        )

    async def async_step_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the rule as a sentence, with its risk, and save it when confirmed."""
        rule, names = self._rule, self._names
        if user_input is not None:
            return self._save(rule_sentence(rule, names, self.hass.config.language))
        language = await async_language(self.hass, current_user_id())
        return self.async_show_form(
            step_id="confirm",
            description_placeholders={
                "sentence": plain(rule_sentence(rule, names, language)),
                "risk": warning(rule_risk(rule, language)),
            },
            last_step=True,
        )

    def _save(self, title: str) -> SubentryFlowResult:
        data = rule_data(lasting(self.hass, self._rule))
        key, there = self._rule.key, ready_rules_there(self._get_entry())
        if self.source != SOURCE_RECONFIGURE and key and key in there:
            # Another flow was quicker.
            return self.async_abort(reason="already_there")
        return self.save(title, data)


# A menu of Home Assistant's leads to one step for each of its options.
for _ready in (*DEFAULTS, *READY_MADE):
    _step = partialmethod(AccessRuleFlow.async_take_ready, _ready)
    setattr(AccessRuleFlow, f"async_step_{_ready.key}", _step)

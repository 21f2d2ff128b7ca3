"""Fix flows of repair issues: each explains, then opens the editor that mends it.

A thin entrance; `tools.mending` finds the editor. An issue stays until what it tells of
is mended; only what there is nothing to mend in goes away once it was read.
"""

from typing import Any, override

from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir, selector
import probatio

from .const import DOMAIN
from .hosts.registry import Trouble
from .runtime import DATA_RUNTIME
from .tools import mending, sequence_issues, sequence_losses

type Input = dict[str, Any] | None

CALLER = "caller"


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow that mends an issue of that kind."""
    issue = ir.async_get(hass).async_get_issue(DOMAIN, issue_id)
    return _FLOWS.get(issue.translation_key or "" if issue else "", OpenEditor)()


class Explained(RepairsFlow):
    """A flow whose first step says what is wrong."""

    @property
    def _about(self) -> dict[str, str]:
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return mending.told(None if issue is None else issue.translation_placeholders)

    def _explain(self, schema: probatio.Schema | None = None) -> RepairsFlowResult:
        return self.async_show_form(
            step_id="confirm",
            data_schema=schema or probatio.Schema({}),
            description_placeholders=self._about,
        )

    def _opened(self, editor: mending.Editor | None) -> RepairsFlowResult:
        if editor is None:
            return self.async_abort(reason="gone")
        return self.async_abort(reason="opened", next_flow=_next(editor))

    async def async_step_init(self, user_input: Input = None) -> RepairsFlowResult:
        """Begin; Home Assistant gives the data of the issue, not an answer."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain."""
        raise NotImplementedError


class OpenEditor(Explained):
    """Opens the editor of what is damaged, broken, proposed or out of reach."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, then open it."""
        if user_input is None:
            return self._explain()
        return self._opened(await mending.async_open_editor(self.hass, self.data or {}))


class Outdated(Explained):
    """Tells how to update a waiter, and whether it has come back as a newer one."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, and look whether the issue is over."""
        if user_input is None:
            return self._explain()
        issues = ir.async_get(self.hass)
        if (issue := issues.async_get_issue(DOMAIN, self.issue_id)) is None:
            return self.async_create_entry(data={})
        return self.async_show_form(
            step_id="confirm",
            data_schema=probatio.Schema({}),
            errors={"base": "not_yet"},
            description_placeholders=mending.told(issue.translation_placeholders),
        )


class NotRenamed(Explained):
    """Asks for another name; the issue is over when it was read."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, then ask."""
        if user_input is None:
            return self._explain()
        editor = await mending.async_open_name(self.hass, self.data or {})
        following = None if editor is None else _next(editor)
        return self.async_create_entry(data={}, next_flow=following)


class Renamed(Explained):
    """Tells what was changed; there is nothing to mend."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, and that is all."""
        if user_input is None:
            return self._explain()
        return self.async_create_entry(data={})


class Missed(Explained):
    """Opens one of the sequences that call one which is gone."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, and ask which one to change where there are several."""
        library = self.hass.data[DATA_RUNTIME].library
        callers = library.callers_of(str((self.data or {}).get("name")))
        if not callers:
            return self.async_abort(reason="gone")
        if user_input is None:
            return self._explain(_choice_of(callers))
        key = library.key_of(str(user_input[CALLER]))
        data = {} if key is None else mending.issue_data(key)
        return self._opened(await mending.async_open_editor(self.hass, data))


class Disabled(Missed):
    """Enables a sequence again, or opens one of those that call it."""

    @override
    async def async_step_init(self, user_input: Input = None) -> RepairsFlowResult:
        """Ask which of both sides to mend."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["enable", "confirm"],
            description_placeholders=self._about,
        )

    async def async_step_enable(self, user_input: Input = None) -> RepairsFlowResult:
        """Enable it."""
        entries = self.hass.config_entries
        entry = entries.async_get_entry(str((self.data or {}).get("entry_id")))
        if entry is None:
            return self.async_abort(reason="gone")
        await entries.async_set_disabled_by(entry.entry_id, None)
        return self.async_create_entry(data={})


def _next(editor: mending.Editor) -> tuple[FlowType, str]:
    """Return an editor with the kind of its flow as repairs name it."""
    kind, flow_id = editor
    return FlowType(kind.value), flow_id


def _choice_of(callers: list[str]) -> probatio.Schema:
    config = selector.SelectSelectorConfig(options=callers)
    return probatio.Schema(
        {
            probatio.Required(
                CALLER, default=next(iter(callers), "")
            ): selector.SelectSelector(config)
        }
    )


_FLOWS: dict[str, type[Explained]] = {
    sequence_issues.NOT_RENAMED: NotRenamed,
    sequence_issues.RENAMED: Renamed,
    sequence_losses.DISABLED: Disabled,
    sequence_losses.REMOVED: Missed,
    f"host_{Trouble.WAITER_OUTDATED}": Outdated,
}

"""Fix flows of repair issues: each explains, then opens the editor that mends it.

A thin entrance; `repair_flows` has the flows that tell of one matter, here are those that
ask which of several sequences to change.
"""

from typing import override

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir, selector
import probatio

from .const import DOMAIN
from .flow_menus import menu
from .hosts.registry import Trouble
from .repair_flows import Explained, Input, NotRenamed, OpenEditor, Outdated, Renamed
from .runtime import DATA_RUNTIME
from .tools import mending, sequence_issues, sequence_losses

CALLER = "caller"


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow that mends an issue of that kind."""
    issue = ir.async_get(hass).async_get_issue(DOMAIN, issue_id)
    return _FLOWS.get(issue.translation_key or "" if issue else "", OpenEditor)()


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
            return self.explain(_choice_of(callers))
        key = library.key_of(str(user_input[CALLER]))
        data = {} if key is None else mending.issue_data(key)
        return self.opened(await mending.async_open_editor(self.hass, data))


class Disabled(Missed):
    """Enables a sequence again, or opens one of those that call it."""

    @override
    @menu
    async def async_step_init(self, user_input: Input = None) -> RepairsFlowResult:
        """Ask which of both sides to mend."""
        return self.async_show_menu(
            step_id="init",
            menu_options=["enable", "confirm"],
            description_placeholders=self.about,
        )

    async def async_step_enable(self, user_input: Input = None) -> RepairsFlowResult:
        """Enable it."""
        entries = self.hass.config_entries
        entry = entries.async_get_entry(str((self.data or {}).get("entry_id")))
        if entry is None:
            return self.async_abort(reason="gone")
        await entries.async_set_disabled_by(entry.entry_id, None)
        return self.async_create_entry(data={})


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

"""The editor in which a matter is mended that a repair issue tells of.

Above Home Assistant's config flows; beside the modules that raise issues, whose data say
what is meant: `entry_id`, and `subentry_id` where a rule, a host or an agent is meant.
"""

from collections.abc import Mapping

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlowContext,
    FlowType,
    SubentryFlowContext,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..editing.markdown import bullets, escaped

type Editor = tuple[FlowType, str]
type IssueData = dict[str, str | int | float | None]


def issue_data(entry_id: str, subentry_id: str | None = None) -> IssueData:
    """Return the data of an issue that is mended in an entry or a part of one."""
    data: IssueData = {"entry_id": entry_id}
    return data if subentry_id is None else data | {"subentry_id": subentry_id}


async def async_open_editor(
    hass: HomeAssistant, data: Mapping[str, object]
) -> Editor | None:
    """Begin the flow that edits what an issue tells of; None if that is gone."""
    entry = hass.config_entries.async_get_entry(str(data.get("entry_id")))
    if entry is None:
        return None
    if "subentry_id" not in data:
        options = await hass.config_entries.options.async_init(entry.entry_id)
        return FlowType.OPTIONS_FLOW, options["flow_id"]
    return await _async_open_subentry(hass, entry, str(data["subentry_id"]))


async def _async_open_subentry(
    hass: HomeAssistant, entry: ConfigEntry, subentry_id: str
) -> Editor | None:
    subentry = entry.subentries.get(subentry_id)
    if subentry is None:
        return None
    flow = await hass.config_entries.subentries.async_init(
        (entry.entry_id, subentry.subentry_type),
        context=SubentryFlowContext(source=SOURCE_RECONFIGURE, subentry_id=subentry_id),
    )
    if flow["type"] is FlowResultType.ABORT:
        return None
    return FlowType.CONFIG_SUBENTRIES_FLOW, flow["flow_id"]


async def async_open_name(
    hass: HomeAssistant, data: Mapping[str, object]
) -> Editor | None:
    """Begin the flow that asks for another name of an entry; None if it is gone."""
    entry = hass.config_entries.async_get_entry(str(data.get("entry_id")))
    if entry is None:
        return None
    flow = await hass.config_entries.flow.async_init(
        DOMAIN,
        context=ConfigFlowContext(source=SOURCE_RECONFIGURE, entry_id=entry.entry_id),
    )
    return FlowType.CONFIG_FLOW, flow["flow_id"]


@callback
def forget_issues(hass: HomeAssistant, entry_id: str) -> None:
    """Take back all that was told of an entry, which is being removed."""
    for issue in tuple(ir.async_get(hass).issues.values()):
        if issue.domain == DOMAIN and (issue.data or {}).get("entry_id") == entry_id:
            ir.async_delete_issue(hass, DOMAIN, issue.issue_id)


def told(placeholders: Mapping[str, str] | None) -> dict[str, str]:
    """Return an issue's texts as Markdown that shows them as they are."""
    return {
        key: bullets(lines) if len(lines := text.splitlines()) > 1 else escaped(text)
        for key, text in (placeholders or {}).items()
    }

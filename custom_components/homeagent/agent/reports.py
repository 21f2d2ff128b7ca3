"""What is known of an agent's model server, told where people look: repairs and the log.

Above Home Assistant's issue registry. An issue goes away when the server does what it
could not; a wrong key starts the flow that asks for a new one and never fails the entry.
"""

from collections.abc import Callable
import logging
from typing import Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..tools.mending import issue_data
from .settings import server_name
from .troubles import Kind, ServerTrouble

_LOGGER = logging.getLogger(__name__)

NO_TOOLS: Final = "agent_no_tools"
NO_STREAMING: Final = "agent_no_streaming"
UNREACHABLE: Final = "agent_unreachable"

CONTEXT_SUBENTRY: Final = "homeagent_subentry_id"
"""Key of a reauth flow's data: whose key it asks for."""

_ISSUES: Final = {
    Kind.NO_TOOLS: NO_TOOLS,
    Kind.NO_STREAMING: NO_STREAMING,
    Kind.UNREACHABLE: UNREACHABLE,
    Kind.NOT_FOUND: UNREACHABLE,
}


class ServerReports:
    """The reports of one agent; `subentry` returns it as it is now, None when gone."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry,
        subentry: Callable[[], ConfigSubentry | None],
    ) -> None:
        """Take where reports go."""
        self._hass = hass
        self._entry = entry
        self._subentry = subentry
        self._last: Kind | None = None

    @callback
    def tell(self, trouble: ServerTrouble | None) -> None:
        """Report a trouble, or that a reply came without one."""
        subentry = self._subentry()
        if subentry is None:
            return
        if trouble is None:
            self._all_is_well(subentry)
            return
        self._log(subentry, trouble)
        if trouble.kind is Kind.BAD_KEY:
            self._entry.async_start_reauth(
                self._hass,
                context={"title_placeholders": {"name": subentry.title}},
                data={CONTEXT_SUBENTRY: subentry.subentry_id},
            )
        elif (key := _ISSUES.get(trouble.kind)) is not None:
            self._raise_issue(subentry, key, trouble)

    def _all_is_well(self, subentry: ConfigSubentry) -> None:
        if self._last is not None:
            _LOGGER.info("The model server of %s answers again", subentry.title)
            self._last = None
        for key in (NO_TOOLS, UNREACHABLE):
            ir.async_delete_issue(self._hass, DOMAIN, _issue_id(key, subentry))

    def _log(self, subentry: ConfigSubentry, trouble: ServerTrouble) -> None:
        """Warn once of each kind of trouble until it is over."""
        level = logging.DEBUG if self._last is trouble.kind else logging.WARNING
        self._last = trouble.kind
        _LOGGER.log(
            level,
            "The model server of %s: %s %s",
            subentry.title,
            trouble.kind,
            trouble.detail,
        )

    def _raise_issue(
        self, subentry: ConfigSubentry, key: str, trouble: ServerTrouble
    ) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            _issue_id(key, subentry),
            data=issue_data(self._entry.entry_id, subentry.subentry_id),
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=key,
            translation_placeholders={
                "agent": subentry.title,
                "server": server_name(str(subentry.data.get("url", ""))),
                "detail": trouble.detail or trouble.kind.value,
            },
        )


def _issue_id(key: str, subentry: ConfigSubentry) -> str:
    return f"{key}_{subentry.subentry_id}"


@callback
def forget(hass: HomeAssistant, subentry_id: str) -> None:
    """Take back the issues of an agent that is gone or was set up anew."""
    for key in (NO_TOOLS, NO_STREAMING, UNREACHABLE):
        ir.async_delete_issue(hass, DOMAIN, f"{key}_{subentry_id}")

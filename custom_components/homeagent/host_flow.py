"""Adding a NAS host in Home Assistant's UI, and what can be done with its key.

A part of the config flow: the flow of the HomeAgent entry's subentries of the kind
`host`. What waits for a host with a code is in `host_pairing`.
"""

import asyncio
from typing import Any

from homeassistant.config_entries import SubentryFlowResult
import probatio

from .flow_menus import menu
from .flow_progress import Progress
from .host_pairing import PairingSteps
from .tools.host_records import CONF_HOST_ID, host_data

ROTATE_LIMIT = 15.0
"""Seconds that a host gets to store its new key."""


class HostFlow(PairingSteps):
    """Pairs a host, pairs it again, gives it another key, or takes its key away."""

    _rotating: asyncio.Task[bool] | None = None
    _progress: Progress

    @menu
    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask what to do with the host's key."""
        return self.async_show_menu(
            step_id="reconfigure", menu_options=["rotate", "pair_again", "revoke"]
        )

    async def async_step_rotate(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Give the host a new key; the old one is good until it has stored it."""
        if self._rotating is None:
            host_id = self._get_reconfigure_subentry().data[CONF_HOST_ID]
            host = self.link.registry.get(host_id)
            if host is None or not host.connected:
                return self.async_abort(reason="host_offline")
            self._progress = Progress()
            self._rotating = self.hass.async_create_task(
                self.link.rotate(host_id, ROTATE_LIMIT)
            )
        progress = await self._progress.async_of(
            self.hass, self._rotating, "homeagent new key is shown"
        )
        if progress is None:
            return await self.async_step_rotated()
        if not progress.done():
            return self.async_show_progress(
                step_id="rotate",
                progress_action="wait_for_key",
                progress_task=progress,
            )
        return self.async_show_progress_done(next_step_id="rotated")

    async def async_step_rotated(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say whether the host has stored it."""
        assert self._rotating is not None
        try:
            confirmed = await self._rotating
        except ValueError:
            return self.async_abort(reason="host_offline")
        return self.async_abort(
            reason="key_rotated" if confirmed else "key_not_confirmed"
        )

    async def async_step_revoke(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Take the host's key away, after a question."""
        subentry = self._get_reconfigure_subentry()
        if user_input is None:
            return self.async_show_form(
                step_id="revoke",
                data_schema=probatio.Schema({}),
                description_placeholders={"host": subentry.title},
            )
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            data=host_data(subentry.data[CONF_HOST_ID], None),
            reason="host_revoked",
        )

"""Adding a NAS host in Home Assistant's UI, and what can be done with its key.

A part of the config flow: the flow of the HomeAgent entry's subentries of the kind
`host`. The code lives as long as the dialog that shows it (page 4 §4.1).
"""

import asyncio
from typing import Any, override

from homeassistant.config_entries import ConfigEntryState, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers.network import NoURLAvailableError, get_url
import probatio

from .hosts.pairing import Paired, Pairing, PairingEndedError, TooManyPairingsError
from .runtime import DATA_RUNTIME
from .tools.host_link import HostLink
from .tools.host_records import CONF_HOST_ID, HOST, host_data
from .tools.subentry_flow import SubentryFlow

ROTATE_LIMIT = 15.0
"""Seconds that a host gets to store its new key."""

_USUAL_URL = "http://homeassistant.local:8123"


class HostFlow(SubentryFlow):
    """Pairs a host, pairs it again, gives it another key, or takes its key away."""

    _pairing: Pairing | None = None
    _waiting: asyncio.Task[Paired] | None = None
    _rotating: asyncio.Task[bool] | None = None
    _why = ""
    _taken = False
    """Whether the host that came is being added."""

    @property
    def _link(self) -> HostLink:
        return self.hass.data[DATA_RUNTIME].hosts

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the code and wait for the host."""
        return await self._pair("user", "add", None)

    async def async_step_add(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Add the host that came with the code."""
        paired = await self._found()
        self._taken = True
        return self.async_create_entry(
            title=self._free_name(paired.name),
            data=host_data(paired.id, paired.key),
            unique_id=paired.id,
        )

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
            host = self._link.registry.get(host_id)
            if host is None or not host.connected:
                return self.async_abort(reason="host_offline")
            self._rotating = self.hass.async_create_task(
                self._link.rotate(host_id, ROTATE_LIMIT)
            )
        if not self._rotating.done():
            return self.async_show_progress(
                step_id="rotate",
                progress_action="wait_for_key",
                progress_task=self._rotating,
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

    async def async_step_pair_again(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show a code for a host that is there already."""
        host_id = self._get_reconfigure_subentry().data[CONF_HOST_ID]
        return await self._pair("pair_again", "paired_again", host_id)

    async def async_step_paired_again(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Take over the key that the host has now."""
        paired = await self._found()
        self._taken = True
        return self.async_update_and_abort(
            self._get_entry(),
            self._get_reconfigure_subentry(),
            data=host_data(paired.id, paired.key),
            reason="host_paired",
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

    async def async_step_ended(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say why nobody can come with the code any more."""
        return self.async_abort(reason=self._why)

    async def _pair(
        self, step: str, then: str, host_id: str | None
    ) -> SubentryFlowResult:
        """Wait for a host with a code, which is made at the first call."""
        if self._waiting is None:
            if self._get_entry().state is not ConfigEntryState.LOADED:
                return self.async_abort(reason="entry_not_loaded")
            try:
                self._pairing = self._link.pairings.open(host_id)
            except TooManyPairingsError:
                return self.async_abort(reason="too_many_pairings")
            self._waiting = self.hass.async_create_task(self._found())
        assert self._pairing is not None
        if not self._waiting.done():
            return self.async_show_progress(
                step_id=step,
                progress_action="wait_for_host",
                progress_task=self._waiting,
                description_placeholders={
                    "code": self._pairing.code,
                    "command": f"waiter pair {self._url()}",
                },
            )
        if isinstance(error := self._waiting.exception(), PairingEndedError):
            self._why = f"pairing_{error.why.value}"
            return self.async_show_progress_done(next_step_id="ended")
        return self.async_show_progress_done(next_step_id=then)

    async def _found(self) -> Paired:
        assert self._pairing is not None
        return await asyncio.shield(self._pairing.found)

    def _url(self) -> str:
        try:
            return get_url(self.hass, allow_cloud=False, prefer_external=False)
        except NoURLAvailableError:
            return _USUAL_URL

    def _free_name(self, wanted: str) -> str:
        """Return a name that no other host has; it names the host in commands."""
        name = wanted.strip() or "NAS"
        entry = self._get_entry()
        taken = {
            subentry.title.casefold() for subentry in entry.get_subentries_of_type(HOST)
        }
        number, free = 1, name
        while free.casefold() in taken:
            number += 1
            free = f"{name} {number}"
        return free

    @callback
    @override
    def async_remove(self) -> None:
        """Close the code with its dialog, unless a host has come with it."""
        if self._pairing is not None and not self._taken:
            self._link.pairings.close(self._pairing)

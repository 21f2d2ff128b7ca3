"""Pairing a host in Home Assistant's UI, the first time and again (page 4 §4.1).

A part of the config flow, below `host_flow`. The code lives as long as the dialog that
shows it.
"""

import asyncio
from typing import Any, override

from homeassistant.config_entries import ConfigEntryState, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers.network import NoURLAvailableError, get_url

from .hosts.pairing import Paired, Pairing, PairingEndedError, TooManyPairingsError
from .runtime import DATA_RUNTIME
from .tools.host_link import HostLink
from .tools.host_records import CONF_HOST_ID, HOST, free_name, host_data
from .tools.subentry_flow import SubentryFlow

_USUAL_URL = "http://homeassistant.local:8123"


class PairingSteps(SubentryFlow):
    """The steps that wait for a host with a code."""

    _pairing: Pairing | None = None
    _waiting: asyncio.Task[Paired] | None = None
    _why = ""
    _taken = False
    """Whether the host that came is being added."""

    @property
    def link(self) -> HostLink:
        """All hosts."""
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
            title=free_name(paired.name, self._names()),
            data=host_data(paired.id, paired.key),
            unique_id=paired.id,
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
                self._pairing = self.link.pairings.open(host_id)
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

    def _names(self) -> list[str]:
        entry = self._get_entry()
        return [one.title for one in entry.get_subentries_of_type(HOST)]

    @callback
    @override
    def async_remove(self) -> None:
        """Close the code with its dialog, unless a host has come with it."""
        if self._pairing is not None and not self._taken:
            self.link.pairings.close(self._pairing)

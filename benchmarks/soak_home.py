"""The home that is soaked: an agent, a host, lamps, sequences, and a guest with a rule.

Above `agent_home` and `soak_waiter`.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json

from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, Event, HomeAssistant, callback

from custom_components.homeagent.const import (
    CONF_BATCHES_KEPT,
    CONF_RUNS_KEPT,
    DOMAIN,
    EVENT_TOOL_CALL,
    KERNEL_UNIQUE_ID,
)
from custom_components.homeagent.tools.access_rules import default_subentries

from .agent_home import IN_ORDER, SAFE, AgentHome, answers, open_agent_home
from .figure import BenchmarkError
from .lamps import add_lamps
from .soak_ledger import Absences, Faults, Ledger
from .soak_waiter import Nas, connected, host

LAMPS = 8
STEADY = ("Steady 1", "Steady 2", "Steady 3")
CALLER = "Caller"
CALLEE = "Callee"
SLOW = "Slow"
SECONDS = 0.02
"""How long a tool takes."""

LONG = 30.0
"""How long a tool takes whose run will be cancelled."""

RUNS_KEPT = 20
BATCHES_KEPT = 100
"""What the history keeps: full long before the warm-up ends."""

ENDS_REMEMBERED = 500
"""Runs whose end is compared with the history."""


@dataclass(slots=True, kw_only=True)
class Soak:
    """The home and the books."""

    agent: AgentHome
    nas: Nas
    guest_id: str
    faults: Faults
    ledger: Ledger
    absences: Absences
    ended: OrderedDict[str, str] = field(default_factory=OrderedDict)
    refused: int = 0

    @property
    def hass(self) -> HomeAssistant:
        """Home Assistant."""
        return self.agent.home.hass

    async def act(
        self, action: str, data: Mapping[str, object], user_id: str | None = None
    ) -> Mapping[str, object]:
        """Call an action of HomeAgent as somebody, the administrator if not said."""
        response = await self.hass.services.async_call(
            DOMAIN,
            action,
            dict(data),
            blocking=True,
            context=Context(user_id=user_id or self.agent.home.user_id),
            return_response=True,
        )
        if response is None:
            raise BenchmarkError(f"homeagent.{action} gave no response")
        return response

    def end(self, run_id: str, status: str) -> None:
        """Remember how a run ended, as its caller was told."""
        self.ended[run_id] = status
        if len(self.ended) > ENDS_REMEMBERED:
            self.ended.popitem(last=False)

    def close(self, mark: str, wanted: range, *, at_most: bool = False) -> None:
        """Book what ran and close a mark."""
        self.ledger.take(self.agent.ran)
        self.ledger.close(mark, wanted, at_most=at_most)

    def kernel(self) -> ConfigEntry:
        """Return the HomeAgent entry."""
        return self._entry(KERNEL_UNIQUE_ID, "unique_id")

    def entry(self, name: str) -> ConfigEntry:
        """Return a sequence's entry by its title."""
        return self._entry(name, "title")

    def _entry(self, text: str, field: str) -> ConfigEntry:
        for entry in self.hass.config_entries.async_entries(DOMAIN):
            if getattr(entry, field) == text:
                return entry
        raise BenchmarkError(f"there is no entry with the {field} {text}")

    @callback
    def told(self, event: Event) -> None:
        """Book the event of a call."""
        self.ledger.tell((event.data["batch_id"], event.data["index"]))


@asynccontextmanager
async def open_soak() -> AsyncIterator[Soak]:
    """Start the home with everything in it; stop it in the end."""
    parts = (*default_subentries("en"), host())
    async with open_agent_home(parts) as agent:
        agent.server.always = answers(SAFE, 2, SECONDS)
        guest = await agent.home.hass.auth.async_create_user(
            "Guest", group_ids=[GROUP_ID_USER]
        )
        faults = Faults()
        soak = Soak(
            agent=agent,
            nas=Nas(
                runtime=lambda: agent.home.runtime, ran=agent.ran, url=agent.home.url
            ),
            guest_id=guest.id,
            faults=faults,
            ledger=Ledger(faults),
            absences=Absences(),
        )
        await add_lamps(agent.home, LAMPS)
        await _furnish(soak)
        stop = soak.hass.bus.async_listen(EVENT_TOOL_CALL, soak.told)
        async with connected(soak.nas):
            yield soak
        stop()


async def _furnish(soak: Soak) -> None:
    kernel = soak.kernel()
    kept = {CONF_RUNS_KEPT: RUNS_KEPT, CONF_BATCHES_KEPT: BATCHES_KEPT}
    soak.hass.config_entries.async_update_entry(
        kernel, options={**kernel.options, **kept}
    )
    for name in (*STEADY, CALLEE):
        await save(soak, name, steady_groups())
    await save(soak, CALLER, [_calling()])
    await save(soak, SLOW, [group("slow", [entry(SAFE, 0, seconds=LONG)])])
    await soak.hass.async_block_till_done()


async def save(
    soak: Soak, name: str, groups: list[dict[str, object]], description: str = "Soaked"
) -> None:
    """Create a sequence or save another version of it."""
    data = {
        "name": name,
        "description": description,
        "groups": groups,
        "replace": True,
    }
    made = await soak.act("seq_create", data)
    if made.get("success") is not True:
        raise BenchmarkError(f"{name} was refused: {str(made)[:300]}")


def steady_groups() -> list[dict[str, object]]:
    """Return two groups: two calls at the same time, then two in order."""
    return [
        group("first", [entry(SAFE, 0), entry(SAFE, 1)]),
        group("second", [entry(IN_ORDER, 2), entry(SAFE, 3)], parallel=False),
    ]


def group(
    name: str, entries: list[dict[str, object]], **more: object
) -> dict[str, object]:
    """Return a group that takes a mark."""
    tools = " ".join(f"{json.dumps(each)} ;" for each in entries)
    return {"name": name, "in": {"mark": "string"}, "tools": tools, **more}


def entry(tool: str, number: int, seconds: float = SECONDS) -> dict[str, object]:
    """Return one call of a group."""
    made: dict[str, object] = {
        "tool": tool,
        "args": {"mark": "$args.mark", "number": number, "seconds": seconds},
    }
    return made | ({"unsafe_serial": True} if tool == IN_ORDER else {})


def _calling() -> dict[str, object]:
    call = {
        "tool": "seq_call",
        "args": {"target": f"#{CALLEE}", "args": {"mark": "$args.mark"}},
        "unsafe_serial": True,
    }
    return group("calling", [call], parallel=False)

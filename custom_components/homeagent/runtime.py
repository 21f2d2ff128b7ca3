"""The composition root: the only module that puts things together.

Made once in `async_setup`, before any entry; entries add themselves to what is here.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from .access.policy import AdministratorsAndAutomations
from .const import CONF_NOT_PARALLEL_SAFE, CONF_PARALLEL_SAFE, DOMAIN
from .kernel.batch import Batch, BatchResult
from .kernel.contract import Caller, CallFacts, Tool, ToolCall, Verdict
from .kernel.door import Door
from .sequence.engine import Engine
from .sequence.library import Library
from .sequence.ports import Ports
from .sequence.reach import Reach
from .storage import HistoryStore
from .tools.actions import ActionRegistry
from .tools.callers import Callers
from .tools.catalog import Catalog
from .tools.event_journal import EventJournal
from .tools.extensions import extensions_of
from .tools.foreign import ForeignTools
from .tools.history import History
from .tools.own_tools import small_tools
from .tools.reading_ports import ReadingPorts
from .tools.sequence_author import SequenceAuthor
from .tools.sequence_entries import SequenceEntries
from .tools.sequence_keeping import SequenceKeeping
from .tools.sequence_running import SequenceRunning
from .tools.sequence_watch import SequenceWatch
from .tools.tool_call import ToolCalling
from .tools.tool_search import SearchPorts, ToolSearch
from .tools.users import Users


class LoopClock:
    """Time as Home Assistant's event loop sees it."""

    def monotonic(self) -> float:
        """Return the loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Runtime:
    """Everything that lives as long as Home Assistant does."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Put the parts together; nothing is read yet."""
        own: dict[str, Tool] = {}
        self.users = Users(hass)
        self.callers = Callers(hass)
        self.library = Library()
        extensions = extensions_of(hass)
        self.hooks = extensions.hooks
        self.policy = AdministratorsAndAutomations(users=self.users)
        self.actions = ActionRegistry(hass, new_context=self.callers.new_context)
        self.foreign = ForeignTools(hass)
        self.registry = Catalog(own, [self.actions, extensions, self.foreign])
        self.door = Door(registry=self.registry, policy=self.policy, hooks=self.hooks)
        self.store = HistoryStore(hass)
        self.history = History(
            inner=EventJournal(hass),
            registry=self.registry,
            now=dt_util.utcnow,
            changed=self.store.changed,
        )
        self.author = SequenceAuthor(
            registry=self.registry,
            library=self.library,
            aside=hass.async_add_executor_job,
        )
        self.watch = SequenceWatch(
            hass,
            author=self.author,
            library=self.library,
            prepare=self.actions.async_prepare,
        )
        self.entries = SequenceEntries(hass, self.library, self.watch.sequences_changed)
        self.engine = Engine(
            Ports(
                tools=self.registry,
                open_batch=self._open_inner_batch,
                can_use=self.policy.can_use,
                sequences=self.library,
                clock=LoopClock(),
                new_id=ulid_now,
            ),
            begun=self.history.run_begun,
            finished=self.history.run_finished,
        )
        keeping = SequenceKeeping(
            hass,
            author=self.author,
            entries=self.entries,
            library=self.library,
            prepare=self.actions.async_prepare,
        )
        running = SequenceRunning(
            engine=self.engine,
            policy=self.policy,
            history=self.history,
            start_task=hass.async_create_background_task,
            new_id=ulid_now,
        )
        for tool in (*keeping.tools(), *running.tools(), *self._small_tools(hass)):
            own[tool.definition.name] = tool

    def _small_tools(self, hass: HomeAssistant) -> list[Tool]:
        """Make the tools that read, wait, search tools and call them by name."""
        reading = ReadingPorts(
            hass=hass,
            may_read=self._may_read,
            sees_everything=self.policy.sees_everything,
        )
        search = SearchPorts(
            registry=self.registry,
            sequences=self.library,
            policy=self.policy,
            prepare=self.actions.async_prepare,
            reach=Reach(tools=self.registry, sequences=self.library),
        )
        calling = ToolCalling(
            registry=self.registry,
            facts_of=self._facts_of,
            open_batch=self._open_inner_batch,
        )
        return [
            *small_tools(reading, LoopClock().sleep),
            *ToolSearch(hass, search).tools(),
            calling,
        ]

    def _may_read(self, caller: Caller, entity_id: str) -> bool:
        """Whether a caller may learn the state of an entity."""
        tool = self.registry.find("get_state")
        if tool is None:
            return False
        decision = self.policy.can_use(caller, tool, {"entity_id": entity_id})
        return decision.verdict is Verdict.ALLOW

    def _facts_of(self, caller: Caller, call: ToolCall) -> CallFacts:
        """Return what a call would act on, taken through the gates."""
        return self.door.facts(caller, self.door.prepare(caller, call))

    async def async_start(self) -> None:
        """Read the users, and begin to read the descriptions of all actions."""
        await self.users.async_load()
        await self.store.async_start(self.history, self.engine.runs)
        self.actions.async_start()
        self.foreign.async_start()
        self.watch.async_start()

    @callback
    def apply_kernel_options(self, options: Mapping[str, Any]) -> None:
        """Take over the options of the HomeAgent entry; without entry, none."""
        self.actions.set_overrides(
            dict.fromkeys(options.get(CONF_PARALLEL_SAFE, ()), True)
            | dict.fromkeys(options.get(CONF_NOT_PARALLEL_SAFE, ()), False)
        )

    async def call(self, caller: Caller, calls: Sequence[ToolCall]) -> BatchResult:
        """Run calls as a batch; the way in for every entrance."""
        return await self._batch(caller, calls, mask=True).run()

    def _open_inner_batch(self, caller: Caller, calls: Sequence[ToolCall]) -> Batch:
        """Open a batch for the engine, which sees true reasons."""
        return self._batch(caller, calls, mask=False)

    def _batch(self, caller: Caller, calls: Sequence[ToolCall], *, mask: bool) -> Batch:
        return Batch(
            door=self.door,
            journal=self.history,
            caller=caller,
            calls=calls,
            batch_id=self.callers.new_id(),
            mask=mask,
        )


DATA_RUNTIME: HassKey[Runtime] = HassKey(DOMAIN)


async def async_get_runtime(hass: HomeAssistant) -> Runtime:
    """Return the runtime, for flows: they may come before there is any entry."""
    if DATA_RUNTIME not in hass.data:
        await async_setup_component(hass, DOMAIN, {})
    return hass.data[DATA_RUNTIME]

"""The composition root: the only module that puts things together.

Made once in `async_setup`, before any entry; entries add themselves to what is here.
"""

import asyncio
from collections.abc import Mapping, Sequence
import logging
import time
from typing import Any

from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import (
    DOMAIN as HOMEASSISTANT_DOMAIN,
    Event,
    HomeAssistant,
    callback,
)
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.start import async_at_started
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import ulid_now

from .access.answers import AnswerRule
from .access.policy import RulePolicy
from .access.ports import SequenceView
from .access.refusal_log import RefusalJournal, RefusalLog
from .const import (
    CONF_BATCHES_KEPT,
    CONF_NOT_PARALLEL_SAFE,
    CONF_PARALLEL_SAFE,
    CONF_RUNS_KEPT,
    DOMAIN,
)
from .kernel.agreements import AgreementPolicy
from .kernel.answering import Answering
from .kernel.batch import Batch, BatchResult
from .kernel.contract import Caller, CallFacts, Tool, ToolCall
from .kernel.door import Door
from .kernel.requests import Requests
from .menu_lists import MenuLists
from .sequence.engine import Engine
from .sequence.library import Library
from .sequence.ports import Ports
from .sequence.reach import Reach
from .storage import HistoryStore
from .tools.access_calls import Calls
from .tools.access_explaining import AccessExplainer
from .tools.access_home import Home
from .tools.access_rules import AccessRules
from .tools.actions import ActionRegistry
from .tools.callers import Callers
from .tools.catalog import Catalog
from .tools.event_journal import EventJournal
from .tools.extensions import extensions_of
from .tools.foreign import ForeignTools
from .tools.gates import Gates
from .tools.history import History
from .tools.host_link import HostLink
from .tools.host_tools import HostPorts, HostTools
from .tools.offering import Offering, OfferPorts
from .tools.own_tools import small_tools
from .tools.reading_ports import ReadingPorts
from .tools.request_events import RequestEvents
from .tools.rights import Rights
from .tools.sequence_author import SequenceAuthor
from .tools.sequence_entries import SequenceEntries
from .tools.sequence_keeping import SequenceKeeping
from .tools.sequence_losses import SequenceLosses
from .tools.sequence_news import SequenceNews
from .tools.sequence_presence import SequencePresence
from .tools.sequence_running import SequenceRunning
from .tools.sequence_watch import SequenceWatch
from .tools.tool_call import ToolCalling
from .tools.tool_search import SearchPorts, ToolSearch
from .tools.users import Users

_LOGGER = logging.getLogger(__name__)


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
        self._hass = hass
        own: dict[str, Tool] = {}
        self.users = Users(hass)
        self.callers = Callers(hass)
        self.library = Library()
        self.presence = SequencePresence(hass)
        extensions = extensions_of(hass)
        self.hooks = extensions.hooks
        self.home = Home(hass, users=self.users, sequence=self._sequence_view)
        self.hosts = HostLink(hass)
        rules = AccessRules(hass)
        calls = Calls(
            sequences=self.library,
            asks=rules.is_asked_first,
            hosts=self.hosts.device_ids,
            host_of=self.hosts.device_of,
        )
        self.access = RulePolicy(home=self.home, calls=calls, rules=rules.rules)
        self.policy = AgreementPolicy(self.access)
        self.actions = ActionRegistry(hass, new_context=self.callers.new_context)
        self.foreign = ForeignTools(hass, self.callers.new_context)
        self.registry = Catalog(own, [self.actions, extensions, self.foreign])
        self.rights = Rights(
            registry=self.registry,
            sequences=self.library,
            policy=self.policy,
            rules=self.access,
        )
        self.explainer = AccessExplainer(
            hass,
            registry=self.registry,
            policy=self.access,
            rules=rules.rules,
            prepare=self.actions.async_prepare,
        )
        self.requests = Requests(
            journal=RequestEvents(hass, tools=self.registry, calls=calls)
        )
        self.door = Door(
            registry=self.registry,
            policy=self.policy,
            hooks=self.hooks,
            requests=self.requests,
            may_name=self.access.may_name,
        )
        self.answering = Answering(
            requests=self.requests,
            open_batch=self._open_batch,
            may_answer=AnswerRule(self.home),
        )
        self.menu_lists = MenuLists(hass)
        self.store = HistoryStore(hass)
        self.history = History(
            inner=EventJournal(hass),
            registry=self.registry,
            now=dt_util.utcnow,
            changed=self.store.changed,
        )
        self.journal = RefusalJournal(
            self.history, RefusalLog(now=time.monotonic, write=_LOGGER.warning)
        )
        self.author = SequenceAuthor(
            registry=self.registry,
            library=self.library,
            aside=hass.async_add_executor_job,
            own_buttons=self.presence.buttons,
        )
        self.news = SequenceNews(
            hass, library=self.library, presence=self.presence, book=self.history
        )
        self.losses = SequenceLosses(hass, self.library)
        self.watch = SequenceWatch(
            hass,
            author=self.author,
            library=self.library,
            prepare=self.actions.async_prepare,
        )
        self.entries = SequenceEntries(hass, self.library, self._sequences_changed)
        self.engine = Engine(
            Ports(
                tools=self.registry,
                open_batch=self._open_inner_batch,
                can_use=self.policy.can_use,
                sequences=self.library,
                clock=LoopClock(),
                new_id=ulid_now,
                own_buttons=self.presence.buttons,
            ),
            begun=self.news.run_begun,
            finished=self.news.run_finished,
        )
        keeping = SequenceKeeping(
            hass,
            author=self.author,
            entries=self.entries,
            library=self.library,
            prepare=self.actions.async_prepare,
            may_run=self.rights.may_run,
            proposes_only=self.rights.proposes_only,
            sight_of=self.rights.sight_of,
        )
        running = SequenceRunning(
            engine=self.engine,
            policy=self.policy,
            history=self.history,
            start_task=hass.async_create_background_task,
            new_id=ulid_now,
            names=self._runnable,
        )
        for tool in (*keeping.tools(), *running.tools(), *self._small_tools(hass)):
            own[tool.definition.name] = tool
        self.offering = self._make_offering(hass)

    def _runnable(self, caller: Caller) -> list[str]:
        """Return the names of the sequences that somebody may run."""
        return [
            name for name in self.library.names() if self.rights.may_run(caller, name)
        ]

    def _make_offering(self, hass: HomeAssistant) -> Offering:
        """Make what models are given."""
        return Offering(
            OfferPorts(
                hass=hass,
                registry=self.registry,
                policy=self.policy,
                callers=self.callers,
                gates=Gates(door=self.door, open_batch=self._open_batch),
                library=self.library,
                presence=self.presence,
                may_read=self.rights.may_read,
                may_run=self.rights.may_run,
                prepare=self.actions.async_prepare,
            )
        )

    def _small_tools(self, hass: HomeAssistant) -> list[Tool]:
        """Make the tools that read, wait, search tools and call them by name."""
        reading = ReadingPorts(
            hass=hass,
            may_read=self.rights.may_read,
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
            own_buttons=self.presence.buttons,
        )
        return [
            *small_tools(reading, LoopClock().sleep),
            *ToolSearch(hass, search).tools(),
            *HostTools(self._host_ports()).tools(),
            calling,
        ]

    def _host_ports(self) -> HostPorts:
        """Return what the tools of hosts stand on."""
        return HostPorts(
            link=self.hosts,
            may_use=self.rights.may_use_host,
            who=self._caller_name,
            area=self._area_of_device,
        )

    def _caller_name(self, caller: Caller) -> str:
        """Name a caller, for the audit log of a host."""
        user = None if caller.user_id is None else self.users.name(caller.user_id)
        return " ".join(filter(None, (caller.entrance.value, user)))

    def _area_of_device(self, device_id: str) -> str | None:
        """Return the name of the area that a device is in."""
        device = dr.async_get(self._hass).async_get(device_id)
        if device is None or device.area_id is None:
            return None
        area = ar.async_get(self._hass).async_get_area(device.area_id)
        return None if area is None else area.name

    def _sequence_view(self, sequence_id: str) -> SequenceView | None:
        """Return what access control needs to know of a sequence."""
        if self.library.get(sequence_id) is None:
            return None
        return SequenceView(
            exposed=self.presence.exposed(sequence_id),
            has_sentences=self.presence.has_sentences(sequence_id),
        )

    def _sequences_changed(self, key: str) -> None:
        self.home.changed()
        self.watch.sequences_changed(key)
        self.news.sequence_changed(key)

    def _facts_of(self, caller: Caller, call: ToolCall) -> CallFacts:
        """Return what a call would act on, taken through the gates."""
        return self.door.facts(caller, self.door.prepare(caller, call))

    async def async_start(self) -> None:
        """Read the users, and begin to read the descriptions of all actions."""
        # Always there in a running Home Assistant; its exposure settings are needed.
        await async_setup_component(self._hass, HOMEASSISTANT_DOMAIN, {})
        await self.users.async_load()
        self.home.async_start()
        self._hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, self._async_stop)
        await self.menu_lists.async_load()
        await self.store.async_start(self.history, self.engine.runs)
        # Once automations listen, and entities have come back.
        async_at_started(self._hass, self._async_started)
        self.actions.async_start()
        self.foreign.async_start()
        self.watch.async_start()
        self.losses.async_start()

    @callback
    def _async_started(self, hass: HomeAssistant) -> None:
        self.news.runs_cut_off(self.history.take_cut_off())

    @callback
    def _async_stop(self, event: Event) -> None:
        """Nobody will answer any more."""
        self.requests.close()
        self.hosts.close()

    @callback
    def apply_kernel_options(self, options: Mapping[str, Any]) -> None:
        """Take over the options of the HomeAgent entry; without entry, none."""
        self.actions.set_overrides(
            dict.fromkeys(options.get(CONF_PARALLEL_SAFE, ()), True)
            | dict.fromkeys(options.get(CONF_NOT_PARALLEL_SAFE, ()), False)
        )
        self.offering.apply(options)
        self.history.keep(
            runs=options.get(CONF_RUNS_KEPT), batches=options.get(CONF_BATCHES_KEPT)
        )
        self.home.changed()

    async def call(self, caller: Caller, calls: Sequence[ToolCall]) -> BatchResult:
        """Run calls as a batch; the way in for every entrance."""
        return await self._open_batch(caller, calls).run()

    def _open_batch(self, caller: Caller, calls: Sequence[ToolCall]) -> Batch:
        """Open a batch whose answers leave the kernel."""
        return self._batch(caller, calls, mask=True)

    def _open_inner_batch(self, caller: Caller, calls: Sequence[ToolCall]) -> Batch:
        """Open a batch for the engine, which sees true reasons."""
        return self._batch(caller, calls, mask=False)

    def _batch(self, caller: Caller, calls: Sequence[ToolCall], *, mask: bool) -> Batch:
        return Batch(
            door=self.door,
            journal=self.journal,
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

"""Who stands behind a Home Assistant context (page 3 §3.1).

A context alone does not tell: an automation's has neither user nor mark, and a script
that a tool started carries a context of the door's own. Two bounded maps fill the gap:
context id -> automation, from Home Assistant's event, and context id -> caller, for
contexts that were made here.
"""

from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache

from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.util.ulid import ulid_now

from ..kernel.contract import Caller, Entrance

EVENT_AUTOMATION_TRIGGERED = "automation_triggered"
"""Fired by Home Assistant's automation integration, which need not be loaded."""

_PREFIX = 22
"""Characters of an id that all ids counted on from one ULID share."""

_COUNTED = 10_000
"""How many ids are counted on from one ULID."""

REMEMBERED = 4096
"""How many contexts of automations are remembered, beside those that still run."""

REMEMBERED_OWN = 65_536
"""How many contexts of our own are remembered: a script may wait until the morning."""


class Callers:
    """Makes callers from contexts, and contexts for callers."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start following automations."""
        self._hass = hass
        self._automations: OrderedDict[str, str] = OrderedDict()
        self._own: OrderedDict[str, Caller] = OrderedDict()
        self._latest: Caller | None = None
        self._kept = Caller(entrance=Entrance.UNKNOWN)
        self._prefix = ""
        self._prefixes: set[str] = set()
        self._number = _COUNTED
        hass.bus.async_listen(EVENT_AUTOMATION_TRIGGERED, self._async_triggered)

    @callback
    def _async_triggered(self, event: Event) -> None:
        automations = self._automations
        automations[event.context.id] = event.data.get("entity_id", "")
        for _ in range(len(automations) - REMEMBERED):
            context_id, entity_id = automations.popitem(last=False)
            if self._goes_on(entity_id):
                automations[context_id] = entity_id

    def _goes_on(self, entity_id: str) -> bool:
        """Whether an automation still runs: it may wait until the morning."""
        state = self._hass.states.get(entity_id)
        return state is not None and bool(state.attributes.get("current"))

    def of(self, context: Context) -> Caller:
        """Return the caller behind an action's context."""
        if (known := self.known(context)) is not None:
            return known
        if self._is_forgotten(context):
            return Caller(entrance=Entrance.UNKNOWN, context=context)
        if context.user_id is not None:
            return Caller(
                entrance=Entrance.DIRECT, user_id=context.user_id, context=context
            )
        return Caller(entrance=Entrance.UNKNOWN, context=context)

    def known(self, context: Context) -> Caller | None:
        """Return the automation, or the caller of ours, that a context comes from."""
        if context.id in self._automations:
            # The automation's rights, but still a part of the run that set it off.
            parent = self._own.get(context.parent_id or "")
            run = None if parent is None else parent.run
            return Caller(entrance=Entrance.AUTOMATION, context=context, run=run)
        for known in (context.id, context.parent_id):
            if known is not None and (caller := self._own.get(known)) is not None:
                return replace(caller, context=context)
        return None

    def came_in(self, caller: Caller) -> Caller:
        """Remember who is behind a context that was made elsewhere.

        What a model's request leads to, in Home Assistant or in another integration,
        may have that context itself: it is still the model's, and not the person's own.
        """
        if isinstance(caller.context, Context):
            self._remember(caller.context.id, caller)
        return caller

    def _is_forgotten(self, context: Context) -> bool:
        """Whether a context comes of one of ours that is not remembered any more.

        It has the user's id, but nobody can tell that it was the user's own doing.
        """
        return any(
            known is not None and known[:_PREFIX] in self._prefixes
            for known in (context.id, context.parent_id)
        )

    def _remember(self, context_id: str, caller: Caller) -> None:
        if caller is not self._latest:
            self._latest, self._kept = caller, _lasting(caller)
        self._own[context_id] = self._kept
        if len(self._own) > REMEMBERED_OWN:
            self._own.popitem(last=False)

    def new_id(self) -> str:
        """Return an id that no other context or batch has, of a ULID's form.

        A ULID whose last digits are counted on: making one anew can take longer than
        all else that a call costs.
        """
        if self._number == _COUNTED:
            self._prefix, self._number = ulid_now()[:_PREFIX], 0
            self._prefixes.add(self._prefix)
        self._number += 1
        return f"{self._prefix}{self._number - 1:04}"

    def new_context(self, caller: Caller) -> Context:
        """Make the context for what a caller's call does in Home Assistant."""
        parent = caller.context if isinstance(caller.context, Context) else None
        context = Context(
            user_id=caller.user_id,
            parent_id=None if parent is None else parent.id,
            id=self.new_id(),
        )
        self._remember(context.id, caller)
        return context


def _lasting(caller: Caller) -> Caller:
    """Return what is remembered of a caller.

    What comes back in through Home Assistant is asked for anew (page 1 §1.6). It comes
    with a context of its own; the caller's would hold on to the event that began it.
    """
    if caller.run is None:
        return _outside(
            caller.entrance, caller.user_id, caller.device_id, caller.area_id
        )
    return Caller(
        entrance=caller.entrance,
        user_id=caller.user_id,
        device_id=caller.device_id,
        area_id=caller.area_id,
        run=caller.run,
    )


@lru_cache(maxsize=256)
def _outside(
    entrance: Entrance, user_id: str | None, device_id: str | None, area_id: str | None
) -> Caller:
    """Return the one caller that is remembered for all who are alike."""
    return Caller(
        entrance=entrance, user_id=user_id, device_id=device_id, area_id=area_id
    )

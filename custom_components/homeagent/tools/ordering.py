"""What a call of an action acts on in an order that a person can notice (page 1 §1.3).

Decides from the declaration, the resolved targets and the registries; pure otherwise.
"""

from collections.abc import Iterable, Mapping

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN
from ..kernel.contract import CallFacts
from .declarations import Declarations, Row
from .group_members import members_of
from .targets import Resolved, ids_in

_RESTARTING = frozenset({"restart", "update"})
"""Device classes of buttons that take a device away for a while."""

_NARROWING = ("homeassistant.", "button.")
"""Beginnings of actions whose safety depends on what they act on."""

_SCRIPT_COMMANDS = frozenset({"reload", "toggle", "turn_off", "turn_on"})
"""Actions of the script domain that are no script."""

_SPEAKING = frozenset({"media_player", "assist_satellite"})
"""Domains whose entities of one device share its loudspeaker."""


def output_targets(
    hass: HomeAssistant, row: Row, arguments: Mapping[str, object], resolved: Resolved
) -> frozenset[str]:
    """Return the entities that speak, show or play what the call says."""
    if row.output is None or row.output.startswith("="):
        return frozenset()
    if row.output == "targets":
        named: Iterable[str] = resolved.acted_on | resolved.members
    else:
        named = ids_in(arguments.get(row.output)) or ()
    found = set(named)
    for one in named:
        found |= members_of(hass, one)
    return frozenset(found)


def ordering_keys(
    hass: HomeAssistant,
    name: str,
    row: Row,
    arguments: Mapping[str, object],
    resolved: Resolved,
) -> frozenset[str]:
    """Return a call's ordering keys: `entity:<id>`, `output:<what speaks>`."""
    keys: set[str] = set()
    if row.entities:
        keys = {f"entity:{one}" for one in resolved.affected}
        keys.update(f"entity:{one}" for one in resolved.fields)
    if row.output is not None:
        keys |= _output_keys(hass, name, row, arguments, resolved)
    return frozenset(keys)


def _output_keys(
    hass: HomeAssistant,
    name: str,
    row: Row,
    arguments: Mapping[str, object],
    resolved: Resolved,
) -> set[str]:
    if row.output == "=":
        return {f"output:{one}" for one in notify_members(hass, name)}
    if row.output is not None and row.output.startswith("="):
        return {f"output:{row.output[1:]}"}
    keys: set[str] = set()
    for one in output_targets(hass, row, arguments, resolved):
        keys |= {f"output:{one}", f"entity:{one}"}
        entry = er.async_get(hass).async_get(one)
        if entry is not None and entry.device_id and entry.domain in _SPEAKING:
            keys.add(f"output:device {entry.device_id}")
    return keys


def notify_members(hass: HomeAssistant, name: str) -> set[str]:
    """Return an action, and the actions that it hands its message on to.

    Notify groups of the old kind are actions that call actions.
    """
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        domain, _, action = one.partition(".")
        service = hass.services.async_services_for_domain(domain).get(action)
        handler = getattr(getattr(service, "job", None), "target", None)
        members = getattr(getattr(handler, "__self__", None), "entities", None)
        waiting += [
            f"{domain}.{member['action']}"
            for member in (members if isinstance(members, list) else ())
            if isinstance(member, dict) and "action" in member
        ]
    return found


def call_facts(
    hass: HomeAssistant,
    declarations: Declarations,
    name: str,
    row: Row,
    arguments: Mapping[str, object],
    resolved: Resolved,
) -> CallFacts:
    """Return the facts of one call: the declaration, narrowed, and the keys."""
    if resolved.unresolved:
        return CallFacts(parallel_safe=row.safe, keys=None)
    keys = ordering_keys(hass, name, row, arguments, resolved)
    if script := script_run_by(hass, name):
        keys |= {f"entity:{script}"}
    return CallFacts(
        parallel_safe=row.safe and not _narrowed(hass, declarations, name, resolved),
        keys=keys,
    )


def script_run_by(hass: HomeAssistant, name: str) -> str | None:
    """Return the script entity that an action of the script domain runs."""
    if not name.startswith("script."):
        return None
    domain, _, action = name.partition(".")
    if action in _SCRIPT_COMMANDS:
        return None
    # The action is called after the script's key; its entity may have another id.
    found = er.async_get(hass).async_get_entity_id(domain, domain, action)
    return found or f"{domain}.{action}"


def action_of_script(hass: HomeAssistant, entity_id: str) -> str:
    """Return the action that runs a script: it is called after the script's key."""
    entry = er.async_get(hass).async_get(entity_id)
    return entity_id if entry is None else f"script.{entry.unique_id}"


def _narrowed(
    hass: HomeAssistant, declarations: Declarations, name: str, resolved: Resolved
) -> bool:
    """Whether what this call acts on makes a safe action an unsafe one."""
    if not name.startswith(_NARROWING):
        return False
    domain, _, action = name.partition(".")
    if domain == "homeassistant":
        domains = {one.partition(".")[0] for one in resolved.acted_on}
        return not all(declarations.row(each, action).safe for each in domains)
    return any(_is_unsafe_button(hass, one) for one in resolved.acted_on)


def _is_unsafe_button(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether a button restarts or updates something, or runs a sequence."""
    state = hass.states.get(entity_id)
    if state is not None and state.attributes.get("device_class") in _RESTARTING:
        return True
    entry = er.async_get(hass).async_get(entity_id)
    return entry is not None and entry.platform == DOMAIN

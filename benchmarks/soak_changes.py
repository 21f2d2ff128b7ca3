"""What a household changes while HomeAgent works: the soak's other half.

Above `soak_callers`. Whatever is away for a moment is said to be; everything else must
go on as if nothing had been changed.
"""

from types import MappingProxyType

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryDisabler, ConfigSubentry
from homeassistant.helpers import area_registry as ar, entity_registry as er

from custom_components.homeagent.const import CONF_PROMPT

from .figure import BenchmarkError
from .soak_callers import KERNEL, LINK
from .soak_home import CALLEE, LAMPS, STEADY, Soak, save, steady_groups

_RULE = "The guest may rest"
_BRIEF = "Brief"


async def save_sequence(soak: Soak, number: int) -> None:
    """Save a sequence that runs, over itself."""
    text = f"Version {number % 2}"
    await save(soak, STEADY[number % len(STEADY)], steady_groups(), text)


async def rename_callee(soak: Soak, number: int) -> None:
    """Rename a sequence that another one calls, and the next time back."""
    names = (CALLEE, f"{CALLEE} two")
    old, new = names if number % 2 == 0 else reversed(names)
    soak.hass.config_entries.async_update_entry(soak.entry(old), title=new)


async def reload_sequence(soak: Soak, number: int) -> None:
    """Reload a sequence while it runs."""
    name = STEADY[number % len(STEADY)]
    with soak.absences.of(name):
        await soak.hass.config_entries.async_reload(soak.entry(name).entry_id)


async def disable_sequence(soak: Soak, number: int) -> None:
    """Disable a sequence while it runs, and enable it again."""
    name = STEADY[number % len(STEADY)]
    entries = soak.hass.config_entries
    with soak.absences.of(name):
        for by in (ConfigEntryDisabler.USER, None):
            await entries.async_set_disabled_by(soak.entry(name).entry_id, by)


async def create_and_delete(soak: Soak, number: int) -> None:
    """Create a sequence, and delete it for good."""
    await save(soak, _BRIEF, steady_groups())
    gone = await soak.act("seq_delete", {"name": _BRIEF})
    if gone.get("success") is not True:
        raise BenchmarkError(f"{_BRIEF} could not be deleted: {gone}")


async def save_options(soak: Soak, number: int) -> None:
    """Save the options of the HomeAgent entry: nobody is dropped for that."""
    kernel = soak.kernel()
    options = {**kernel.options, CONF_PROMPT: f"Be brief {number % 2}."}
    soak.hass.config_entries.async_update_entry(kernel, options=options)


async def change_rule(soak: Soak, number: int) -> None:
    """Add the guest's rule, switch it off and on, take it away."""
    entries, kernel = soak.hass.config_entries, soak.kernel()
    rules = (each for each in kernel.subentries.values() if each.title == _RULE)
    rule = next(rules, None)
    if rule is None:
        entries.async_add_subentry(kernel, _rule(soak))
    elif number % 4 == 0:
        entries.async_remove_subentry(kernel, rule.subentry_id)
    else:
        data = {**rule.data, "enabled": not rule.data["enabled"]}
        entries.async_update_subentry(kernel, rule, data=data)


def _rule(soak: Soak) -> ConfigSubentry:
    data = {
        "name": _RULE,
        "users": [soak.guest_id],
        "through": ["direct"],
        "tools": ["bench.*"],
        "how": "allow",
        "enabled": True,
    }
    return ConfigSubentry(
        data=MappingProxyType(data),
        subentry_type="access_rule",
        title=_RULE,
        unique_id=None,
    )


async def change_registries(soak: Soak, number: int) -> None:
    """Make, rename and remove an area; move, rename and expose a lamp."""
    areas, entities = ar.async_get(soak.hass), er.async_get(soak.hass)
    lamp = f"light.bench_{number % LAMPS}"
    area = areas.async_create(f"Room {number}")
    entities.async_update_entity(lamp, area_id=area.id, name=f"Lamp {number}")
    async_expose_entity(soak.hass, "conversation", lamp, number % 2 == 0)
    areas.async_update(area.id, name=f"Other room {number}")
    areas.async_delete(area.id)


async def cut_link(soak: Soak, number: int) -> None:
    """Break the host's connection; it comes back by itself."""
    with soak.absences.of(LINK):
        await soak.nas.cut(here=number % 2 == 0)


async def reload_kernel(soak: Soak, number: int) -> None:
    """Reload the HomeAgent entry: agent and host go, and come back."""
    with soak.absences.of(KERNEL, LINK):
        earlier = soak.nas.link.session
        await soak.hass.config_entries.async_reload(soak.kernel().entry_id)
        await soak.nas.back(earlier)

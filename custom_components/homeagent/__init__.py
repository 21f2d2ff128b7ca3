"""HomeAgent: tools that work a home honestly, and sequences of them.

Sets up, unloads and migrates; nothing else.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

from . import access_services, llm_api, run_actions, sentences, services, waiter_view
from .const import CONF_KIND, DOMAIN, KIND_SEQUENCE
from .runtime import DATA_RUNTIME, Runtime
from .tools.access_rules import async_give_rules
from .tools.mending import forget_issues

KERNEL_PLATFORMS: list[Platform] = [
    Platform.BINARY_SENSOR,
    Platform.CONVERSATION,
    Platform.EVENT,
    Platform.SENSOR,
]
SEQUENCE_PLATFORMS: list[Platform] = [
    Platform.BINARY_SENSOR,
    Platform.BUTTON,
    Platform.EVENT,
    Platform.SENSOR,
]

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Make the kernel and register its actions."""
    runtime = Runtime(hass)
    await runtime.async_start()
    hass.data[DATA_RUNTIME] = runtime
    services.async_register(hass, runtime)
    access_services.async_register(hass, runtime)
    run_actions.async_register(hass, runtime)
    sentences.async_register(hass, runtime)
    waiter_view.async_register(hass)
    return True


async def async_migrate_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Bring an entry of an earlier version up to date; 1.2: rules of access."""
    if entry.version > 1:
        return False
    if entry.data[CONF_KIND] != KIND_SEQUENCE:
        async_give_rules(hass, entry)
    if entry.minor_version < 2:
        hass.config_entries.async_update_entry(entry, minor_version=2)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Load a sequence, or take over the options of the HomeAgent entry."""
    runtime = hass.data[DATA_RUNTIME]
    if entry.data[CONF_KIND] == KIND_SEQUENCE:
        runtime.entries.async_load(entry)
    else:
        runtime.apply_kernel_options(entry.options)
        runtime.hosts.apply(entry)
        entry.async_on_unload(entry.add_update_listener(_async_options_saved))
        entry.async_on_unload(llm_api.async_register(hass, runtime))
    await runtime.menu_lists.async_save()
    await hass.config_entries.async_forward_entry_setups(entry, _platforms(entry))
    return True


def _platforms(entry: ConfigEntry) -> list[Platform]:
    is_sequence = entry.data[CONF_KIND] == KIND_SEQUENCE
    return SEQUENCE_PLATFORMS if is_sequence else KERNEL_PLATFORMS


async def _async_options_saved(hass: HomeAssistant, entry: ConfigEntry) -> None:
    runtime = hass.data[DATA_RUNTIME]
    runtime.apply_kernel_options(entry.options)
    runtime.hosts.apply(entry)


async def async_unload_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Take a sequence out; its runs finish on the AST they started with."""
    platforms = _platforms(entry)
    if not await hass.config_entries.async_unload_platforms(entry, platforms):
        return False
    runtime = hass.data[DATA_RUNTIME]
    if entry.data[CONF_KIND] == KIND_SEQUENCE:
        runtime.entries.async_unload(entry)
    else:
        runtime.apply_kernel_options({})
        runtime.hosts.rest()
    return True


async def async_remove_entry(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Forget what was said about an entry, and with the last one what was kept."""
    runtime = hass.data.get(DATA_RUNTIME)
    if runtime is None:
        return
    forget_issues(hass, entry.entry_id)
    if entry.data[CONF_KIND] == KIND_SEQUENCE:
        runtime.entries.async_removed(entry)
        runtime.losses.async_removed(entry)
    if not hass.config_entries.async_entries(DOMAIN):
        await runtime.store.async_remove()
        await runtime.menu_lists.async_remove()

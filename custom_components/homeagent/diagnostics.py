"""Diagnostics: structure without values, for people who help (page 5 §5.5).

A thin entrance; what may be told stands in `tools.diagnosis`.
"""

from dataclasses import asdict
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, issue_registry as ir

from .agent.facts import agent_facts
from .agent.settings import SUBENTRY_TYPE
from .const import DOMAIN
from .runtime import DATA_RUNTIME, Runtime
from .tools import diagnosis
from .tools.host_diagnostics import host_diagnostics
from .tools.host_signals import host_identifier
from .tools.running_version import running_version
from .tools.sequence_entry import is_sequence

type Told = dict[str, Any]


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: ConfigEntry
) -> Told:
    """Return what may be told of an entry of either kind."""
    if is_sequence(entry):
        return await _async_sequence(hass, entry)
    return await _async_homeagent(hass, entry)


async def async_get_device_diagnostics(
    hass: HomeAssistant, entry: ConfigEntry, device: dr.AnyDeviceEntry
) -> Told:
    """Return what may be told of a sequence, a host or an agent by its device."""
    if is_sequence(entry):
        return await _async_sequence(hass, entry)
    runtime = hass.data[DATA_RUNTIME]
    for host, told in zip(
        runtime.hosts.registry, host_diagnostics(runtime.hosts), strict=True
    ):
        if host_identifier(host.record.id) in device.identifiers:
            return {**_about(hass, entry), "host": diagnosis.host_facts(told)}
    for key, subentry in entry.subentries.items():
        if (DOMAIN, key) in device.identifiers:
            return {**_about(hass, entry), "agent": agent_facts(subentry.data)}
    return await _async_homeagent(hass, entry)


def _about(hass: HomeAssistant, entry: ConfigEntry) -> Told:
    """Return what is told of every entry."""
    return {
        "version": running_version(hass),
        "entry": {
            "version": f"{entry.version}.{entry.minor_version}",
            "state": entry.state.value,
            "options": diagnosis.options_facts(entry.options),
        },
        "sequences": asdict(diagnosis.sequence_counts(hass)),
        "issues": sorted(
            issue.translation_key or ""
            for issue in ir.async_get(hass).issues.values()
            if issue.domain == DOMAIN
        ),
    }


async def _async_homeagent(hass: HomeAssistant, entry: ConfigEntry) -> Told:
    runtime = hass.data[DATA_RUNTIME]
    return {
        **_about(hass, entry),
        "rules": diagnosis.rule_facts(entry),
        "agents": [
            agent_facts(agent.data)
            for agent in entry.get_subentries_of_type(SUBENTRY_TYPE)
        ],
        "hosts": [
            diagnosis.host_facts(told) for told in host_diagnostics(runtime.hosts)
        ],
        "tools": len(list(runtime.registry.names())),
        "runs_going": sum(run.report is None for run in runtime.engine.runs),
        "requests_waiting": len(runtime.requests.pending()),
        "history": diagnosis.history_facts(runtime.history),
    }


async def _async_sequence(hass: HomeAssistant, entry: ConfigEntry) -> Told:
    runtime = hass.data[DATA_RUNTIME]
    sequence = runtime.library.get(entry.entry_id)
    name = entry.title if sequence is None else sequence.name
    return {
        **_about(hass, entry),
        **diagnosis.sequence_facts(entry, await _async_names(hass, runtime)),
        "loaded": sequence is not None,
        "calls_it": len(runtime.library.callers_of(name)),
        "last_runs": diagnosis.last_runs(runtime.history, name),
    }


async def _async_names(hass: HomeAssistant, runtime: Runtime) -> diagnosis.ToolNames:
    await runtime.actions.async_prepare()
    return diagnosis.ToolNames(hass, runtime.registry, runtime.actions.declarations)

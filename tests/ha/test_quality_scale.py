"""`quality_scale.yaml` judges every rule, and what it calls done is looked at here.

Each rule that is done has a check below, or a place in `SHOWN_BY`: the tests, or the part
of the documentation, that show it.
"""

import ast
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import metadata
import inspect
from pathlib import Path
import re
import tomllib
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryState,
    ConfigSubentryData,
)
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
from packaging.requirements import Requirement
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
import yaml

from custom_components.homeagent import KERNEL_PLATFORMS, SEQUENCE_PLATFORMS
from custom_components.homeagent.config_flow import HomeAgentConfigFlow
from custom_components.homeagent.tools.access_rules import default_subentries

from .home import async_set_up
from .hosts.waiters import subentry
from .sequence_home import PLAIN, async_make
from .test_metadata import CHINESE, ENGLISH, ICONS, INTEGRATION, MANIFEST, ROOT

RULES = frozenset(
    # Bronze
    "action-setup appropriate-polling brands common-modules config-flow-test-coverage"
    " config-flow dependency-transparency docs-actions docs-conditions"
    " docs-high-level-description docs-installation-instructions"
    " docs-removal-instructions docs-triggers entity-event-setup entity-unique-id"
    " has-entity-name runtime-data test-before-configure test-before-setup"
    " unique-config-entry"
    # Silver
    " action-exceptions config-entry-unloading docs-configuration-parameters"
    " docs-installation-parameters entity-unavailable integration-owner"
    " log-when-unavailable parallel-updates reauthentication-flow test-coverage"
    # Gold
    " devices diagnostics discovery discovery-update-info docs-data-update docs-examples"
    " docs-known-limitations docs-supported-devices docs-supported-functions"
    " docs-troubleshooting docs-use-cases dynamic-devices entity-category"
    " entity-device-class entity-disabled-by-default entity-translations"
    " exception-translations icon-translations reconfiguration-flow repair-issues"
    " stale-devices"
    # Platinum
    " async-dependency inject-websession strict-typing".split()
)

SHOWN_BY: Mapping[str, tuple[str, str]] = {
    # Documentation: the file, and a heading or words that stand in it.
    "docs-actions": ("README.md", "## Actions"),
    "docs-configuration-parameters": ("docs/upkeep.md", "## Options of HomeAgent"),
    "docs-data-update": ("docs/upkeep.md", "## When data is updated"),
    "docs-examples": ("docs/sequences.md", "## A longer example"),
    "docs-high-level-description": ("README.md", "procedures as **sequences**"),
    "docs-installation-instructions": ("README.md", "## Install"),
    "docs-installation-parameters": ("docs/llm.md", "## Setting up an agent"),
    "docs-known-limitations": ("README.md", "## Limits"),
    "docs-removal-instructions": ("README.md", "## Remove"),
    "docs-supported-devices": ("docs/hosts.md", "### Synology DSM"),
    "docs-supported-functions": ("docs/hosts.md", "## What a host brings"),
    "docs-troubleshooting": ("docs/upkeep.md", "## When something is wrong"),
    "docs-use-cases": ("docs/sequences.md", "### Blueprints"),
    # Tests: the file, and a test in it.
    "config-flow-test-coverage": (
        "tests/ha/test_config_flow.py",
        "def test_kernel_entry_exists_once",
    ),
    "dynamic-devices": ("tests/ha/hosts/test_host_flow.py", "async def test_"),
    "entity-unavailable": ("tests/ha/hosts/test_host_entities.py", "unavailable"),
    "log-when-unavailable": (
        "custom_components/homeagent/hosts/reception.py",
        '_LOGGER.info("%s is not connected any more',
    ),
    "repair-issues": ("tests/ha/test_repairs.py", "def test_editor_opens"),
    "test-before-configure": ("tests/ha/agent/test_flow.py", "async def test_"),
    "test-coverage": ("scripts/lib/run_tests.py", "coverage"),
    "unique-config-entry": (
        "tests/ha/test_config_flow.py",
        "def test_kernel_entry_exists_once",
    ),
}

CHECKED = frozenset(
    "action-exceptions action-setup async-dependency brands common-modules config-flow"
    " config-entry-unloading dependency-transparency devices diagnostics"
    " entity-category entity-device-class entity-disabled-by-default entity-event-setup"
    " entity-translations entity-unique-id exception-translations has-entity-name"
    " icon-translations inject-websession integration-owner parallel-updates"
    " reauthentication-flow reconfiguration-flow stale-devices strict-typing".split()
)
"""Rules that a test below looks at."""

PLATFORMS = sorted({str(each) for each in (*KERNEL_PLATFORMS, *SEQUENCE_PLATFORMS)})


def _judged() -> dict[str, dict[str, str]]:
    text = (INTEGRATION / "quality_scale.yaml").read_text(encoding="utf-8")
    rules = yaml.safe_load(text)["rules"]
    return {
        rule: {"status": judged} if isinstance(judged, str) else judged
        for rule, judged in rules.items()
    }


JUDGED = _judged()
DONE = {rule for rule, judged in JUDGED.items() if judged["status"] == "done"}


def test_every_rule_is_judged() -> None:
    """All 54 rules, done or exempt; what is exempt says why."""
    assert len(RULES) == 54
    assert set(JUDGED) == RULES
    for rule, judged in JUDGED.items():
        assert judged.keys() <= {"status", "comment"}, rule
        assert judged["status"] in {"done", "exempt"}, rule
        assert judged["status"] == "done" or len(judged["comment"]) > 40, rule


def test_everything_done_is_shown() -> None:
    """By a check of this module, or by what stands elsewhere; nothing twice."""
    assert not CHECKED & SHOWN_BY.keys()
    assert CHECKED | SHOWN_BY.keys() == DONE


@pytest.mark.parametrize(("path", "words"), sorted(set(SHOWN_BY.values())))
def test_shown_elsewhere(path: str, words: str) -> None:
    assert words in (ROOT / path).read_text(encoding="utf-8")


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(INTEGRATION.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


async def test_action_setup(hass: HomeAssistant) -> None:
    """All actions are there before there is any entry."""
    await async_set_up(hass)
    described = yaml.safe_load((INTEGRATION / "services.yaml").read_text())
    assert set(described) <= set(hass.services.async_services_for_domain("homeagent"))


LISTENING = frozenset(
    "async_dispatcher_connect async_listen async_track_state_change_event".split()
)

_HOME_ERRORS = frozenset(
    "HomeAssistantError ServiceValidationError ConfigEntryError ConfigEntryNotReady"
    " ConfigEntryAuthFailed".split()
)


def test_action_exceptions_are_translated() -> None:
    """Every error of Home Assistant's family that we make has a key with words."""
    made = 0
    for path, tree in _modules():
        for name, call in _calls(tree):
            if name in _HOME_ERRORS:
                made += 1
                keys = {keyword.arg: keyword.value for keyword in call.keywords}
                assert {"translation_domain", "translation_key"} <= keys.keys(), path
                if isinstance(key := keys["translation_key"], ast.Constant):
                    place = f"exceptions.{key.value!s}.message"
                    assert place in ENGLISH.keys() & CHINESE.keys()
    assert made > 3


def test_brands() -> None:
    """Icons and logos are there in both sizes."""
    for name in ("icon", "logo", "dark_icon", "dark_logo"):
        pictures = [
            (INTEGRATION / "brand" / f"{name}{size}.png").read_bytes()
            for size in ("", "@2x")
        ]
        # The height, as a PNG says it.
        sizes = [int.from_bytes(picture[20:24]) for picture in pictures]
        assert sizes[1] == 2 * sizes[0]
        assert "icon" not in name or sizes[0] == 256


def _entity_classes() -> list[type[Entity]]:
    """Return the classes of our entities that are used as they are."""
    agents = ("model_agent_entity", "plain_agent_entity")
    names = [*PLATFORMS, "host_entities", "host_sensors", *agents]
    modules = [import_module(f"custom_components.homeagent.{name}") for name in names]
    found = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Entity) and each.__module__ == module.__name__
    }
    return sorted(found, key=lambda each: each.__name__)


def test_common_modules_and_names() -> None:
    """Entities share three bases, and all have names of their own."""
    classes = _entity_classes()
    assert len(classes) >= 10
    for each in classes:
        bases = {base.__module__.rpartition(".")[2] for base in each.__mro__}
        assert bases & {"entity", "host_entity", "agent_entity"}, each
        assert each._attr_has_entity_name, each


@pytest.mark.parametrize("platform", PLATFORMS)
def test_parallel_updates(platform: str) -> None:
    module = import_module(f"custom_components.homeagent.{platform}")
    assert module.PARALLEL_UPDATES == 0


def test_events_are_followed_when_added() -> None:
    """No entity listens before Home Assistant has added it."""
    made = {each.__name__ for each in _entity_classes()}
    for path, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and path.parent == INTEGRATION:
                made.discard(node.name)
                for method in node.body:
                    if getattr(method, "name", "") == "__init__":
                        called = {name for name, _ in _calls(method)}
                        assert not called & LISTENING, (path, node.name)
    assert not made


def test_config_flow_explains_fields() -> None:
    """Every field of every form has words, and every second line has its field."""
    label = re.compile(r"(.+\.step\.\w+(?:\.sections\.\w+)?)\.data\.(\w+)")
    fields = [found.groups() for key in ENGLISH if (found := label.fullmatch(key))]
    assert len(fields) > 20
    for step, field in fields:
        assert f"{step}.data_description.{field}" in ENGLISH, (step, field)


def test_flows_that_home_assistant_starts() -> None:
    """A new key and another name can be asked for."""
    assert MANIFEST["config_flow"]
    assert hasattr(HomeAgentConfigFlow, "async_step_reauth")
    assert hasattr(HomeAgentConfigFlow, "async_step_reconfigure")


def test_diagnostics_are_there() -> None:
    module = import_module("custom_components.homeagent.diagnostics")
    for name in ("async_get_config_entry_diagnostics", "async_get_device_diagnostics"):
        assert inspect.iscoroutinefunction(getattr(module, name))


def test_integration_owner() -> None:
    assert MANIFEST["codeowners"]


@pytest.mark.parametrize("requirement", MANIFEST["requirements"])
def test_dependency_transparency(requirement: str) -> None:
    """What is installed is pinned, and free software."""
    wanted = Requirement(requirement)
    assert re.fullmatch(r"==[\d.]+", str(wanted.specifier))
    about = metadata(wanted.name)
    licensed = f"{about.get('License-Expression')} {about.get('License')}"
    assert re.search(r"MIT|Apache|BSD", licensed), licensed


def test_network_is_used_as_home_assistant_wants() -> None:
    """Nothing blocks, and its shared client is the only one."""
    blocking = {"requests", "urllib3", "urllib.request", "http.client", "socket"}
    text = ""
    for path, tree in _modules():
        text += path.read_text(encoding="utf-8")
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert not blocking & {alias.name for alias in node.names}, path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module not in blocking, path
    assert "get_async_client(hass)" in text
    assert not re.search(r"httpx\.(Async)?Client\(|aiohttp\.ClientSession\(", text)


def test_strict_typing() -> None:
    assert (INTEGRATION / "py.typed").is_file()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    mypy = settings["tool"]["mypy"]
    assert mypy["strict"]
    assert "custom_components/homeagent" in mypy["files"]


@pytest.fixture(name="homeagent")
async def homeagent_fixture(hass: HomeAssistant, hass_admin_user: User) -> ConfigEntry:
    """A home with one of everything."""
    agent: dict[str, object] = {"url": "http://localhost:1/v1", "model": "m"}
    entry: ConfigEntry = MockConfigEntry(
        domain="homeagent",
        title="HomeAgent",
        unique_id="kernel",
        minor_version=2,
        data={"kind": "kernel"},
        subentries_data=[
            *default_subentries("en"),
            ConfigSubentryData(
                data=agent, subentry_type="conversation", title="Agent", unique_id=None
            ),
            subentry("NAS"),
        ],
    )
    entry.add_to_hass(hass)  # type: ignore[attr-defined]
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    await async_set_up(hass)
    await async_make(hass, hass_admin_user, "Check", PLAIN)
    host = _registry(hass).get("nas")
    host.metrics = {
        "cpu": 1.0,
        "memory": 2.0,
        "load": [0.1, 0.2, 0.3],
        "boot": 1,
        "temperature": 40.0,
        "disks": [{"mount": "/", "used": 5, "total": 10, "free": 5}],
    }
    _registry(hass)._changed("nas")
    await hass.async_block_till_done()
    return entry


def _registry(hass: HomeAssistant) -> Any:
    from custom_components.homeagent.runtime import DATA_RUNTIME

    return hass.data[DATA_RUNTIME].hosts.registry


def _entities(hass: HomeAssistant) -> list[er.RegistryEntry]:
    found = er.async_get(hass).entities.values()
    return [entity for entity in found if entity.platform == "homeagent"]


async def test_entities(hass: HomeAssistant, homeagent: ConfigEntry) -> None:
    """Each has an id, a name with words, a device, and an icon or a kind that has one."""
    entities = _entities(hass)
    assert len(entities) > 15
    for entity in entities:
        assert entity.unique_id
        assert entity.has_entity_name
        assert entity.device_id
        key = entity.translation_key
        if key is None:
            # The agent itself bears the name of its device.
            assert entity.domain == "conversation"
            continue
        assert f"entity.{entity.domain}.{key}.name" in ENGLISH.keys() & CHINESE.keys()
        has_kind = bool(entity.original_device_class)
        assert has_kind or key in ICONS["entity"][entity.domain], entity.entity_id


async def test_entity_kinds(hass: HomeAssistant, homeagent: ConfigEntry) -> None:
    """What few look at is diagnostic or not enabled; what has a device class says so."""
    entities = {one.translation_key: one for one in _entities(hass)}
    for key in ("last_result", "last_duration", "problem"):
        assert entities[key].disabled_by is er.RegistryEntryDisabler.INTEGRATION
    for key in ("last_duration", "host_version", "host_last_seen", "host_connected"):
        assert entities[key].entity_category is EntityCategory.DIAGNOSTIC
    kinds = {
        "last_result": "enum",
        "last_duration": "duration",
        "problem": "problem",
        "host_connected": "connectivity",
        "host_temperature": "temperature",
        "host_boot": "timestamp",
    }
    for key, kind in kinds.items():
        assert entities[key].original_device_class == kind


async def test_devices(hass: HomeAssistant, homeagent: ConfigEntry) -> None:
    """A sequence, a host and each agent are devices; they go with what they are of."""
    registry = dr.async_get(hass)

    def names() -> set[str | None]:
        return {
            device.name
            for entry in hass.config_entries.async_entries("homeagent")
            for device in dr.async_entries_for_config_entry(registry, entry.entry_id)
        }

    assert names() == {"HomeAgent", "Agent", "NAS", "Check"}
    for subentry_id, each in tuple(homeagent.subentries.items()):
        if each.subentry_type in {"host", "conversation"}:
            hass.config_entries.async_remove_subentry(homeagent, subentry_id)
    await hass.async_block_till_done()
    assert names() == {"HomeAgent", "Check"}


async def test_unloading(hass: HomeAssistant, homeagent: ConfigEntry) -> None:
    """Entries of both kinds can be unloaded and come back."""
    for entry in hass.config_entries.async_entries("homeagent"):
        assert await hass.config_entries.async_unload(entry.entry_id)
        states = [entry.state]
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        states.append(entry.state)
        assert states == [ConfigEntryState.NOT_LOADED, ConfigEntryState.LOADED]


def test_icons_belong_to_something() -> None:
    """Every icon of an entity has an entity with a name."""
    for domain, keys in ICONS["entity"].items():
        for key in keys:
            assert f"entity.{domain}.{key}.name" in ENGLISH, key

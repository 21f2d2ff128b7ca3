"""What hassfest refuses, so that it never gets to see it.

Home Assistant's own checker runs on GitHub only; these are its rules for integrations
that are not part of Home Assistant.
"""

import ast
from collections.abc import Iterator, Mapping
import importlib.util
import re
from typing import Any

from awesomeversion import AwesomeVersion, AwesomeVersionStrategy
from homeassistant.const import Platform
from homeassistant.helpers import selector
import pytest
import yaml

from .test_metadata import CHINESE, ENGLISH, ICONS, INTEGRATION, MANIFEST, _json

MANIFEST_KEYS = frozenset(
    "domain name after_dependencies bluetooth codeowners config_flow dependencies dhcp"
    " disabled documentation homekit import_executor integration_type iot_class"
    " issue_tracker loggers mqtt preview_features quality_scale requirements"
    " single_config_entry ssdp usb version zeroconf".split()
)
IOT_CLASSES = frozenset(
    "assumed_state calculated cloud_polling cloud_push local_polling local_push".split()
)
INTEGRATION_TYPES = frozenset("device hardware helper hub service".split())

ALWAYS_THERE = frozenset(each.value for each in Platform) | frozenset(
    "frontend homeassistant persistent_notification system_log websocket_api".split()
)
"""Integrations that may be used without being named."""

TEXT = "text"
_TEXTS = {"*": TEXT}
_STEP: Mapping[str, object] = {
    **dict.fromkeys(("title", "description", "submit"), TEXT),
    "data": _TEXTS,
    "data_description": _TEXTS,
    "menu_options": _TEXTS,
    "menu_option_descriptions": _TEXTS,
    "sections": {
        "*": {
            "name": TEXT,
            "description": TEXT,
            "data": _TEXTS,
            "data_description": _TEXTS,
        }
    },
}
_FLOW: Mapping[str, object] = {
    "step": {"*": _STEP},
    "error": _TEXTS,
    "abort": _TEXTS,
    "progress": _TEXTS,
    "create_entry": _TEXTS,
}
_NAMED = {"name": TEXT, "description": TEXT}
_ENTITY: Mapping[str, object] = {
    "name": TEXT,
    "state": _TEXTS,
    "state_attributes": {"*": {"name": TEXT, "state": _TEXTS}},
    "unit_of_measurement": TEXT,
}
SHAPE: Mapping[str, object] = {
    "title": TEXT,
    "config": {
        **_FLOW,
        "flow_title": TEXT,
        "initiate_flow": _TEXTS,
        "entry_type": TEXT,
    },
    "options": _FLOW,
    "config_subentries": {"*": {**_FLOW, "initiate_flow": _TEXTS, "entry_type": TEXT}},
    "selector": {
        "*": {
            "options": _TEXTS,
            "fields": {"*": _NAMED},
            "unit_of_measurement": TEXT,
        }
    },
    "services": {
        "*": {
            **_NAMED,
            "fields": {"*": {**_NAMED, "example": TEXT}},
            "sections": {"*": _NAMED},
        }
    },
    "exceptions": {"*": {"message": TEXT}},
    "issues": {"*": {"title": TEXT, "description": TEXT, "fix_flow": _FLOW}},
    "entity": {"*": {"*": _ENTITY}},
    "device": {"*": {"name": TEXT}},
    "system_health": {"info": _TEXTS},
}
"""What translations may hold; `*` stands for any key."""

SERVICES: dict[str, dict[str, Any] | None] = yaml.safe_load(
    (INTEGRATION / "services.yaml").read_text(encoding="utf-8")
)


def _strays(tree: object, shape: object, path: str = "") -> Iterator[str]:
    """Go through what is not in a shape."""
    if isinstance(shape, Mapping) and isinstance(tree, Mapping):
        for key, value in tree.items():
            place = f"{path}.{key}" if path else key
            inner = shape.get(key, shape.get("*"))
            if inner is None:
                yield place
            else:
                yield from _strays(value, inner, place)
    elif shape != TEXT or not isinstance(tree, str):
        yield path


def test_manifest() -> None:
    """Known keys in the right order, and values that are allowed."""
    assert MANIFEST.keys() <= MANIFEST_KEYS
    keys = list(MANIFEST)
    assert keys == ["domain", "name", *sorted(keys[2:])]
    assert MANIFEST["domain"] == INTEGRATION.name
    assert MANIFEST["iot_class"] in IOT_CLASSES
    assert MANIFEST["integration_type"] in INTEGRATION_TYPES
    assert all(re.fullmatch(r"@[\w-]+", owner) for owner in MANIFEST["codeowners"])
    for key in ("documentation", "issue_tracker"):
        assert MANIFEST[key].startswith("https://")
        assert "www.home-assistant.io/integrations" not in MANIFEST[key]
    assert AwesomeVersion(
        MANIFEST["version"], ensure_strategy=AwesomeVersionStrategy.SEMVER
    ).valid


@pytest.mark.parametrize("kind", ["dependencies", "after_dependencies"])
def test_dependencies_exist(kind: str) -> None:
    """Each is an integration of Home Assistant, named once and in order."""
    named = MANIFEST[kind]
    assert named == sorted(set(named))
    for name in named:
        assert importlib.util.find_spec(f"homeassistant.components.{name}"), name


def _used() -> Iterator[tuple[str, str]]:
    """Go through the integrations that our modules import, with the module."""
    prefix = "homeassistant.components"
    for path in INTEGRATION.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module == prefix:
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module.removeprefix(f"{prefix}.")]
                names = names if node.module.startswith(f"{prefix}.") else []
            elif isinstance(node, ast.Import):
                names = [
                    alias.name.removeprefix(f"{prefix}.")
                    for alias in node.names
                    if alias.name.startswith(f"{prefix}.")
                ]
            yield from ((name.partition(".")[0], path.stem) for name in names)


def test_dependencies_are_named() -> None:
    """Every integration that is imported is named, or is there without it."""
    named = {*MANIFEST["dependencies"], *MANIFEST["after_dependencies"]} | ALWAYS_THERE
    used = set(_used())
    assert len(used) > 5
    # A module that another integration looks for may use that one.
    assert {(name, module) for name, module in used if name not in named} <= {
        (name, name) for name, _ in used
    }


def test_config_schema_is_there() -> None:
    """An integration with `async_setup` says what its YAML may hold."""
    text = (INTEGRATION / "__init__.py").read_text(encoding="utf-8")
    assert "CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)" in text


@pytest.mark.parametrize("action", SERVICES)
def test_actions(action: str) -> None:
    """Fields with selectors that Home Assistant knows, and whose choices have words."""
    described = SERVICES[action] or {}
    assert described.keys() <= {"fields", "target", "response"}
    for field in described.get("fields", {}).values():
        known = {"required", "default", "example", "selector", "advanced", "filter"}
        assert field.keys() <= known
        selector.validate_selector(field["selector"])
        ((kind, options),) = field["selector"].items()
        if kind == "select" and "translation_key" in (options or {}):
            key = options["translation_key"]
            assert any(each.startswith(f"selector.{key}.options.") for each in ENGLISH)


def test_icons() -> None:
    """All are of the one set that is there; a state's differs from the usual one."""
    assert ICONS.keys() <= {"services", "entity", "config", "options"}
    for domain in ICONS["entity"].values():
        for icon in domain.values():
            assert icon.keys() <= {"default", "state", "state_attributes", "range"}
            assert icon["default"] not in icon.get("state", {}).values()
    for icon in re.findall(r'"(?:default|service|\w+)": "([^"]+)"', str(ICONS)):
        assert icon.startswith("mdi:")
    for text in _leaves(ICONS):
        assert re.fullmatch(r"mdi:[a-z0-9-]+", text), text


def _leaves(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for each in tree.values():
            yield from _leaves(each)


def test_translations_are_the_only_texts() -> None:
    """No `strings.json`, and no language but those that are complete."""
    assert not (INTEGRATION / "strings.json").exists()
    found = {path.name for path in (INTEGRATION / "translations").iterdir()}
    assert found == {"en.json", "zh-Hans.json"}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_translations_have_their_shape(language: str) -> None:
    """A key that Home Assistant does not know is never shown to anybody."""
    assert list(_strays(_json(f"translations/{language}.json"), SHAPE)) == []


@pytest.mark.parametrize(
    ("tree", "stray"),
    [
        ({"config": {"steps": {}}}, "config.steps"),
        ({"issues": {"x": {"title": {}}}}, "issues.x.title"),
        ({"entity": {"sensor": {"x": {"nam": "a"}}}}, "entity.sensor.x.nam"),
        ({"config": "a"}, "config"),
    ],
)
def test_strays_are_found(tree: object, stray: str) -> None:
    assert list(_strays(tree, SHAPE)) == [stray]


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["en", "zh-Hans"])
def test_texts(texts: Mapping[str, str]) -> None:
    """No HTML, no references, no addresses, no quoted placeholders, no blanks around."""
    for key, text in texts.items():
        assert text == text.strip(), key
        assert not re.search(r"</?\w[^>]*>", text), key
        assert not re.search(r"\[%|'\{\w+\}'|https?://", text), key
        for part in key.split("."):
            assert re.fullmatch(r"[a-z0-9_-]+", part), key


def test_descriptions_have_their_field() -> None:
    """A second line stands below a first one only."""
    for key in ENGLISH:
        if ".data_description." in key:
            assert key.replace(".data_description.", ".data.") in ENGLISH, key


def test_issues() -> None:
    """A title, and either a description or a flow that mends it."""
    for key, issue in _json("translations/en.json")["issues"].items():
        assert "title" in issue, key
        assert ("description" in issue) != ("fix_flow" in issue), key


def test_modules_that_home_assistant_finds() -> None:
    """Packages of ours that look like a brand's folder or a translation are none."""
    for folder in ("brand", "translations"):
        assert not list((INTEGRATION / folder).glob("*.py"))
    for path in INTEGRATION.rglob("*"):
        assert path.suffix in {
            "",
            ".py",
            ".pyc",
            ".json",
            ".yaml",
            ".png",
            ".typed",
            ".js",
            ".css",
        }

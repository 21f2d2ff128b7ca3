"""Manifest, translations and action descriptions fit each other and the code."""

from collections.abc import Iterator
import json
from pathlib import Path
import re
from typing import Any

from awesomeversion import AwesomeVersion
import pytest
import yaml

from custom_components.homeagent.access_services import ANSWER_REQUEST, EXPLAIN_ACCESS
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.services import TOOL_ACTIONS
from custom_components.homeagent.tools import host_definitions, sequence_definitions
from custom_components.homeagent.tools.access_rules import DAMAGED_RULE
from custom_components.homeagent.tools.sequence_issues import ISSUES
from custom_components.homeagent.tools.sequence_watch import BROKEN

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "homeagent"
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def _json(name: str) -> Any:
    return json.loads((INTEGRATION / name).read_text(encoding="utf-8"))


def _texts(tree: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, str):
        yield path, tree
    else:
        for key, value in tree.items():
            yield from _texts(value, f"{path}.{key}" if path else key)


ENGLISH = dict(_texts(_json("translations/en.json")))
CHINESE = dict(_texts(_json("translations/zh-Hans.json")))
MANIFEST = _json("manifest.json")
ICONS = _json("icons.json")


def test_manifest() -> None:
    """Domain and name first, the rest sorted; what HACS and hassfest ask for is there."""
    manifest = MANIFEST
    keys = list(manifest)
    assert keys == ["domain", "name", *sorted(keys[2:])]
    assert AwesomeVersion(manifest["version"]).simple
    needed = {"codeowners", "documentation", "issue_tracker", "iot_class"}
    assert needed | {"config_flow", "integration_type"} <= set(keys)
    assert manifest["domain"] == INTEGRATION.name
    hacs = json.loads((ROOT / "hacs.json").read_text(encoding="utf-8"))
    assert AwesomeVersion(hacs["homeassistant"]) >= AwesomeVersion("2026.10.0")
    assert (INTEGRATION / "brand" / "icon.png").is_file()


def test_languages_are_complete() -> None:
    """Both have the same keys, the same placeholders, and nothing left in English."""
    assert CHINESE.keys() == ENGLISH.keys()
    for key, text in ENGLISH.items():
        assert set(PLACEHOLDER.findall(CHINESE[key])) == set(PLACEHOLDER.findall(text))
        for told in (text, CHINESE[key]):
            assert told == told.strip()
            assert not re.search(r"<\w|'\{|\[%", told)
        if CHINESE[key] == text:
            assert re.fullmatch(r"HomeAgent|(\**\{\w+\}\**\s*)+", text), key


def test_chinese_is_polite() -> None:
    """People are addressed in one way, in whatever speaks Chinese to them."""
    files = [ROOT / "README.zh-Hans.md", *INTEGRATION.rglob("*.py")]
    files += [INTEGRATION / "translations" / "zh-Hans.json"]
    for path in files:
        # What people may say to us is another matter: a pattern has both.
        text = path.read_text(encoding="utf-8").replace("[你您]", "")
        assert "你" not in text, path


def test_actions_are_described() -> None:
    """Every action has texts, fields and an icon, and its tool knows the same fields."""
    described = yaml.safe_load(
        (INTEGRATION / "services.yaml").read_text(encoding="utf-8")
    )
    others = {"call_tools", ANSWER_REQUEST, EXPLAIN_ACCESS}
    assert set(described) == {*TOOL_ACTIONS, *others}
    assert set(_json("icons.json")["services"]) == set(described)
    for action, description in described.items():
        fields = set((description or {}).get("fields", {}))
        assert ENGLISH[f"services.{action}.name"]
        assert ENGLISH[f"services.{action}.description"]
        for field in fields:
            assert ENGLISH[f"services.{action}.fields.{field}.description"]
        if action in TOOL_ACTIONS:
            known = {**vars(sequence_definitions), **vars(host_definitions)}
            definition = known[action.upper()]
            assert fields == set(definition.parameters["properties"]), action


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_words(reason: Reason) -> None:
    """A failure of whatever reason can be told in the user's language."""
    assert "{text}" in ENGLISH[f"exceptions.tool_{reason.value}.message"]


@pytest.mark.parametrize("issue", [*ISSUES, BROKEN, DAMAGED_RULE])
def test_every_issue_has_words(issue: str) -> None:
    """Title and description."""
    assert ENGLISH[f"issues.{issue}.title"]
    explained = f"issues.{issue}.fix_flow.step.confirm.description"
    assert (f"issues.{issue}.description" in ENGLISH) != (explained in ENGLISH)


def test_every_used_key_has_words() -> None:
    """Translation keys, errors and aborts that the code names exist."""
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted(INTEGRATION.rglob("*.py"))
    )
    for key in re.findall(r'translation_key="(\w+)"', source):
        places = (f"exceptions.{key}.", f"selector.{key}.", f"issues.{key}.")
        assert any(name.startswith(places) for name in ENGLISH), key
    errors = re.findall(r'"(no_action|declared_both)"', source)
    assert len(set(errors)) == 2
    for key in errors:
        assert any(f"{flow}.error.{key}" in ENGLISH for flow in ("config", "options"))

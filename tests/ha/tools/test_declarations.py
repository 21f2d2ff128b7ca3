"""The table of what may run at the same time: complete, with a reason for every row."""

import json
from pathlib import Path

import homeassistant.components
import pytest
import yaml

from custom_components.homeagent.tools.declarations import (
    DeclarationError,
    Declarations,
    Row,
    load_declarations,
    parse_declarations,
)

COMPONENTS = Path(homeassistant.components.__path__[0])


def described(domain: str) -> list[str]:
    """Return the actions that a part of Home Assistant describes."""
    path = COMPONENTS / domain / "services.yaml"
    if not path.exists():
        return []
    loaded = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) or {}
    return [action for action in loaded if not action.startswith(".")]


def test_every_described_action_of_a_covered_domain_is_known() -> None:
    """Also of those that cannot be set up without their devices."""
    table = load_declarations()

    unknown = [
        f"{domain}.{action}"
        for domain in table.rows
        for action in described(domain)
        if not table.knows(domain, action)
    ]

    assert unknown == []


def test_every_part_of_home_assistant_itself_is_covered() -> None:
    """Entities, helpers, the system: what is no brand's."""
    table = load_declarations()
    missing = []
    for path in sorted(COMPONENTS.glob("*/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        own = manifest.get("integration_type") in {"entity", "helper", "system"}
        own = own or manifest.get("quality_scale") == "internal"
        if own and described(path.parent.name) and not table.covers(path.parent.name):
            missing.append(path.parent.name)

    assert missing == []


def test_every_row_says_why() -> None:
    rows = [
        (domain, action, row)
        for domain, actions in load_declarations().rows.items()
        for action, row in actions.items()
    ]

    assert len(rows) > 250
    assert [row for row in rows if not row[2].why] == []
    reloading = [row for row in rows if row[1].startswith("reload") and row[2].safe]
    assert reloading == []


@pytest.mark.parametrize(
    ("name", "returns_data", "safe"),
    [
        ("a.one", False, True),
        ("a.two", False, True),
        ("a.other", False, False),
        ("b.x", False, False),
        ("b.x", True, True),
        ("b.mine", False, True),
        ("a.mine", True, False),
    ],
)
def test_lookup(name: str, returns_data: bool, safe: bool) -> None:
    """The user first, then the row, the domain, and what Home Assistant says."""
    table = parse_declarations(
        'a: {"one two": {safe: true, why: x}, "*": {safe: false, why: y}}'
    )
    table = Declarations(rows=table.rows, overrides={"b.mine": True, "a.mine": False})

    assert table.parallel_safe(*name.split("."), returns_data=returns_data)[0] is safe


def test_an_override_keeps_what_speaks() -> None:
    """The user says whether, not what."""
    rows = {"a": {"b": Row(safe=True, why="x", output="=", entities=False)}}
    table = Declarations(rows=rows, overrides={"a.b": False})

    row = table.row("a", "b")

    assert (row.safe, row.output, row.entities) == (False, "=", False)
    assert "user" in row.why


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a", "object of domains"),
        ("a: [b]", "a: must be an object of actions"),
        ("a: {b: {safe: yes please, why: x}}", "a.b: safe"),
        ("a: {b: {safe: true}}", "a.b: why"),
        ("a: {b: {safe: true, why: ' '}}", "a.b: why"),
        ("a: {b: {safe: true, why: x, outputs: y}}", "a.b: must be an object of"),
        ("a: {b: {safe: true, why: x, output: 3}}", "a.b: output"),
        ("a: {b c: {safe: true, why: x}, c: {safe: true, why: x}}", "a.c: stands"),
        ("a: {", "not YAML"),
    ],
)
def test_malformed_tables_say_where(text: str, says: str) -> None:
    with pytest.raises(DeclarationError, match=says):
        parse_declarations(text)

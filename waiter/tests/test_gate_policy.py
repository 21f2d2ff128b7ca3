"""What becomes of a configuration: names, and places that are secret here."""

from __future__ import annotations

import os
from pathlib import Path
import sys
from typing import Any

import pytest

import homeagent_waiter
from homeagent_waiter.config import Config
from homeagent_waiter.gate import Policy
from homeagent_waiter.gate.grammars import BUILT_IN
from homeagent_waiter.gate.policy import own_places
from homeagent_waiter.gate.secret_names import FIXED

NOBODY: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("keys", "allowed", "built_in", "unchecked", "dns"),
    [
        ({}, BUILT_IN, True, NOBODY, NOBODY),
        ({"device_cmd_allowlist": None}, BUILT_IN, True, NOBODY, NOBODY),
        ({"device_cmd_allowlist": []}, BUILT_IN, True, NOBODY, NOBODY),
        ({"device_cmd_allowlist": ["df", "dig"]}, {"df", "dig"}, False, NOBODY, NOBODY),
        ({"device_cmd_unchecked": ["my"]}, BUILT_IN, True, {"my"}, NOBODY),
        ({"device_dns_allow": ["nas.home"]}, BUILT_IN, True, NOBODY, {"nas.home"}),
    ],
)
def test_names_of_a_configuration(
    keys: dict[str, Any],
    allowed: frozenset[str],
    built_in: bool,
    unchecked: frozenset[str],
    dns: frozenset[str],
) -> None:
    """A list replaces the built-in one; an empty one means the built-in one."""
    policy = Policy.from_config(Config.model_validate(keys))
    told = (policy.allowed, policy.built_in, policy.unchecked, policy.dns)
    assert told == (allowed, built_in, unchecked, dns)


@pytest.mark.parametrize("virtual", [True, False])
def test_own_places(home: Path, monkeypatch: pytest.MonkeyPatch, virtual: bool) -> None:
    """Configuration, state, keys of SSH, the package, and its own environment if any."""
    monkeypatch.setattr(sys, "prefix", "/opt/venv")
    monkeypatch.setattr(sys, "base_prefix", "/usr" if virtual else "/opt/venv")
    assert own_places() == [
        home / ".config/homeagent",
        home / ".local/state/homeagent-waiter",
        home / "state",
        home / ".ssh",
        Path(homeagent_waiter.__file__).parent,
        *([Path("/opt/venv")] if virtual else []),
    ]


def test_fixed_places_are_known_after_links_too(tmp_path: Path) -> None:
    """Those of everybody, the key, the file it was read from, and own ones."""
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to("real")
    keys = {"key_file": f"{tmp_path}/way/key"}
    config = Config.model_validate(keys).model_copy(
        update={"source": Path(f"{tmp_path}/way/../way/conf")}
    )
    fixed = Policy.from_config(config).places.fixed
    real = [f"{tmp_path}/real/key", f"{tmp_path}/real/conf"]
    own = [f"{tmp_path}/way/key", f"{tmp_path}/way/conf", *map(str, own_places())]
    assert set(fixed) >= {*FIXED, *own, *real, *map(os.path.realpath, own)}
    assert len(fixed) == len(set(fixed))


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ("{}/real/keys", []),
        ("{}/way/keys", ["{}/real/keys"]),
        ("{}/way/k*", ["{}/real/k*", "{}/real/keys"]),
        ("{}/*/keys", ["{}/real/keys"]),
        ("{}/way/*/a", ["{}/real/*/a", "{}/real/keys/a"]),
        ("{}/w?y/keys/[a]", ["{}/real/keys/a"]),
        ("{}/none/x*", []),
        ("/*.no-such", []),
        ("*.bak", ["/*.bak"]),
    ],
)
def test_patterns_are_known_after_links_too(
    tmp_path: Path, given: str, added: list[str]
) -> None:
    """The folder that one begins with, and whatever it matches now."""
    (tmp_path / "real/keys").mkdir(parents=True)
    (tmp_path / "real/keys/a").touch()
    (tmp_path / "way").symlink_to("real")
    pattern = given.format(tmp_path)
    config = Config().model_copy(update={"read_deny": [pattern]})
    found = Policy.from_config(config).places.patterns
    assert list(dict.fromkeys(found)) == list(found)
    assert set(found) == {pattern, *(each.format(tmp_path) for each in added)}


def test_all_patterns_are_kept(tmp_path: Path) -> None:
    """Brackets in the name of a real folder stand for themselves."""
    (tmp_path / "a[b]").mkdir()
    (tmp_path / "way").symlink_to("a[b]")
    given = [f"{tmp_path}/way/x", "/srv/one", "/srv/two"]
    config = Config.model_validate({"read_deny": given})
    found = Policy.from_config(config).places.patterns
    assert found == (*given, f"{tmp_path}/a[[]b]/x")

"""What runs on GitHub: the official checkers, all tests, the long ones once a week."""

from collections.abc import Iterator
from pathlib import Path
import re
import tomllib
from typing import Any

import pytest
import yaml

from .test_metadata import ROOT

FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))


def _read(path: Path) -> dict[Any, Any]:
    data: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


def _jobs(path: Path) -> Iterator[dict[str, Any]]:
    yield from _read(path)["jobs"].values()


def _steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in _jobs(path):
        yield from job["steps"]


def _on(path: Path) -> dict[str, Any]:
    # YAML 1.1 reads the key `on` as true.
    on: dict[str, Any] = _read(path)[True]
    return on


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_careful(path: Path) -> None:
    """Each may only read unless it says so, ends in time, and keeps no credentials."""
    assert _read(path)["permissions"] == {"contents": "read"}
    for job in _jobs(path):
        assert 0 < job["timeout-minutes"] <= 120
    for step in _steps(path):
        uses = step.get("uses", "")
        assert not uses or re.fullmatch(r"[\w.-]+/[\w./-]+@[\w.-]+", uses)
        if uses.startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        # What outsiders choose must not become part of a command.
        event = re.findall(r"\$\{\{([^}]*)\}\}", step.get("run", ""))
        assert not any("github.ref" in each or "event.pull" in each for each in event)


@pytest.mark.parametrize(
    ("name", "action"),
    [("hassfest", "home-assistant/actions/hassfest"), ("hacs", "hacs/action")],
)
def test_official_checkers(name: str, action: str) -> None:
    """They run on every change, and weekly, as their rules change without us."""
    path = FOLDER / f"{name}.yml"
    assert any(step.get("uses", "").startswith(f"{action}@") for step in _steps(path))
    assert {"push", "pull_request", "schedule"} <= _on(path).keys()
    assert all("ignore" not in step.get("with", {}) for step in _steps(path))


def test_all_tests_run_and_the_long_ones_weekly() -> None:
    path = FOLDER / "test.yml"
    ((cron,),) = (entry.values() for entry in _on(path)["schedule"])
    assert cron.split()[-1] in set("0123456")
    runs = " ".join(step.get("run", "") for step in _steps(path))
    assert re.search(r"scripts/test .*'schedule' && '--long'", runs)


def test_waiter_runs_on_every_python_that_it_names() -> None:
    """Those that its package says it is for."""
    package = tomllib.loads((ROOT / "waiter/pyproject.toml").read_text())["project"]
    named = {
        found[1]
        for each in package["classifiers"]
        if (found := re.fullmatch(r".*:: Python :: (3\.\d+)", each))
    }
    pythons = _read(FOLDER / "test.yml")["jobs"]["waiter"]["strategy"]["matrix"]
    assert set(pythons["python"]) == named == {"3.11", "3.12", "3.13", "3.14"}


def test_release_is_tried_before_it_is_published() -> None:
    """The zip that was tried is the one that is published, by a tag alone."""
    path = FOLDER / "release.yml"
    assert _on(path) == {"push": {"tags": ["v*"]}}
    runs = [step["run"] for step in _steps(path) if "run" in step]
    tried = next(i for i, run in enumerate(runs) if "scripts/release --check" in run)
    published = next(i for i, run in enumerate(runs) if "gh release create" in run)
    assert tried < published
    assert "dist/homeagent.zip" in runs[published]

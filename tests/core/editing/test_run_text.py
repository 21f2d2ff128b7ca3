"""A run as plain lines, as a notification shows it."""

from dataclasses import replace

import pytest

from custom_components.homeagent.editing.run_text import run_text
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.group_run import WHEN_FALSE
from custom_components.homeagent.sequence.report import (
    GroupReport,
    PlacedError,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.run_words import say
from custom_components.homeagent.sequence.summary import call_failed

from .words import EN, WORDINGS, ZH

FIRE = ToolError(reason=Reason.FAILED, detail="Lamp is on fire", hint="for models")
DONE = ToolReport(index=0, tool="light.on", status=Status.OK, attempts=1)
LOST = replace(DONE, status=Status.FAILED, error=FIRE)
SAYS = "It failed. It says: “Lamp is on fire”"


def _group(*tools: ToolReport, **more: object) -> GroupReport:
    base = GroupReport(name="g", status=Status.OK, tools=tools)
    return replace(base, **more)  # type: ignore[arg-type]


def _run(*groups: GroupReport, **more: object) -> RunReport:
    base = RunReport(run_id="1", sequence="s", status=Status.OK, groups=groups)
    return replace(base, **more)  # type: ignore[arg-type]


def _below_group(*tools: ToolReport) -> list[str]:
    return run_text(_run(_group(*tools)), EN).splitlines()[2:]


@pytest.mark.parametrize(
    ("tools", "lines"),
    [
        ((DONE,), []),
        ((LOST,), [f"• light.on: {SAYS}"]),
        ((DONE, replace(LOST, index=1)), [f"• 2. light.on: {SAYS}"]),
        ((replace(DONE, attempts=2),), ["• light.on: Done (tried 2 times)"]),
        (
            (replace(LOST, attempts=3),),
            [f"• light.on: Failed (tried 3 times): {SAYS}"],
        ),
        ((replace(DONE, status=Status.MISSING),), ["• light.on: Tool missing"]),
        (
            (replace(DONE, warnings=("disk is full",)),),
            ["• light.on: It says: “disk is full”"],
        ),
    ],
)
def test_calls(tools: tuple[ToolReport, ...], lines: list[str]) -> None:
    """Nothing where all is well; otherwise what and why."""
    assert _below_group(*tools) == lines


def test_whole_run_in_chinese() -> None:
    """The run, its errors, its groups, why one did not run, and what it gave."""
    report = _run(
        _group(LOST, status=Status.FAILED),
        _group(
            replace(DONE, status=Status.NOT_RUN),
            status=Status.NOT_RUN,
            why=say("group_failed", group="g"),
        ),
        _group(DONE, status=Status.SKIPPED, why=WHEN_FALSE),
        status=Status.FAILED,
        errors=(PlacedError(error=FIRE, group="g"),),
        out={"g": {"x": [1, "two"]}},
    )
    assert run_text(report, ZH).splitlines() == [
        "s：失败，用时 0 秒",
        "g：执行失败。原文：“Lamp is on fire”",
        "g：失败",
        "• light.on：执行失败。原文：“Lamp is on fire”",
        "g：未运行（组 g 失败了）",
        "g：已跳过（不满足条件）",
        'g, x：[1,"two"]',
    ]


def test_run_within_a_run() -> None:
    """It is told one level further in, and not once more as one sentence."""
    inner = _run(_group(LOST, status=Status.FAILED), status=Status.FAILED)
    told = replace(FIRE, detail=call_failed(inner))
    assert _below_group(replace(LOST, error=told, run=inner)) == [
        "• light.on #s: Failed",
        "  g: Failed",
        f"  • light.on: {SAYS}",
    ]


def test_words_of_models_are_not_told() -> None:
    """Neither states as the core writes them, nor hints with names of tools."""
    report = _run(_group(LOST, status=Status.PASSED_BY), _group(LOST))
    for wording in WORDINGS.values():
        text = run_text(report, wording)
        assert "for models" not in text
        assert "passed_by" not in text

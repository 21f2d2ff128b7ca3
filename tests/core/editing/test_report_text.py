"""A run's report as people read it, in their language."""

from collections.abc import Iterable
from dataclasses import replace
import re

import pytest

from custom_components.homeagent.editing.error_text import error_lines, error_text
from custom_components.homeagent.editing.report_text import (
    failed_lines,
    report_markdown,
    result_markdown,
)
from custom_components.homeagent.kernel import door_errors, words
from custom_components.homeagent.kernel.batch import ONE_CALL
from custom_components.homeagent.kernel.contract import ToolResult
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.masking import NOT_ALLOWED
from custom_components.homeagent.kernel.time_text import seconds_text
from custom_components.homeagent.kernel.validation import compile_schema
from custom_components.homeagent.sequence.group_run import DECLARED_SERIAL, WHEN_FALSE
from custom_components.homeagent.sequence.model import Group, Parameter, SlotType
from custom_components.homeagent.sequence.preflight import group_inputs
from custom_components.homeagent.sequence.refusals import Looked
from custom_components.homeagent.sequence.report import (
    GroupReport,
    PlacedError,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.run_words import say
from custom_components.homeagent.sequence.summary import call_failed, went_without

from .words import EN, WORDINGS, ZH

HA_SAYS = ToolError(reason=Reason.FAILED, detail="Lamp is on fire", hint="for models")


def _plain(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def _lines(markdown: str) -> list[str]:
    return _plain(markdown).splitlines()


def _run(*groups: GroupReport, **more: object) -> RunReport:
    base = RunReport(run_id="1", sequence="s", status=Status.OK, groups=groups)
    return replace(base, **more)  # type: ignore[arg-type]


def _group(*tools: ToolReport, **more: object) -> GroupReport:
    base = GroupReport(name="g", status=Status.OK, tools=tools)
    return replace(base, **more)  # type: ignore[arg-type]


def _failed(error: ToolError, **more: object) -> ToolReport:
    base = ToolReport(index=0, tool="light.on", status=Status.FAILED, error=error)
    return replace(base, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("schema", "value", "english", "chinese"),
    [
        (
            {"type": "integer", "maximum": 255},
            300,
            "This should be a whole number of at most 255; found the number 300.",
            "需要不大于 255 的整数，得到的是数字 300。",
        ),
        (
            {"enum": ["heat", "cool"]},
            "het",
            (
                'This should be one of "heat", "cool"; found the text "het".'
                " Did you mean heat?"
            ),
            '需要以下之一："heat", "cool"，得到的是文本 "het"。是否指 heat？',
        ),
        (
            {"type": "array", "items": {"type": "boolean"}, "minItems": 2},
            [],
            (
                "This should be a list of at least 2 elements, each yes or no;"
                " found a list of 0."
            ),
            "需要至少 2 项的列表（每项为“是”或“否”），得到的是含 0 项的列表。",
        ),
    ],
)
def test_wrong_value(
    schema: dict[str, object], value: object, english: str, chinese: str
) -> None:
    """What a tool's schema does not take: what is needed, what was found."""
    check = compile_schema({"type": "object", "properties": {"x": schema}})
    (problem,) = check({"x": value}).problems
    assert [error_text(problem, word) for word in (EN, ZH)] == [
        english,
        chinese,
    ]


def test_what_must_be_agreed_to() -> None:
    """All steps are named, in the words of the language to the last."""
    steps = (
        say("step_in_group", tool="t.a", group="g"),
        say("step_in_group", tool="t.b", group="h"),
    )
    error = Looked(steps=steps).unconfirmed().error
    assert "组 g 中的 t.a、组 h 中的 t.b" in error_text(error, ZH)


def test_wrong_input() -> None:
    """Missing, not allowed: in the words of the form, none of them for models."""
    choice = Parameter(type=SlotType.STRING, enum=("a", "b"))
    needed = Parameter(type=SlotType.NUMBER, required=True)
    group = Group(name="g", inputs={"x": choice, "y": needed}, tools=())
    _, errors = group_inputs(group, {"x": "c"})
    assert [error_text(each, ZH) for each in errors] == [
        '这里不能选 "c"。可选："a", "b"。',
        "需要此输入，但没有提供。",
    ]


@pytest.mark.parametrize(
    ("error", "english"),
    [
        (HA_SAYS, "It failed. It says: “Lamp is on fire”"),
        (ToolError(reason=Reason.BUSY), "It is busy. Try again later."),
        (
            replace(door_errors.late(1.99923), still_running=True),
            (
                "There was no answer within 2 s. Look at the present state before you"
                " try again. It is still running in Home Assistant."
            ),
        ),
        (
            ToolError(
                reason=Reason.NOT_FOUND,
                detail=words.say("no_tool", tool="'light.onn'", near="light.on"),
                hint="Use tool_search to find a tool by words.",
            ),
            (
                "There is no action or tool 'light.onn' now. Choose another one in this"
                " row, or bring back the integration that provides it."
                " Did you mean light.on?"
            ),
        ),
    ],
)
def test_error(error: ToolError, english: str) -> None:
    """The core's words are told; those of others are quoted, hints for models left."""
    assert error_text(error, EN) == english


def test_error_of_others_in_chinese() -> None:
    """The frame is translated, what they said is data."""
    assert error_text(HA_SAYS, ZH) == "执行失败。原文：“Lamp is on fire”"


def test_each_error_is_a_line() -> None:
    """The first, and those beside it, each at its field."""
    more = replace(HA_SAYS, field="data.x", also=(NOT_ALLOWED,))
    lines = list(error_lines(more, ZH))
    assert lines[0] == "data.x：执行失败。原文：“Lamp is on fire”"
    assert lines[1].startswith("您没有权限这样做。")


def test_where_rights_are_changed_is_told() -> None:
    """Whoever is refused reads where that can be changed."""
    for word in WORDINGS.values():
        for error in (NOT_ALLOWED, door_errors.unauthorized("no rule grants x")):
            assert "HomeAgent → " in error_text(error, word)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (Status.OK, "TIP"),
        (Status.PARTIAL, "WARNING"),
        (Status.FAILED, "CAUTION"),
        (Status.CANCELLED, "CAUTION"),
    ],
)
def test_status(status: Status, kind: str) -> None:
    """A box with the status and the time, with the digits that anybody wants."""
    first, title = _lines(report_markdown(_run(status=status, duration=1.99923), ZH))
    assert first == f"> [!{kind}]"
    assert title.endswith("用时 2 秒**")


def test_whole_report() -> None:
    """Errors of the run and of groups, each a line; calls count from 1, as in forms."""
    report = _run(
        _group(
            _failed(HA_SAYS, attempts=3, warnings=("disk is full",)),
            ToolReport(index=1, tool="b", status=Status.OK, warnings=(NOTE,)),
            status=Status.FAILED,
            parallel=False,
            parallel_why=DECLARED_SERIAL,
        ),
        _group(ToolReport(index=0, tool="c", status=Status.NOT_RUN), **SKIPPED),
        status=Status.FAILED,
        errors=(
            PlacedError(error=HA_SAYS),
            PlacedError(error=replace(HA_SAYS, also=(HA_SAYS,)), group="g"),
        ),
        out={"g": {"x": 1}},
    )
    assert _lines(report_markdown(report, ZH)) == [
        "> [!CAUTION]",
        "> **失败，用时 0 秒**",
        ">",
        "> - 执行失败。原文：“Lamp is on fire”",
        "> - g：执行失败。原文：“Lamp is on fire”",
        "> - g：执行失败。原文：“Lamp is on fire”",
        "",
        "**g**：失败",
        "- 依次进行：该组就是这样设置的",
        "- 1. light.on：失败（已尝试 3 次）",
        "  - 执行失败。原文：“Lamp is on fire”",
        "  - 原文：“disk is full”",
        "- 2. b：完成",
        "  - 没有重试：该组的 5 秒所剩不多。",
        "",
        "**g**：已跳过（不满足条件）",
        "",
        "```json",
        *("{", '  "g": {', '    "x": 1', "  }", "}"),
        "```",
    ]


def test_one_call_has_no_order() -> None:
    """Where the tools of the others are gone, nobody asks why it was not at once."""
    gone = replace(_failed(HA_SAYS), index=1, status=Status.MISSING, error=None)
    done = ToolReport(index=0, tool="a", status=Status.OK)
    group = _group(done, gone, parallel=False, parallel_why=ONE_CALL)
    assert _lines(report_markdown(_run(group), EN))[4:] == [
        "- 1. a: Done",
        "- 2. light.on: Tool missing",
    ]


NOTE = say("not_tried_again", seconds="5")
SKIPPED = {"status": Status.SKIPPED, "why": WHEN_FALSE}


@pytest.mark.parametrize("making", [call_failed, went_without])
def test_nested_report(making: object) -> None:
    """What a call by name ran is shown itself, and not once more as one sentence."""
    inner = _run(
        _group(_failed(HA_SAYS), status=Status.FAILED),
        status=Status.FAILED,
        errors=(PlacedError(error=HA_SAYS, group="g"),),
    )
    outer = _failed(HA_SAYS, run=inner)
    if making is call_failed:
        told = replace(HA_SAYS, detail=call_failed(inner))
        outer = replace(outer, error=told)
    else:
        outer = replace(outer, error=None, warnings=(went_without(inner),))
    lines = _lines(report_markdown(_run(_group(outer)), EN))
    assert lines[3:] == [
        "**g**: Done",
        "- 1. light.on #s: Failed",
        "  - g: It failed. It says: “Lamp is on fire”",
        "  - **g**: Failed",
        "    - 1. light.on: Failed",
        "      - It failed. It says: “Lamp is on fire”",
    ]


def _result(**more: object) -> ToolResult:
    return replace(ToolResult(call_id="1", tool="seq_run"), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (_result(nested=_run()), ["> [!TIP]", "> **Done in 0 s**"]),
        (_result(), ["> [!TIP]", "> **Done**"]),
        (
            _result(error=ToolError(reason=Reason.BUSY, also=(HA_SAYS,))),
            [
                "> [!CAUTION]",
                "> **Failed**",
                ">",
                "> - It is busy. Try again later.",
                "> - It failed. It says: “Lamp is on fire”",
            ],
        ),
    ],
)
def test_result(result: ToolResult, expected: Iterable[str]) -> None:
    """A report, or why there is none."""
    assert _lines(result_markdown(result, EN)) == list(expected)


INNER = _run(
    _group(_failed(replace(HA_SAYS, field="target")), status=Status.FAILED),
    status=Status.FAILED,
    errors=(PlacedError(error=ToolError(reason=Reason.BUSY), group="g"),),
)
CALLED = replace(HA_SAYS, detail=call_failed(INNER))


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (
            _result(nested=_run(_group(_failed(CALLED, run=INNER)))),
            [
                "g：正忙。请稍后再试。",
                "g, light.on：目标：执行失败。原文：“Lamp is on fire”",
            ],
        ),
        (_result(error=HA_SAYS), ["原文：“Lamp is on fire”"]),
        (_result(error=ToolError(reason=Reason.BUSY)), ["正忙。请稍后再试。"]),
        (
            _result(
                nested=_run(status=Status.CANCELLED),
                error=replace(HA_SAYS, detail=say("call_cancelled_run", name="#s")),
            ),
            ["#s 已取消。"],
        ),
        (_result(), []),
    ],
)
def test_failure_in_few_words(result: ToolResult, told: list[str]) -> None:
    """What a failed action says: of a run each thing that went wrong, once."""
    assert list(failed_lines(result, ZH)) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.0, "0"),
        (0.0512, "0.05"),
        (0.996, "1"),
        (1.99923, "2"),
        (3.44, "3.4"),
        (9.96, "10"),
        (59.98, "60"),
        (7200.0, "7200"),
    ],
)
def test_seconds(seconds: float, told: str) -> None:
    """No more digits than anybody wants."""
    assert seconds_text(seconds) == told


def test_markup_is_data() -> None:
    """What a tool says cannot become a link or a heading."""
    evil = replace(HA_SAYS, detail="[x](http://y)\n# z")
    markdown = report_markdown(_run(_group(_failed(evil))), EN)
    assert r"\[x\]\(http\:\/\/y\) \# z" in markdown

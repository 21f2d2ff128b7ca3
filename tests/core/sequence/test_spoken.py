"""What is said of a run, and the plain facts of it."""

from string import Formatter

import pytest

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.digest import digest
from custom_components.homeagent.sequence.model import SlotType
from custom_components.homeagent.sequence.report import (
    GroupReport,
    PlacedError,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.sentence_slots import NotUnderstood
from custom_components.homeagent.sequence.spoken import Speech
from custom_components.homeagent.sequence.spoken_words import PHRASES, REASONS, TYPES

SECRET = "hunter2"


def error(reason: Reason) -> ToolError:
    """Return an error whose text must not be told to everybody."""
    return ToolError(reason=reason, detail=SECRET)


def run(status: Status, *tools: ToolReport, **more: object) -> RunReport:
    """Return the report of a run with one group."""
    group = GroupReport(name="g", status=status, tools=tools)
    return RunReport(
        run_id="r",
        sequence="s",
        status=status,
        duration=1.23456,
        groups=(group,),
        **more,  # type: ignore[arg-type]
    )


def failed(tool: str, reason: Reason, inner: RunReport | None = None) -> ToolReport:
    """Return the report of a tool that failed."""
    return ToolReport(
        index=0, tool=tool, status=Status.FAILED, error=error(reason), run=inner
    )


LIGHT = failed("light.turn_on", Reason.UNAVAILABLE)
NESTED = failed("seq_call", Reason.FAILED, run(Status.FAILED, LIGHT))
REFUSED = run(
    Status.FAILED, errors=(PlacedError(error=error(Reason.UNAUTHORIZED), group="g"),)
)
ASKS = run(Status.FAILED, errors=(PlacedError(error=error(Reason.UNCONFIRMED)),))

RIGHTS = (
    "An administrator can change that in Home Assistant, under Settings, Devices & "
    "services, HomeAgent, access rules."
)
RIGHTS_ZH = (
    "管理员可以在 Home Assistant 的设置、设备与服务、HomeAgent、访问规则中更改。"
)
CONSENT = (
    "Night needs somebody's consent, and did nothing. The question waits in HomeAgent."
)


@pytest.mark.parametrize(
    ("report", "english", "chinese"),
    [
        (run(Status.OK), "Night is done.", "Night已完成。"),
        (
            run(Status.OK, out={"g": {"hall": "off", "n": 3, "on": True}}),
            "Night is done: hall: off, n: 3, on: yes.",
            "Night已完成：hall是off，n是3，on是是。",
        ),
        (run(Status.OK, out={"g": {"list": [1], "o": {}}}), "Night is done.", None),
        (run(Status.OK, out={"g": {"long": "x" * 201}}), "Night is done.", None),
        (
            run(Status.OK, out={"g": {str(n): n for n in range(7)}}),
            "Night is done: 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, and 2 more.",
            None,
        ),
        (
            run(Status.FAILED, LIGHT),
            "Night has failed: light turn on: not available.",
            "Night失败了：light turn on不可用。",
        ),
        (
            run(Status.FAILED, NESTED, NESTED),
            None,
            "Night失败了：light turn on不可用。",
        ),
        (
            run(Status.PARTIAL, LIGHT),
            "Night is done, but not all of it: light turn on: not available.",
            "Night已完成，但有部分没有做到：light turn on不可用。",
        ),
        (
            REFUSED,
            f"I could not run Night: I may not do a part of it for you. {RIGHTS}",
            f"无法运行Night：其中有一部分我没有权限为您执行。{RIGHTS_ZH}",
        ),
        (
            run(Status.PARTIAL, failed("light.turn_on", Reason.UNAUTHORIZED)),
            "Night is done, but not all of it: light turn on: not allowed. " + RIGHTS,
            "Night已完成，但有部分没有做到：light turn on没有权限。" + RIGHTS_ZH,
        ),
        (run(Status.CANCELLED), "Night was cancelled.", "Night已取消。"),
        (
            ASKS,
            CONSENT,
            None,
        ),
    ],
)
def test_report(report: RunReport, english: str | None, chinese: str | None) -> None:
    """Short, honest, and without the texts of errors."""
    for language, expected in (("en", english), ("zh-Hans", chinese)):
        said = Speech(language).report("Night", report)
        assert expected is None or said == expected
        assert SECRET not in said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en-GB", "Night was cancelled."),
        ("zh", "Night已取消。"),
        ("zh_CN", "Night已取消。"),
        ("ZH-TW", "Night已取消。"),
        ("de", "Night was cancelled."),
        ("", "Night was cancelled."),
        (None, "Night was cancelled."),
    ],
)
def test_language(language: str | None, said: str) -> None:
    """English stands for what is not known."""
    assert Speech(language).report("Night", run(Status.CANCELLED)) == said


@pytest.mark.parametrize(
    ("reason", "english", "chinese"),
    [
        (
            Reason.UNAUTHORIZED,
            f"I may not run Night for you. {RIGHTS}",
            f"我没有权限为您运行Night。{RIGHTS_ZH}",
        ),
        (Reason.BUSY, "I could not run Night: busy.", "无法运行Night：正忙。"),
        (Reason.UNCONFIRMED, CONSENT, None),
    ],
)
def test_refusal(reason: Reason, english: str, chinese: str | None) -> None:
    """What was refused, by its name, and where that can be changed."""
    assert Speech("en").refusal("Night", reason) == english
    assert chinese in {None, Speech("zh-Hans").refusal("Night", reason)}


def test_not_understood() -> None:
    """Choices, or what it should be."""
    slot = NotUnderstood(key="room", heard="x", type=SlotType.INTEGER)
    said = Speech("en").not_understood(slot)
    assert said == "I did not understand x for room. It should be a whole number."
    assert "整数" in Speech("zh").not_understood(slot)


def test_both_languages_are_complete() -> None:
    """The same phrases with the same placeholders, and words for every reason."""
    languages = set(PHRASES)
    assert languages == set(REASONS) == set(TYPES) == {"en", "zh"}
    fields = [
        {key: sorted(_fields(text)) for key, text in PHRASES[each].items()}
        for each in languages
    ]
    assert fields[0] == fields[1]
    for each in languages:
        assert set(REASONS[each]) == set(Reason)


def _fields(text: str) -> set[str]:
    return {field for _, field, *_ in Formatter().parse(text) if field}


def test_digest() -> None:
    """Facts only, each tool and reason once; inner runs tell for themselves."""
    told = digest(run(Status.FAILED, LIGHT, NESTED, LIGHT)).as_dict()
    assert told == {
        "status": "failed",
        "failed_tools": ["light.turn_on"],
        "reasons": ["unavailable"],
        "run_id": "r",
        "duration": 1.235,
    }
    assert digest(REFUSED).as_dict()["failed_tools"] == []
    assert digest(REFUSED).reasons == ["unauthorized"]

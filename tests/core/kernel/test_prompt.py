"""The prompt says what the code does, in both languages (§6.5)."""

import pytest

from custom_components.homeagent.kernel.prompt import BATCH, GATE, execution_rules

from ..virtual_time import run_virtual
from .fakes import Home
from .test_one_by_one import all_at_once, opened

BY_DEFAULT = {"en": "at the same time by default", "zh-Hans": "默认同时执行"}
NO_FEEDING = {
    "en": "Do not use the output of one call",
    "zh-Hans": "不要把一个调用的输出",
}
SAME_TARGET = {
    "en": "the same output channel or the same entity",
    "zh-Hans": "同一输出通道或同一",
}
NOT_SAFE = {"en": "not declared parallel safe", "zh-Hans": "未声明可安全并行"}
WHOLE = {
    "en": "all calls of the reply run one after the other",
    "zh-Hans": "所有调用按书写顺序依次执行",
}
ALONE = {"en": "runs alone", "zh-Hans": "单独执行"}
WAITS = {"en": "waits for it", "zh-Hans": "会等待其结束"}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (BATCH, [BY_DEFAULT, NO_FEEDING, SAME_TARGET, NOT_SAFE, WHOLE]),
        (GATE, [BY_DEFAULT, NO_FEEDING, SAME_TARGET, NOT_SAFE, ALONE, WAITS]),
    ],
)
def test_every_claim_is_made(
    language: str, text: dict[str, str], claims: list[dict[str, str]]
) -> None:
    """Default, advice and both exceptions; a text without an exception lies."""
    for claim in claims:
        assert claim[language] in text[language]


@pytest.mark.parametrize(
    ("language", "begins"),
    [("en", "Tool"), ("de", "Tool"), ("zh-Hans", "同"), ("zh", "同")],
)
def test_language(language: str, begins: str) -> None:
    """Chinese for Chinese, English for all others."""
    assert execution_rules(language).startswith(begins)


def home_with_all_kinds() -> Home:
    """Safe tools, two that act on one lamp, one that is not declared safe."""
    home = Home()
    home.tool("safe", seconds=1)
    home.tool("lamp", seconds=1, keys=lambda arguments: frozenset({"entity:lamp"}))
    home.tool("unsafe", seconds=1, parallel_safe=False)
    return home


@pytest.mark.parametrize(
    ("calls", "at_once"),
    [
        (["safe", "safe", "lamp"], 3),  # at the same time by default
        (["safe", "lamp", "lamp"], 1),  # exception one: the whole reply
        (["safe", "safe", "unsafe"], 1),  # exception two: the whole reply
    ],
)
def test_batch_does_what_the_text_says(calls: list[str], at_once: int) -> None:
    """The claims of the batch's text, run."""
    home = home_with_all_kinds()
    run_virtual(home.run(*calls))
    assert home.log.most_at_once == at_once


@pytest.mark.parametrize(
    ("calls", "at_once"),
    [
        (["safe", "safe", "lamp"], 3),  # at the same time by default
        (["safe", "lamp", "lamp"], 2),  # exception one: that call waits
        (["unsafe", "safe", "safe"], 2),  # exception two: alone, later calls wait
    ],
)
def test_gate_does_what_the_text_says(calls: list[str], at_once: int) -> None:
    """The claims of the gate's text, run."""
    home = home_with_all_kinds()
    run_virtual(all_at_once(opened(home), *calls))
    assert home.log.most_at_once == at_once
    starts = [entry for entry in home.log if entry.startswith("start")]
    assert starts == [f"start {name} {index}" for index, name in enumerate(calls)]

"""Rules in one plain sentence, and what they risk."""

from dataclasses import replace

import pytest

from custom_components.homeagent.access.defaults import DEFAULTS, READY_MADE, ReadyRule
from custom_components.homeagent.access.model import AccessRule, How, What, Where, Who
from custom_components.homeagent.access.ready_words import CHINESE_READY
from custom_components.homeagent.access.risks import Risk, risks
from custom_components.homeagent.access.rule_sentence import (
    rule_risk,
    rule_sentence,
    unchanged,
)
from custom_components.homeagent.access.rule_words import CHINESE, ENGLISH, words_of
from custom_components.homeagent.kernel.contract import Entrance

from .example import rule

TALKS = frozenset({Entrance.CONVERSATION})
DIRECT = frozenset({Entrance.DIRECT})
ADMINS = frozenset({Who.ADMINISTRATORS})


def _name(field: str, identifier: str) -> str:
    return {"anna": "Anna", "bed": "Bedroom"}.get(identifier, identifier)


@pytest.mark.parametrize(
    ("made", "english", "chinese"),
    [
        (
            rule(who=ADMINS, through=TALKS, what=frozenset({What.HOSTS})),
            "Administrators may run commands on hosts, through a conversation.",
            "管理员可以通过对话在主机上运行命令。",
        ),
        (
            rule(
                users=frozenset({"anna", "ben"}),
                who=frozenset({Who.AUTOMATIONS}),
                through=frozenset({Entrance.DIRECT, Entrance.AUTOMATION}),
                tools=frozenset({"light.*"}),
                what=frozenset({What.READING}),
                where=frozenset({Where.EXPOSED}),
                areas=frozenset({"bed"}),
            ),
            (
                "Automations, Anna and ben may read states and history and use light.*"
                " as far as it is exposed to Assist or in Bedroom, when they act themselves"
                " or in automations."
            ),
            (
                "自动化、Anna和ben可以亲自操作或在自动化中读取状态与历史和使用 light.*"
                "（仅限已公开给 Assist 的或区域 Bedroom）。"
            ),
        ),
        (
            rule(
                devices=frozenset({"satellite"}),
                through=TALKS,
                entities=frozenset({f"light.l{n}" for n in range(8)}),
                how=How.ASK,
                enabled=False,
            ),
            (
                "Off: Whoever speaks to satellite may switch and read light.l0, light.l1,"
                " light.l2, light.l3, light.l4 and 3 more, through a conversation, after a"
                " person has agreed."
            ),
            (
                "已停用：对 satellite 说话的人可以通过对话操作和读取"
                " light.l0、light.l1、light.l2、light.l3、light.l4和另外 3"
                " 个，但须先经人同意。"
            ),
        ),
    ],
)
def test_sentence(made: AccessRule, english: str, chinese: str) -> None:
    """In both languages; any other is told in English."""
    assert rule_sentence(made, _name, "en") == english
    assert rule_sentence(made, _name, "zh-Hans") == chinese
    assert rule_sentence(made, _name, "de") == english


@pytest.mark.parametrize("ready", [*DEFAULTS, *READY_MADE], ids=lambda one: one.key)
def test_own_sentence_holds_until_the_rule_is_changed(ready: ReadyRule) -> None:
    """A changed default must not say what it said."""
    kept = replace(ready.rule, id="x", name="y", enabled=True)
    assert unchanged(kept) is ready
    assert rule_sentence(kept, _name, "en") == ready.sentence
    assert rule_sentence(kept, _name, "zh-Hans") == CHINESE_READY[ready.key][0]
    changed = replace(kept, users=frozenset({"anna"}))
    assert unchanged(changed) is None
    assert "Anna" in rule_sentence(changed, _name, "en")


def test_every_word_is_there() -> None:
    """In both languages, for all that a rule can say."""
    for words in (ENGLISH, CHINESE):
        assert set(words.who) == set(Who)
        assert set(words.what) == set(What)
        assert set(words.where) == set(Where) - {Where.EVERYWHERE}
        assert set(words.through) == set(Entrance) - {Entrance.SYSTEM}
        assert set(words.risks) == set(Risk)
    assert words_of("zh-Hant") is CHINESE
    assert set(CHINESE_READY) == {one.key for one in (*DEFAULTS, *READY_MADE)}


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ({"what": {What.EVERYTHING}}, {Risk.EVERYTHING}),
        ({"what": {What.EVERYTHING}, "how": How.ASK}, set()),
        ({"what": {What.EVERYTHING}, "through": DIRECT}, set()),
        ({"what": {What.HOSTS}}, {Risk.HOSTS}),
        ({"tools": {"host_*"}}, {Risk.HOSTS}),
        ({"what": {What.EDITING_SEQUENCES}}, {Risk.EDITING}),
        ({"tools": {"notify.*", "light.*"}}, {Risk.MESSAGES}),
        ({"tools": {"n*.mobile"}}, {Risk.MESSAGES}),
        ({"tools": {"shell_command.wipe"}}, {Risk.CODE}),
        ({"tools": {"homeassistant.restart"}}, {Risk.CODE}),
        ({"what": {What.ENTITY_ACTIONS}}, {Risk.HIDDEN}),
        ({"what": {What.ENTITY_ACTIONS}, "where": {Where.EXPOSED}}, set()),
        ({"what": {What.READING}}, set()),
        (
            {"who": {Who.VOICE_DEVICES}, "what": {What.HOSTS}},
            {Risk.HOSTS, Risk.ANYONE_NEAR},
        ),
        (
            {"who": {Who.UNKNOWN}, "through": {Entrance.UNKNOWN}, "tools": {"a.b"}},
            {Risk.UNKNOWN},
        ),
        (
            {
                "who": {Who.SIGNED_IN},
                "through": DIRECT,
                "what": {What.EVERYTHING},
            },
            {Risk.HOUSEHOLD},
        ),
    ],
)
def test_risks(made: dict[str, object], found: set[Risk]) -> None:
    """What lets text, or whoever is near, reach further than what is exposed."""
    parts: dict[str, object] = {"who": ADMINS, "through": TALKS} | {
        key: frozenset(value) if isinstance(value, set) else value
        for key, value in made.items()
    }
    told = risks(rule(**parts))
    assert set(told) == found
    assert bool(rule_risk(rule(**parts), "en")) == bool(found)


def test_defaults_have_no_risk_and_ready_made_ones_do() -> None:
    """Told in both languages; computed as well, should one be changed a little."""
    for language in ("en", "zh-Hans"):
        assert not any(rule_risk(one.rule, language) for one in DEFAULTS)
        assert all(rule_risk(one.rule, language) for one in READY_MADE)
    assert all(risks(one.rule) for one in READY_MADE)
    assert not any(risks(one.rule) for one in DEFAULTS)

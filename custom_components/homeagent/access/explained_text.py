"""An explanation in plain words, in English and Chinese (page 3 §3.2).

Above `explaining` and `rule_sentence`. One text for the action and for the dialog: a sentence that says
whether, then a line for each thing with the rule that grants it, or why none does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..kernel.contract import Caller, Entrance, Verdict
from .explaining import ExplainedThing, Explanation
from .model import Who
from .rule_sentence import NameOf, capitalized
from .rule_words import is_chinese, words_of

MOST_TOLD = 20
"""How many things a text tells one by one; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    sentence: Mapping[Verdict, str]
    with_arguments: str
    any_arguments: Mapping[Verdict, str]
    through: Mapping[Entrance, str]
    why: Mapping[str, str]
    doubt: Mapping[str, str]
    thing: str
    inside: str
    more: str
    left_out: str
    concerned: str
    nobody: str


_ENGLISH: Final = _Words(
    sentence={
        Verdict.ALLOW: "{who} may use {tool} {through}{how}.",
        Verdict.ASK: "{who} may use {tool} {through}{how}, after a person has agreed.",
        Verdict.REFUSE: "{who} may not use {tool} {through}{how}.",
    },
    with_arguments=" on these targets and with these inputs",
    any_arguments={
        Verdict.ALLOW: ", at least on some of what there is",
        Verdict.ASK: ", at least on some of what there is",
        Verdict.REFUSE: " at all",
    },
    through={
        Entrance.DIRECT: "directly",
        Entrance.AUTOMATION: "in an automation",
        Entrance.CONVERSATION: "through a conversation",
        Entrance.MCP: "through an MCP client",
        Entrance.SENTENCE: "by a sentence of a sequence",
        Entrance.UNKNOWN: "with nobody behind it",
    },
    why={
        "granted": "granted by the rule “{rule}”",
        "asked": "after a person has agreed, by the rule “{rule}”",
        "no_rule": "no rule grants it",
        "home_assistant": "Home Assistant's own permissions speak against it",
    },
    doubt={
        "unresolved": (
            "Something it names cannot be found, so only a rule that grants everything"
            " lets it pass."
        ),
        "no_target": (
            "It names no target, so only a rule that grants everything lets it pass."
        ),
        "nothing": (
            "What it names comes to nothing, so only a rule that grants everything lets"
            " it pass."
        ),
    },
    thing="{name}: {why}",
    inside="{name} (in {group})",
    more="and {number} more",
    left_out="Left out, because no rule grants them: {names}",
    concerned="Rules for this caller by this way: {names}",
    nobody="No rule is for this caller by this way.",
)

_CHINESE: Final = _Words(
    sentence={
        Verdict.ALLOW: "{who}{through}可以使用 {tool}{how}。",
        Verdict.ASK: "{who}{through}可以使用 {tool}{how}，但须先经人同意。",
        Verdict.REFUSE: "{who}{through}不可以使用 {tool}{how}。",
    },
    with_arguments="（针对这些目标和输入）",
    any_arguments={
        Verdict.ALLOW: "（至少针对现有的一部分）",
        Verdict.ASK: "（至少针对现有的一部分）",
        Verdict.REFUSE: "（无论针对什么）",
    },
    through={
        Entrance.DIRECT: "亲自操作时",
        Entrance.AUTOMATION: "在自动化中",
        Entrance.CONVERSATION: "通过对话",
        Entrance.MCP: "通过 MCP 客户端",
        Entrance.SENTENCE: "通过序列的语句",
        Entrance.UNKNOWN: "在无人操作时",
    },
    why={
        "granted": "由规则“{rule}”授予",
        "asked": "经人同意后，由规则“{rule}”授予",
        "no_rule": "没有规则授予",
        "home_assistant": "Home Assistant 自身的权限不允许",
    },
    doubt={
        "unresolved": "它指明的某个东西找不到，因此只有授予一切的规则才会放行。",
        "no_target": "它没有指明目标，因此只有授予一切的规则才会放行。",
        "nothing": "它指明的东西什么也不包含，因此只有授予一切的规则才会放行。",
    },
    thing="{name}：{why}",
    inside="{name}（属于 {group}）",
    more="另外 {number} 个",
    left_out="因没有规则授予而略去：{names}",
    concerned="针对此调用者和此途径的规则：{names}",
    nobody="没有针对此调用者和此途径的规则。",
)


_FIELDS: Final = {"entity": "entities", "device": "devices", "sequence": "sequences"}


def explained_lines(
    explanation: Explanation,
    caller: Caller,
    *,
    with_arguments: bool,
    name_of: NameOf,
    language: str,
) -> tuple[str, ...]:
    """Return the explanation line by line; the first says whether.

    `name_of` names what rules have by id, and rules themselves (`rules`).
    """
    words = _CHINESE if is_chinese(language) else _ENGLISH
    how = words.with_arguments
    if not with_arguments:
        how = words.any_arguments[explanation.verdict]
    sentence = words.sentence[explanation.verdict].format(
        who=_who(caller, name_of, language),
        tool=explanation.tool,
        through=words.through[caller.entrance],
        how=how,
    )
    return (
        sentence,
        *_reasons(explanation, words, name_of, with_arguments=with_arguments),
        *_rules(explanation, words, name_of),
    )


def _who(caller: Caller, name_of: NameOf, language: str) -> str:
    words = words_of(language)
    if caller.entrance is Entrance.AUTOMATION:
        return capitalized(words.who[Who.AUTOMATIONS])
    if caller.user_id is not None:
        return name_of("users", caller.user_id)
    if caller.device_id is not None:
        device = name_of("devices", caller.device_id)
        return capitalized(words.singles["devices"].format(names=device))
    return capitalized(words.who[Who.UNKNOWN])


def _reasons(
    explanation: Explanation, words: _Words, name_of: NameOf, *, with_arguments: bool
) -> Iterator[str]:
    # Without arguments nothing is named that could be in doubt.
    if explanation.doubt and with_arguments:
        yield words.doubt[explanation.doubt]
    # What is not granted first: it is what somebody looks for.
    things = sorted(
        explanation.things, key=lambda one: (one.rule is not None, one.kind, one.id)
    )
    for thing in things[:MOST_TOLD]:
        yield _of_thing(thing, words, name_of)
    if more := len(things[MOST_TOLD:]):
        yield words.more.format(number=more)
    if left_out := explanation.left_out:
        names = [name_of("entities", one) for one in left_out[:MOST_TOLD]]
        if more := len(left_out[MOST_TOLD:]):
            names.append(words.more.format(number=more))
        yield words.left_out.format(names=", ".join(names))


def _of_thing(thing: ExplainedThing, words: _Words, name_of: NameOf) -> str:
    name = name_of(_FIELDS.get(thing.kind, thing.kind), thing.id)
    if thing.named not in {"", thing.id}:
        group = name_of("entities", thing.named)
        name = words.inside.format(name=name, group=group)
    rule = "" if thing.rule is None else _plain(name_of("rules", thing.rule))
    return words.thing.format(name=name, why=words.why[thing.why].format(rule=rule))


def _rules(explanation: Explanation, words: _Words, name_of: NameOf) -> Iterator[str]:
    if not explanation.concerned:
        yield words.nobody
        return
    names = [f"“{_plain(name_of('rules', one))}”" for one in explanation.concerned]
    yield words.concerned.format(names=", ".join(names))


def _plain(sentence: str) -> str:
    """Return a rule's sentence as it stands inside another one."""
    return sentence.rstrip(".。")

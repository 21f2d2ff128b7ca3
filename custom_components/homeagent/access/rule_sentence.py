"""A rule in one plain sentence, and its risk (page 3 §3.2).

Above `defaults` and `rule_words`. Defaults and ready-made rules have sentences of their
own for as long as nobody changed what they say.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from .defaults import ReadyRule, ready_rule
from .model import AccessRule, How, Where
from .ready_words import CHINESE_READY
from .risks import risks
from .rule_words import Words, is_chinese, words_of

MOST_NAMED = 5
"""How many names of a kind a sentence tells; the others are counted."""

LONGEST_NAME = 60
"""Characters of a name that a sentence tells."""

type NameOf = Callable[[str, str], str]
"""Returns the name of an id, of the kind that a rule's field has (`areas` …)."""


def rule_sentence(rule: AccessRule, name_of: NameOf, language: str) -> str:
    """Return what a rule says, in one sentence."""
    words = words_of(language)
    ready = unchanged(rule)
    if ready is None:
        sentence = _Speaker(rule, name_of, words).sentence()
    else:
        sentence = ready_sentence(ready, language)
    return sentence if rule.enabled else words.off.format(sentence=sentence)


def rule_risk(rule: AccessRule, language: str) -> str:
    """Return what a rule risks, in a sentence or more; nothing where nothing is."""
    ready = unchanged(rule)
    if ready is not None:
        return ready_risk(ready, language)
    words = words_of(language)
    space = "" if is_chinese(language) else " "
    return space.join(words.risks[risk] for risk in risks(rule))


def unchanged(rule: AccessRule) -> ReadyRule | None:
    """Return the default or ready-made rule that a rule still is."""
    ready = ready_rule(rule.key)
    if ready is None:
        return None
    own = ready.rule
    same = replace(rule, id=own.id, name=own.name, enabled=own.enabled) == own
    return ready if same else None


def ready_sentence(ready: ReadyRule, language: str) -> str:
    """Return the sentence of a default or ready-made rule."""
    return CHINESE_READY[ready.key][0] if is_chinese(language) else ready.sentence


def ready_risk(ready: ReadyRule, language: str) -> str:
    """Return the risk of a ready-made rule; nothing for a default."""
    return CHINESE_READY[ready.key][1] if is_chinese(language) else ready.risk


class _Speaker:
    """Puts one rule into one language's words."""

    def __init__(self, rule: AccessRule, name_of: NameOf, words: Words) -> None:
        self._rule = rule
        self._name_of = name_of
        self._words = words

    def sentence(self) -> str:
        rule, words = self._rule, self._words
        who = [words.who[one] for one in words.who if one in rule.who]
        who += self._named("users")
        what = [words.what[one] for one in words.what if one in rule.what]
        through = [words.through[one] for one in words.through if one in rule.through]
        text = words.sentence.format(
            who=self._all([*who, *self._named("devices")]),
            what=self._all(
                [
                    *what,
                    *self._named("tools"),
                    *self._named("entities"),
                    *self._named("sequences"),
                ]
            ),
            within=self._within(),
            through=self._any(through),
            asked=words.asked if rule.how is How.ASK else "",
        )
        begins_with_a_name = bool(rule.users) and not rule.who
        return text if begins_with_a_name else capitalized(text)

    def _within(self) -> str:
        rule, words = self._rule, self._words
        if Where.EVERYWHERE in rule.where:
            return ""
        where = [words.where[one] for one in words.where if one in rule.where]
        named = [*where, *self._named("areas"), *self._named("floors")]
        return words.within.format(where=self._any(named))

    def _named(self, field: str) -> list[str]:
        """Return what is said of the things a field names, if it names any."""
        ids: frozenset[str] = getattr(self._rule, field)
        if not ids:
            return []
        names = sorted(_short(self._name_of(field, one)) for one in ids)
        shown = names[:MOST_NAMED]
        if more := len(names) - len(shown):
            shown.append(self._words.more.format(number=more))
        form = self._words.singles[field]
        return shown if form == "{names}" else [form.format(names=self._all(shown))]

    def _all(self, parts: Iterable[str]) -> str:
        return _joined(list(parts), self._words.comma, self._words.last_and)

    def _any(self, parts: Iterable[str]) -> str:
        return _joined(list(parts), self._words.comma, self._words.last_or)


def capitalized(text: str) -> str:
    """Return a text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _joined(parts: list[str], comma: str, last: str) -> str:
    return last.join([comma.join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def _short(name: str) -> str:
    plain = " ".join(name.split())
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"

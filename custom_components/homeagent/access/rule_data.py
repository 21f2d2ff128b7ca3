"""Rules as stored data: strict reading, and writing back (page 3 §3.2).

Above `model` and `patterns`. The data of a rule is a flat JSON object whose keys are the
fields of a form. All that is wrong is told at once, each with its field, a code for
translations, what was found and what would be right; nothing is passed over.
"""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
import re
from typing import Final

from ..kernel.contract import Entrance
from ..kernel.names import nearest
from .model import ENTRANCES, AccessRule, How, What, Where, Who
from .patterns import is_pattern
from .rule_problems import Problem, RuleError, one_of, problem
from .rule_sense import nonsense

_WORDS: Final[Mapping[str, tuple[StrEnum, ...]]] = {
    "who": tuple(Who),
    "through": ENTRANCES,
    "where": tuple(Where),
    "what": tuple(What),
}
_IDS: Final = ("users", "devices", "areas", "floors", "tools", "entities", "sequences")
_KEYS: Final = ("name", "how", "enabled", "key", *_WORDS, *_IDS)
_REQUIRED: Final = ("name", "through", "how", "enabled")

MOST: Final = 1000
"""Entries that one list of a rule may have."""


def read_rule(rule_id: str, data: object) -> AccessRule:
    """Return the rule of stored data; raises `RuleError` with all that is wrong."""
    if not isinstance(data, Mapping):
        raise RuleError(rule_id, [problem("", "no_object", data, "a JSON object")])
    reader = _Reader(data)
    rule = AccessRule(
        id=rule_id,
        name=reader.name(),
        who=frozenset(Who(word) for word in reader.words("who")),
        users=reader.ids("users"),
        devices=reader.ids("devices"),
        through=frozenset(Entrance(word) for word in reader.words("through")),
        where=frozenset(Where(word) for word in reader.words("where")),
        areas=reader.ids("areas"),
        floors=reader.ids("floors"),
        what=frozenset(What(word) for word in reader.words("what")),
        tools=reader.tools(),
        entities=reader.entities(),
        sequences=reader.ids("sequences"),
        how=reader.how(),
        enabled=reader.enabled(),
        key=reader.key(),
    )
    problems = reader.problems or nonsense(rule)
    if problems:
        raise RuleError(rule_id, problems)
    return rule


def dump_rule(rule: AccessRule) -> dict[str, object]:
    """Return the data of a rule, without its id; `read_rule` gives it back."""
    data: dict[str, object] = {}
    for each in fields(rule):
        value = getattr(rule, each.name)
        if each.name == "id" or (each.name == "key" and not value):
            continue
        if isinstance(value, frozenset):
            value = sorted(str(one) for one in value)
            if not value and each.name not in _REQUIRED:
                continue
        data[each.name] = str(value) if isinstance(value, StrEnum) else value
    return data


class _Reader:
    """Reads the fields one by one and collects what is wrong."""

    def __init__(self, data: Mapping[object, object]) -> None:
        self._data = data
        self.problems: list[Problem] = []
        for key in data:
            if key not in _KEYS:
                near = nearest(str(key), _KEYS)
                right = near[0] if near else one_of(_KEYS)
                self._wrong(str(key), "unknown_key", key, right)
        for key in _REQUIRED:
            if key not in data:
                self._wrong(key, "required", None, f"a value for {key}")

    def _wrong(self, field: str, code: str, found: object, right: str) -> None:
        self.problems.append(problem(field, code, found, right))

    def name(self) -> str:
        return self._text("name") if "name" in self._data else ""

    def key(self) -> str:
        return self._text("key") if "key" in self._data else ""

    def _text(self, field: str) -> str:
        value = self._data[field]
        if isinstance(value, str) and value.strip():
            return value
        self._wrong(field, "no_text", value, "a text that is not blank")
        return ""

    def how(self) -> How:
        value = self._data.get("how", How.ASK)
        if value in tuple(How):
            return How(str(value))
        self._wrong("how", "unknown_word", value, one_of(tuple(How)))
        return How.ASK

    def enabled(self) -> bool:
        value = self._data.get("enabled", False)
        if isinstance(value, bool):
            return value
        self._wrong("enabled", "no_boolean", value, "true or false")
        return False

    def words(self, field: str) -> list[str]:
        """Read a list of words out of a closed set."""
        legal = _WORDS[field]
        found = []
        for word in sorted(self.ids(field)):
            if word in legal:
                found.append(word)
                continue
            near = nearest(word, legal)
            right = near[0] if near else one_of(legal)
            self._wrong(field, "unknown_word", word, right)
        return found

    def ids(self, field: str) -> frozenset[str]:
        """Read a list of texts; each may stand there once."""
        value = self._data.get(field, [])
        if not isinstance(value, list | tuple) or len(value) > MOST:
            self._wrong(field, "no_list", value, f"a list of at most {MOST} texts")
            return frozenset()
        for index, one in enumerate(value):
            if not isinstance(one, str) or not one.strip() or one != one.strip():
                place = f"{field}[{index}]"
                self._wrong(place, "no_text", one, "a text without blanks around it")
        return frozenset(one for one in value if isinstance(one, str))

    def tools(self) -> frozenset[str]:
        """Read tool patterns; what names all tools is said by the word everything."""
        found = self.ids("tools")
        for pattern in sorted(found):
            if not is_pattern(pattern):
                right = (
                    "a tool such as light.turn_on or host_run, or a pattern such as"
                    " light.*; for all tools choose everything in what"
                )
                self._wrong("tools", "no_pattern", pattern, right)
        return found

    def entities(self) -> frozenset[str]:
        """Read entity ids as Home Assistant writes them, or ids of its registry."""
        found = self.ids("entities")
        for entity_id in sorted(found):
            if _ENTITY_ID.fullmatch(entity_id) is None:
                right = "an entity id such as light.kitchen"
                self._wrong("entities", "no_entity_id", entity_id, right)
        return found


_ENTITY_ID: Final = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+|[0-9a-f]{32}")

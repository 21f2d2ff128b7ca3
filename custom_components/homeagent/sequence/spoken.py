"""What to say about a run to the person whose sentence started it.

Pure; above the digest. Short, for ears: which tools failed and why, and the values that
can be said. Nothing is left out without saying that there is more.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..kernel.errors import Reason
from .digest import Digest, Failure, digest
from .report import RunReport, Status
from .sentence_slots import NotUnderstood
from .spoken_words import PHRASES, REASONS, TYPES

_ENGLISH: Final = "en"
_MOST_SAID: Final = 5
_LONGEST_SAID: Final = 200
"""Characters of one value that anybody would listen to."""

_REFUSING: Final = frozenset(
    {Reason.UNAUTHORIZED, Reason.BUSY, Reason.REQUIRED, Reason.VALUE, Reason.TYPE}
)


class Speech:
    """Says things in one language."""

    def __init__(self, language: str | None) -> None:
        """Choose the catalogue for a language tag such as `zh-Hans` or `de`."""
        start = (language or "").casefold().replace("_", "-").partition("-")[0]
        self._language = start if start in PHRASES else _ENGLISH
        self._phrases = PHRASES[self._language]

    def say(self, phrase: str, **placeholders: str) -> str:
        """Return a phrase of the catalogue."""
        return self._phrases[phrase].format_map(placeholders)

    def report(self, name: str, report: RunReport) -> str:
        """Say how a run ended."""
        told = digest(report)
        match told.status:
            case Status.CANCELLED:
                return self.say("cancelled", name=name)
            case Status.OK if out := self._values(report.out):
                return self.say("ok_out", name=name, out=out)
            case Status.OK | Status.PARTIAL if not told.failures:
                return self.say("ok", name=name)
            case _:
                return self._amiss(name, told)

    def _amiss(self, name: str, told: Digest) -> str:
        reasons = {failure.reason for failure in told.failures}
        if reasons == {Reason.UNCONFIRMED}:
            return self.say("unconfirmed", name=name)
        own = all(failure.tool is None for failure in told.failures)
        if own and reasons == {Reason.UNAUTHORIZED}:
            return self._with_rights(self.say("may_not_do_part", name=name))
        phrase = "partial" if told.status is Status.PARTIAL else "failed"
        if own and reasons <= _REFUSING:
            phrase = "refused"  # Nothing has run.
        failures = self._list(dict.fromkeys(map(self._failure, told.failures)))
        said = self.say(phrase, name=name, failures=failures)
        return self._with_rights(said) if Reason.UNAUTHORIZED in reasons else said

    def _with_rights(self, said: str) -> str:
        """Say, too, where it is decided what is allowed."""
        return self.say("rights", said=said)

    def refusal(self, name: str, reason: Reason) -> str:
        """Say why a run was not even begun."""
        if reason is Reason.UNCONFIRMED:
            return self.say("unconfirmed", name=name)
        if reason is Reason.UNAUTHORIZED:
            return self._with_rights(self.say("may_not_run", name=name))
        return self.say("refused", name=name, failures=self.reason(reason))

    def not_understood(self, slot: NotUnderstood) -> str:
        """Say what can be said instead of what was heard."""
        if slot.choices:
            choices = self._list(slot.choices, "or", most=20)
            return self.say("choices", key=slot.key, heard=slot.heard, choices=choices)
        kind = TYPES[self._language].get(slot.type.value, slot.type.value)
        return self.say("no_value", key=slot.key, heard=slot.heard, type=kind)

    def several(self, names: Iterable[str]) -> str:
        """Say that more than one sequence could be meant."""
        return self.say("several", names=self._list(names, "or"))

    def _failure(self, failure: Failure) -> str:
        why = self.reason(failure.reason)
        if failure.tool is None:
            return why
        return self.say("failure", what=_spoken_name(failure.tool), why=why)

    def reason(self, reason: Reason) -> str:
        """Say in a few words why something did not work."""
        return REASONS[self._language][reason]

    def _values(self, out: Mapping[str, Mapping[str, object]]) -> str:
        return self._list(self._said_values(out))

    def _said_values(self, out: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
        """Yield the values that can be said; lists and objects are for screens."""
        for slots in out.values():
            for key, value in slots.items():
                if (text := self._value(value)) is not None:
                    yield self.say("value", key=key, value=text)

    def _value(self, value: object) -> str | None:
        match value:
            case bool():
                return self.say("yes" if value else "no")
            case int() | float():
                return str(value)
            case str() if value.strip() and len(value) <= _LONGEST_SAID:
                return value.strip().rstrip(".。")
            case _:
                return None

    def _list(
        self, items: Iterable[str], joint: str = "join", *, most: int = _MOST_SAID
    ) -> str:
        said = list(items)
        if (more := len(said) - most) > 0:
            said = [*said[:most], self.say("more", count=str(more))]
        return self._phrases[joint].join(said)


def _spoken_name(tool: str) -> str:
    return tool.replace(".", " ").replace("__", " ").replace("_", " ")

"""All sentences of all sequences: which one was meant by what somebody said.

Pure; imports hassil, whose recognition Home Assistant uses, too. Where several match, the
one with the most words of its own is meant.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from hassil.intents import Intents
from hassil.recognize import RecognizeResult, recognize_all

from ..kernel.records import record
from .sentence_syntax import Slot, spellings, variants_of

_MOST_RESULTS: Final = 1000
"""Ways of reading one text that are looked at."""


@record
class Heard:
    """A sequence that was meant, by its key, and what was said in its slots."""

    key: str
    slots: Mapping[str, str]
    words: int


class SentenceBook:
    """Keeps the sentences that are in use, all of them checked."""

    def __init__(self) -> None:
        """Start without any."""
        self._sentences: dict[str, tuple[str, ...]] = {}
        self._intents: Intents | None = None

    def put(self, key: str, sentences: Iterable[str]) -> bool:
        """Keep the sentences of a sequence, none to forget it; true if that is new."""
        new = tuple(spelling for each in sentences for spelling in spellings(each))
        if new == self._sentences.get(key, ()):
            return False
        self._sentences.pop(key, None)
        if new:
            self._sentences[key] = new
        self._intents = None
        return True

    def sentences(self) -> list[str]:
        """Return all sentences."""
        return [each for sentences in self._sentences.values() for each in sentences]

    def find(self, text: str) -> tuple[Heard, ...]:
        """Return who is meant: nobody, one, or several if nobody could tell."""
        best: dict[str, Heard] = {}
        for result in islice(recognize_all(text, self._compiled()), _MOST_RESULTS):
            heard = _heard(result, text)
            before = best.get(heard.key)
            if before is None or heard.words > before.words:
                best[heard.key] = heard
        most = max((heard.words for heard in best.values()), default=0)
        return tuple(heard for heard in best.values() if heard.words == most)

    def _compiled(self) -> Intents:
        if self._intents is None:
            names = {
                piece.name
                for sentence in self.sentences()
                for variant in variants_of(sentence)
                for piece in variant
                if isinstance(piece, Slot)
            }
            self._intents = Intents.from_dict(
                {
                    "language": "en",  # Words are matched alike in all languages.
                    "intents": {
                        key: {"data": [{"sentences": list(sentences)}]}
                        for key, sentences in self._sentences.items()
                    },
                    "lists": {name: {"wildcard": True} for name in names},
                }
            )
        return self._intents


def _heard(result: RecognizeResult, text: str) -> Heard:
    slots = {name: str(entity.value) for name, entity in result.entities.items()}
    taken = sum(len(value.strip()) for value in slots.values())
    return Heard(key=result.intent.name, slots=slots, words=len(text) - taken)

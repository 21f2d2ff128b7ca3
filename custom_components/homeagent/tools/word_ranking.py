"""Ranks texts by the words of a query: what people and models search by.

Pure, and below every search; imports nothing of this integration. Upper case, accents
and the kind of separator do not count. Scripts without spaces (Chinese, Japanese,
Korean) are compared by pairs of characters. A rare word says more than one that stands
everywhere, and a word with a typo counts if nothing fits better.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import log
import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")

_SHORTEST_BEGINNING = 3
"""Characters that two words must share from their first on to count as related."""
_SHORTEST_TYPO = 4
_RELATED, _TYPO, _SINGLE = 0.7, 0.4, 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Something that can be found: its texts, each with the weight of a word in it."""

    key: str
    texts: Sequence[tuple[float, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document that fits; `words` is how many words of the query do."""

    key: str
    words: int
    score: float


def rank(query: str, documents: Iterable[Document]) -> list[Found]:
    """Return the documents that anything of the query fits, the best first.

    Total: any text is a query; one without words finds nothing.
    """
    indexed = [(document.key, _index(document)) for document in documents]
    vocabulary = {word for _, weights in indexed for word in weights}
    words: dict[str, int] = {}
    scores: dict[str, float] = {}
    for wanted, whole in _wanted(query).items():
        fits = _fitting(wanted, vocabulary, whole=whole)
        hits = {key: best for key, weights in indexed if (best := _best(fits, weights))}
        for key, best in hits.items():
            rarity = log(1 + len(indexed) / len(hits))
            words[key] = words.get(key, 0) + whole
            scores[key] = scores.get(key, 0.0) + rarity * best
    found = [Found(key=key, words=words[key], score=scores[key]) for key in scores]
    return sorted(found, key=lambda one: (-one.score, -one.words, one.key))


def _wanted(query: str) -> dict[str, bool]:
    """Return what is looked for; single characters of a longer run are no words."""
    wanted: dict[str, bool] = {}
    for run in _RUN.findall(_plain(query)):
        pairs = _pairs(run)
        wanted.update(dict.fromkeys(pairs or [run], True))
        wanted.update(
            {each: wanted.get(each, False) for each in (run if pairs else "")}
        )
    return wanted


def _words(text: str) -> Iterator[str]:
    """Yield what a text can be found by."""
    for run in _RUN.findall(_plain(text)):
        if pairs := _pairs(run):
            yield from pairs
            yield from run
        else:
            yield run


def _pairs(run: str) -> list[str]:
    """Return the pairs of characters of a run in a script without spaces."""
    if not _IS_CJK.match(run):
        return []
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _plain(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(each for each in parts if not unicodedata.combining(each))
    return unicodedata.normalize("NFC", kept)


def _index(document: Document) -> dict[str, float]:
    """Return the weight of each word: that of the weightiest text it stands in."""
    weights: dict[str, float] = {}
    for weight, text in document.texts:
        for word in _words(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _fitting(wanted: str, vocabulary: set[str], *, whole: bool) -> dict[str, float]:
    """Return the known words that a wanted one may mean, and how well each fits."""
    if _IS_CJK.match(wanted):
        return {wanted: 1.0 if whole else _SINGLE} if wanted in vocabulary else {}
    fits = {word: _RELATED for word in vocabulary if _related(wanted, word)}
    if wanted in vocabulary:
        fits[wanted] = 1.0
    if not fits and len(wanted) >= _SHORTEST_TYPO:
        near = get_close_matches(wanted, vocabulary, n=3, cutoff=0.75)
        fits = dict.fromkeys(near, _TYPO)
    return fits


def _related(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_BEGINNING and long.startswith(short)


def _best(fits: Mapping[str, float], weights: Mapping[str, float]) -> float:
    few, many = (fits, weights) if len(fits) < len(weights) else (weights, fits)
    return max((few[word] * many[word] for word in few if word in many), default=0.0)

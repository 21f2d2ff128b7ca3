"""The sentences by which people start a sequence, read into what they match.

Pure; imports hassil, whose syntax it is: `run the inspection [for {host}]`, with
`[optional]` parts, `(one|other)` alternatives and `{slots}`. Rules, ranges and
permutations, which hassil knows too, are not taken: what may be said has to be plain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
import re
import unicodedata

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    TextChunk,
)
from hassil.parse_expression import parse_sentence
from hassil.parser import ParseError
from hassil.util import (
    PUNCTUATION_END,
    PUNCTUATION_END_WORD,
    PUNCTUATION_START,
    PUNCTUATION_START_WORD,
)

MOST_CHARACTERS = 300
MOST_VARIANTS = 256
"""Ways to say one sentence, with and without its optional parts."""

_WIDE = 0xFEE0
"""How far behind a character of ASCII its wide form stands."""
_PLAIN_BRACKETS = {ord(each) + _WIDE: each for each in "[](){}|"}
_SPACE = re.compile(r"\s+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_BETWEEN = "[]()| \t\n\u3000"
"""What stands between words and is none."""
_BRACES = re.compile(r"\{[^{}]*\}")
_PUNCTUATION = (
    PUNCTUATION_START,
    PUNCTUATION_END,
    PUNCTUATION_START_WORD,
    PUNCTUATION_END_WORD,
)


class SentenceSyntaxError(Exception):
    """A sentence cannot be read: `code` is the catalogue's, `found` what is wrong."""

    def __init__(self, code: str, found: str = "") -> None:
        super().__init__(f"{code}: {found}")
        self.code = code
        self.found = found


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where anything may be said."""

    name: str


type Piece = str | Slot
type Variant = tuple[Piece, ...]
"""One way to say a sentence: words, folded, and slots; texts are never neighbors."""


def variants_of(sentence: str) -> tuple[Variant, ...]:
    """Return all ways to say a sentence; raises `SentenceSyntaxError`."""
    sentence = plain_brackets(sentence)
    if len(sentence) > MOST_CHARACTERS:
        raise SentenceSyntaxError("sentence_long")
    if has_punctuation(sentence):
        raise SentenceSyntaxError("sentence_punctuation")
    try:
        expression = parse_sentence(sentence).expression
    except (ParseError, AssertionError, RecursionError) as error:
        # hassil asserts that brackets are not empty, and goes down with each of them.
        raise SentenceSyntaxError("sentence_syntax") from error
    # One more than may be tells that there are too many, alike or not: recognition goes
    # through them all.
    ways = list(islice(_ways(expression), MOST_VARIANTS + 1))
    if len(ways) > MOST_VARIANTS:
        raise SentenceSyntaxError("sentence_wide")
    return tuple(dict.fromkeys(_joined(way) for way in ways))


def all_variants_of(sentence: str) -> tuple[Variant, ...]:
    """Return all ways to say a sentence, in all its spellings."""
    ways = [variants_of(spelling) for spelling in spellings(sentence)]
    return tuple(dict.fromkeys(way for each in ways for way in each))


def plain_brackets(sentence: str) -> str:
    """Return a sentence with the brackets of its syntax as hassil knows them.

    A Chinese keyboard writes wide ones, which mean the same.
    """
    return sentence.translate(_PLAIN_BRACKETS)


def spellings(sentence: str) -> tuple[str, ...]:
    """Return a sentence as recognition knows it: with its spaces, and as it is spoken.

    Nobody speaks a space between Chinese or Japanese words, and none is heard.
    """
    plain = plain_brackets(sentence)
    return tuple(dict.fromkeys((plain, _SPACE.sub(_spoken_space, plain))))


def _spoken_space(space: re.Match[str]) -> str:
    """Return a space as it is spoken: not at all beside such a word, but for Latin ones.

    The other word may be such a one, too, a slot, a number, or none.
    """
    left = space.string[: space.start()].rstrip(_BETWEEN)[-1:]
    right = space.string[space.end() :].lstrip(_BETWEEN)[:1]
    beside = [bool(_CJK.match(each)) for each in (left, right)]
    fits = [
        beside[0] or left in {"", "}"} or left.isdecimal(),
        beside[1] or right in {"", "{"} or right.isdecimal(),
    ]
    return "" if any(beside) and all(fits) else space[0]


def has_punctuation(sentence: str) -> bool:
    """Whether words have punctuation that nobody speaks; recognition takes it away."""
    words = _BRACES.sub("", sentence)
    return any(pattern.search(words) for pattern in _PUNCTUATION)


def fold(text: str) -> str:
    """Return what two texts share that sound alike: case, width and spaces do not count."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", plain)


def _ways(expression: Expression) -> Iterator[Variant]:
    match expression:
        case TextChunk():
            yield (fold(expression.text),)
        case ListReference():
            yield (_slot(expression),)
        case Permutation() | RuleReference():
            raise SentenceSyntaxError("sentence_form", _shown(expression))
        case Alternative():
            for item in expression.items:
                yield from _ways(item)
        case Group():
            yield from _in_order(expression.items)
        case _:
            raise SentenceSyntaxError("sentence_syntax")


def _in_order(items: Sequence[Expression]) -> Iterator[Variant]:
    first, *rest = items or [TextChunk()]
    for way in _ways(first):
        if not rest:
            yield way
            continue
        for behind in _in_order(rest):
            yield (*way, *behind)


def _slot(reference: ListReference) -> Slot:
    plain = reference.slot_name == reference.list_name and not reference.is_capture
    if not plain:
        raise SentenceSyntaxError("sentence_form", "a slot with a colon or an @")
    return Slot(reference.slot_name.strip())


def _shown(expression: Expression) -> str:
    if isinstance(expression, RuleReference):
        return f"<{expression.rule_name}>"
    return "a ; between parts"


def _joined(way: Variant) -> Variant:
    """Join the texts between slots, and trim them as recognition does."""
    joined: list[Piece] = []
    for piece in way:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] = fold(joined[-1] + piece)
        else:
            joined.append(piece)
    if joined and isinstance(joined[0], str):
        joined[0] = joined[0].lstrip()
    if joined and isinstance(joined[-1], str):
        joined[-1] = joined[-1].rstrip()
    return tuple(piece for piece in joined if piece != "")

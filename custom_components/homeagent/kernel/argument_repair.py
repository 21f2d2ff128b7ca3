"""The one repair of what a model sent, and whether its text ends too early.

Low in the kernel, above nothing. Both look at the text as a run of JSON tokens, so that
nothing inside a text is ever touched.
"""

from collections.abc import Iterator
import re

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*+"'  # a text
    r'|"(?:[^"\\]|\\.)*+\\?\Z'  # a text without end
    r"|[{}\[\]:,]"
    r'|[^\s"{}\[\]:,]+',  # a number, a word, anything else
    re.DOTALL,
)
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_NUMBER_AND_UNIT = re.compile(
    r"-?\d+(?:\.\d+)?(?:[^\W\d_]|[%°])+"
    r"|(?:\d+(?:[dhms]|min|ms))+",  # 1m30s
)


def quote_units(text: str) -> str | None:
    """Return the text with each bare number and unit quoted, None if there is none.

    `{"timeout": 20s}` becomes `{"timeout": "20s"}`: only outside of texts, only where a
    value stands. Whether the result is JSON is for the caller to see.
    """
    quoted: list[str] = []
    done = 0
    for token, is_value in _tokens(text):
        if is_value and _NUMBER_AND_UNIT.fullmatch(token[0]):
            quoted += [text[done : token.start()], f'"{token[0]}"']
            done = token.end()
    return "".join([*quoted, text[done:]]) if quoted else None


def ends_too_early(text: str) -> bool:
    """Return whether an object, array or text is still open where the text ends."""
    open_now = 0
    last = ""
    for token, _ in _tokens(text):
        last = token[0]
        if last in {"{", "["}:
            open_now += 1
        elif last in {"}", "]"}:
            open_now -= 1
    return open_now > 0 or (last.startswith('"') and not _TEXT.fullmatch(last))


def _tokens(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each token, and whether it stands where a value does."""
    inside: list[str] = []
    before = ""
    for token in _TOKEN.finditer(text):
        word = token[0]
        in_array = bool(inside) and inside[-1] == "["
        yield token, before in {":", "["} or (before == "," and in_array)
        if word in {"{", "["}:
            inside.append(word)
        elif word in {"}", "]"} and inside:
            inside.pop()
        before = word

"""What can go wrong with a model server, and which of it is worth another try.

Pure; imports the `openai` package nowhere, so that it can be loaded without. `server`
makes a trouble of each error; `words` has the sentence that a person hears.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
import re
from urllib.parse import quote

from ..kernel.json_values import well_formed

LONGEST_DETAIL = 300
"""Characters of a server's own words that are repeated."""


class Kind(StrEnum):
    """The kinds of trouble; each has its words."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    TOO_SLOW = "too_slow"
    BAD_KEY = "bad_key"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    RATE_LIMIT = "rate_limit"
    NO_CREDIT = "no_credit"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TOO_LONG = "too_long"
    NO_TOOLS = "no_tools"
    NO_STREAMING = "no_streaming"
    NO_PICTURES = "no_pictures"
    REFUSED = "refused"
    BROKEN_OFF = "broken_off"
    NOT_UNDERSTOOD = "not_understood"
    TOO_MUCH = "too_much"


class ServerTrouble(Exception):  # noqa: N818  an answer that is none, not a fault here
    """The model server did not answer as it should.

    `detail` are the server's own words, `retry_after` the seconds it asks to wait.
    """

    def __init__(
        self,
        kind: Kind,
        detail: str = "",
        *,
        status: int | None = None,
        retry_after: float | None = None,
        again: bool = False,
    ) -> None:
        """Take what happened; `again` tells that another try may help."""
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
        self.again = again


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What the request had in it that a server may not know."""

    tools: bool
    stream: bool
    pictures: bool


_TOOLS = re.compile(
    r"\btools?\b|tool[_-](?:choice|call)|function[_ -]?call", re.IGNORECASE
)
_STREAM = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)
_PICTURES = re.compile(r"\bimages?\b|image_url|vision|multi-?modal", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|exceed_context|maximum context|too many tokens"
    r"|prompt is too long|context_length_exceeded",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credit)|exceeded your .*quota", re.IGNORECASE
)


def from_status(
    status: int,
    body: object,
    sent: Sent,
    *,
    retry_after: float | None = None,
    secrets: Sequence[str] = (),
) -> ServerTrouble:
    """Return the trouble that an HTTP status and its body stand for.

    Servers have no common vocabulary: what they refuse is found in their own words. Some
    repeat the key in them: `secrets` are not repeated here.
    """
    said, code = _words_of(body)
    # Hidden before it is cut: the beginning of a key is too much, too.
    said = _shortened(hidden(said, secrets))
    text = f"{code} {said}"
    kind = _refused_part(status, text, sent) or _by_status(status, text)
    again = kind in {Kind.RATE_LIMIT, Kind.OVERLOADED, Kind.SERVER_ERROR}
    return ServerTrouble(
        kind,
        said or f"HTTP {status}",
        status=status,
        retry_after=retry_after,
        again=again,
    )


def from_stream(
    error: Mapping[str, object], sent: Sent, secrets: Sequence[str] = ()
) -> ServerTrouble:
    """Return the trouble that an error inside an answer stands for."""
    code = error.get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    trouble = from_status(status, {"error": error}, sent, secrets=secrets)
    trouble.again = False
    return trouble


def _refused_part(status: int, text: str, sent: Sent) -> Kind | None:
    """Return what of the request the server does not know, if it says so."""
    if status in {401, 402, 403, 404, 408, 409, 429, 502, 503, 504}:
        return None
    if _TOO_LONG.search(text):
        return Kind.TOO_LONG
    if sent.pictures and _PICTURES.search(text):
        return Kind.NO_PICTURES
    if sent.tools and _TOOLS.search(text):
        return Kind.NO_TOOLS
    if sent.stream and _STREAM.search(text):
        return Kind.NO_STREAMING
    return None


def _by_status(status: int, text: str) -> Kind:
    if status == 429:
        return Kind.NO_CREDIT if _CREDIT.search(text) else Kind.RATE_LIMIT
    known = {
        401: Kind.BAD_KEY,
        402: Kind.NO_CREDIT,
        403: Kind.FORBIDDEN,
        404: Kind.NOT_FOUND,
        408: Kind.OVERLOADED,
        413: Kind.TOO_LONG,
        502: Kind.OVERLOADED,
        503: Kind.OVERLOADED,
        504: Kind.OVERLOADED,
        529: Kind.OVERLOADED,
    }
    if status in known:
        return known[status]
    return Kind.SERVER_ERROR if status >= 500 else Kind.REFUSED


def _words_of(body: object) -> tuple[str, str]:
    """Return a server's own words, and its code or type for what happened."""
    error = body
    if isinstance(body, Mapping):
        error = body.get("error") or body
    if isinstance(error, str):
        return _without_markup(error), ""
    if not isinstance(error, Mapping):
        return "", ""
    said = next(filter(None, map(_text_of, _fields(error))), "")
    codes = [str(error.get(key) or "") for key in ("code", "type", "param")]
    return said, " ".join(codes)


def _fields(error: Mapping[str, object]) -> Iterable[object]:
    return (error.get(key) for key in ("message", "detail", "msg", "error"))


def _text_of(said: object) -> str:
    """Return the text of one field; some servers give a list of problems."""
    if isinstance(said, str):
        return said.strip()
    if not isinstance(said, list):
        return ""
    problems = [each.get("msg") for each in said if isinstance(each, Mapping)]
    return "; ".join(each for each in problems if isinstance(each, str))


def _without_markup(text: str) -> str:
    """Return the words of what may be a web page, as servers in between send them."""
    if not text.lstrip().startswith("<"):
        return text
    return _MARKUP.sub(" ", text[:_LONGEST_PAGE])


_LONGEST_PAGE = 20_000
_MARKUP = re.compile(
    r"<(style|script)\b.*?(?:</\1>|$)|<[^>]*(?:>|$)", re.IGNORECASE | re.DOTALL
)

SHORTEST_SECRET = 4
"""Characters; where no key is wanted people enter anything, such as `x`."""


SHORTEST_BEGINNING = 12
"""Characters; some servers repeat the beginning of a key, cut where they like."""


def hidden(text: str, secrets: Iterable[str]) -> str:
    """Return a text without the secrets and their beginnings, also as in an address."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            for form in (secret, quote(secret, safe="")):
                text = _without(text, form)
    return text


def _without(text: str, secret: str) -> str:
    begin, *parts = text.split(secret[:SHORTEST_BEGINNING])
    rest = secret[SHORTEST_BEGINNING:]
    return "***".join([begin, *(part[_same(part, rest) :] for part in parts)])


def _same(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _shortened(text: str) -> str:
    text = " ".join(well_formed(text).split())
    if len(text) <= LONGEST_DETAIL:
        return text
    return text[: LONGEST_DETAIL - 1] + "…"


MOST_TRIES = 3
"""Requests for one reply, the first one included."""

LONGEST_WAIT = 60.0
"""Seconds that a server may ask for before another try; more is told instead."""


def wait_before(trouble: ServerTrouble, tries: int, left: float) -> float | None:
    """Return the seconds to wait before another try, None for no other try.

    The server's own delay counts where it gives one; else half a second, then one.
    `left` are the seconds that the whole request still has.
    """
    if not trouble.again or tries >= MOST_TRIES:
        return None
    given = trouble.retry_after
    wait = 0.5 * 2 ** (tries - 1) if given is None else max(given, 0.0)
    return wait if wait <= LONGEST_WAIT and wait < left else None

"""Values that Home Assistant knows, without secrets and without what is hidden.

Above the kernel's `redaction`; pure but for the question who may know of an entity. An
attribute may name other entities, at any depth and in any spelling, and may hold what
opens more than the state: tokens, codes, addresses with a login (page 3 §3.3).
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from itertools import pairwise
import re
from typing import Final, Literal

from ..kernel.json_values import Json
from ..kernel.redaction import REDACTED, is_secret, redact

type MayKnow = Callable[[str], bool]
"""Whether the caller may learn of an entity id; of what is no entity it tells true."""

_NO_SECRETS: Final = frozenset({"code_format"})
"""Names that sound like a secret's and only say what one looks like."""

_PICTURES: Final = frozenset({"entity_picture", "entity_picture_local"})
"""Addresses of pictures: whoever has one sees it without a login."""

_DOTTED: Final = re.compile(r"[a-z0-9_.]+")
_PARAMETER: Final = re.compile(r"[?&;#]([\w.\-]+)=")
_SIGNATURES: Final = frozenset({"sig", "signature", "key"})
_WORD: Final = re.compile(r"[a-z]+")
_SECRET_FORMS: Final = (
    re.compile(r"\w://[^/\s@]*:[^/\s@]*@"),
    re.compile(r"\bbearer\s+\S", re.IGNORECASE),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\."),
)
"""An address with a login, an authorization, a JSON web token."""


def without_hidden(values: Mapping[str, Json], may_know: MayKnow) -> dict[str, Json]:
    """Return of an object what may be told.

    Of lists, comma lists and objects only what names something hidden, or is a secret, is
    left out; of any other text that does, all.
    """
    shown = {
        name: _visible(value, may_know)
        for name, value in values.items()
        if not is_secret_value(name, value) and _is_known(name, may_know)
    }
    return {name: value for name, value in shown.items() if value is not _HIDDEN}


def is_secret_value(name: str, value: Json) -> bool:
    """Whether a value opens more than it tells, by its name or by what it is."""
    if name in _PICTURES:
        return True
    if isinstance(value, str) and _holds_secret(value):
        return True
    if value is None or isinstance(value, bool) or name in _NO_SECRETS:
        return False
    return is_secret(name)


def named_entities(text: str) -> Iterator[str]:
    """Yield what looks like an entity id anywhere in a text, in lower case."""
    for run in _DOTTED.findall(text.lower()):
        for domain, name in pairwise(run.split(".")):
            if domain and name:
                yield f"{domain}.{name}"


class _Hidden(Enum):
    """What a value is of which nothing may be told."""

    HIDDEN = "hidden"


_HIDDEN: Final = _Hidden.HIDDEN


def _visible(value: Json, may_know: MayKnow) -> Json | Literal[_Hidden.HIDDEN]:
    if isinstance(value, str):
        return _visible_text(value, may_know)
    if isinstance(value, list):
        inner = [_visible(one, may_know) for one in value]
        return [one for one in inner if one is not _HIDDEN]
    if isinstance(value, dict):
        return without_hidden(value, may_know)
    return value


def _visible_text(text: str, may_know: MayKnow) -> str | Literal[_Hidden.HIDDEN]:
    if _holds_secret(text):
        return _HIDDEN
    if _is_known(text, may_know):
        return text
    parts = [one.strip() for one in text.split(",")]
    kept = [one for one in parts if _is_known(one, may_know)]
    return ", ".join(kept) if kept and _is_list(parts) else _HIDDEN


def _is_known(text: str, may_know: MayKnow) -> bool:
    return all(map(may_know, named_entities(text)))


def _is_list(parts: list[str]) -> bool:
    return all(list(named_entities(one)) == [one.lower()] for one in parts)


def _holds_secret(text: str) -> bool:
    if any(form.search(text) for form in _SECRET_FORMS):
        return True
    if REDACTED in str(redact(text)):
        return True  # JSON with a secret in it
    return any(
        is_secret(name) or not _SIGNATURES.isdisjoint(_WORD.findall(name.lower()))
        for name in _PARAMETER.findall(text)
    )

"""A flaw of one text: a code of the catalogue, a place in the text, placeholders.

Low layer of the language, below every small grammar; knows no paths.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .failures import LanguageError
from .problems import NOWHERE, make_problem
from .sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """What is wrong at `at`; `placeholders` fill the words of `code`."""

    code: str
    at: int = 0
    placeholders: Mapping[str, str] = field(default_factory=dict)


def flaw_error(flaw: Flaw, text: str) -> LanguageError:
    """Return the error for a text that stands alone: its caret is all its place."""
    spot = Source(text, outside=lambda _offset: NOWHERE).spot(flaw.at)
    return LanguageError(make_problem(flaw.code, (), spot, flaw.placeholders))

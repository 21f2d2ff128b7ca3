"""The words of every problem of a sequence's text, in English: the catalogue.

Lowest layer of the language. By code: what was found and what is legal, then what to do.
Where a problem may know the nearest legal spelling (`nearest`) and does not, the third
text stands in the place of the second.
"""

from collections.abc import Mapping
from typing import Final

from .meaning_words import CALLS, CHECKS, FIELDS
from .sentence_words import SENTENCES
from .syntax_words import JSON, TEXTS, TOOLS
from .word_forms import Words

CATALOGUE: Final[Mapping[str, Words]] = {
    **JSON,
    **TOOLS,
    **TEXTS,
    **FIELDS,
    **CHECKS,
    **CALLS,
    **SENTENCES,
}

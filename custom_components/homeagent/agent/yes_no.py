"""Whether a person's words are a plain yes or a plain no (page 1 §1.6).

Pure. Anything else is neither: what may open a door is not guessed. The whole of the
words must be one of these, or several of one kind: "yes, go ahead" is a yes, "yes, but
not the window" is not, and neither is a question.
"""

import re
from typing import Final

_YES: Final = frozenset(
    "yes|yes please|yeah|yep|yup|sure|ok|okay|go ahead|do it|yes do it|please do|confirm"
    "|yes go ahead|okay do it|ok do it|yes please do|yes please do it|please do it|sure thing"
    "|confirmed|i confirm|i agree|agreed|absolutely|of course|right|correct"
    "|是|是的|是吧|好|好的|好吧|可以|行|行吧|嗯|对|对的|确认|确定|同意|没问题|执行|执行吧|去做吧|做吧|好啊|好呀|行啊|可以的|嗯嗯|请执行|当然|要".split(
        "|"
    )
)
_NO: Final = frozenset(
    "no|no thanks|no thank you|nope|nah|never|never mind|dont|dont do it|do not|stop"
    "|cancel|cancel it|cancel that|leave it|not now|no do not|no dont"
    "|no stop|no dont do it|不了|不是的|不要了|算了吧|别做|不做|不|不要|不用|不用了|不行|不是|不可以|不同意|否|别|取消|算了|停|不必|没必要|先不要".split(
        "|"
    )
)

_APOSTROPHES = re.compile("['\u2019]")
_MARKS = re.compile(r"[\W_]+")
_PAUSES = re.compile(r"[,.;!，。；！、]+")  # noqa: RUF001  marks that people write
_QUESTIONS = ("?", "？")


def yes_or_no(text: str) -> bool | None:
    """Return true for a yes, false for a no, None for all else."""
    if any(mark in text for mark in _QUESTIONS):
        return None
    plain = _APOSTROPHES.sub("", text.casefold())
    parts = {_bare(part) for part in _PAUSES.split(plain)} - {""}
    for means, known in ((True, _YES), (False, _NO)):
        if _bare(plain) in known or (parts and parts <= known):
            return means
    return None


def _bare(text: str) -> str:
    return _MARKS.sub(" ", text).strip()

"""What stands in every request to a model: tools and instructions, fitted to its context.

Pure; above `trimming` and the tools' `narrowing`. First the list of the home gets
shorter, which `find_entities` makes up for, then tools go, which `tool_search` finds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..kernel.json_text import encode_json
from ..tools.home_listing import MOST_CHARACTERS
from ..tools.narrowing import fewer
from ..tools.offered_tools import OfferedTool, function_tools
from .trimming import tokens

SHARE: Final = 0.65
"""The part of the context that may stand; the rest is for the talk and the reply."""

_SHORT_LIST: Final = MOST_CHARACTERS // 2
_SHORTEST_LISTS: Final = (MOST_CHARACTERS // 4, MOST_CHARACTERS // 8, 0)

type Instruct = Callable[[Sequence[OfferedTool], int], str]
"""Gives the instructions beside tools, with a list of the home of so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Tools and instructions as they are sent, and the names of tools that are not."""

    offered: tuple[OfferedTool, ...]
    text: str
    left_out: tuple[str, ...] = ()


def stand(offered: Sequence[OfferedTool], instruct: Instruct, context: int) -> Standing:
    """Return the most that fits the standing part of a context of so many tokens.

    What does not fit even in its shortest form is sent all the same: the server says so.
    """
    room = int(context * SHARE)
    shortest = list(offered)
    text = instruct(shortest, MOST_CHARACTERS)
    if _size(shortest, text) <= room:
        return Standing(offered=tuple(shortest), text=text)
    text = instruct(shortest, _SHORT_LIST)
    for shortest in fewer(offered):
        # The text is only shorter with fewer tools; made once, as it reads the home.
        if _size(shortest, text) <= room:
            return _without(offered, shortest, instruct(shortest, _SHORT_LIST))
    for characters in _SHORTEST_LISTS:
        text = instruct(shortest, characters)
        if _size(shortest, text) <= room:
            break
    return _without(offered, shortest, text)


def _without(
    offered: Sequence[OfferedTool], kept: Sequence[OfferedTool], text: str
) -> Standing:
    names = {each.function for each in kept}
    gone = tuple(each.tool for each in offered if each.function not in names)
    return Standing(offered=tuple(kept), text=text, left_out=gone)


def _size(offered: Sequence[OfferedTool], text: str) -> int:
    return tokens(text) + tokens(encode_json(list(function_tools(offered))))

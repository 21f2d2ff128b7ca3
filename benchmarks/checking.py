"""The figure of the static checks: twice the text takes about twice the time."""

import json

from custom_components.homeagent.tools.sequence_author import SequenceAuthor

from .actions import INSTANT, register_actions
from .figure import BenchmarkError, Figure, Measured
from .home import open_home
from .pairs import Side, Tally, measure_pairs

SIZE = 128 * 1024
"""How long the shorter text is, in bytes; the longer one is as long as texts may be."""

_GROUPS = 90
_TOOLS = 10


async def _linear(pairs: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        author = home.runtime.author
        twice = _side(author, home.tally, _GROUPS * 2, SIZE * 2)
        once = _side(author, home.tally, _GROUPS, SIZE)
        return await measure_pairs(home.tally, twice, once, pairs)


def _side(author: SequenceAuthor, tally: Tally, groups: int, size: int) -> Side:
    text = text_of(groups, size)

    async def run() -> object:
        draft = await author.from_text(text)
        if draft.sequence is None:
            raise BenchmarkError(f"the text was refused: {draft.errors[0].message}")
        tally.executed += sum(len(group.tools) for group in draft.sequence.groups)
        return draft

    return Side(run=run, calls=groups * _TOOLS)


def text_of(groups: int, size: int) -> str:
    """Return a sequence's text of exactly that many bytes; its groups share them."""
    document = {
        "name": "Bench",
        "groups": [_group(number, size // groups) for number in range(groups)],
    }
    text = json.dumps(document)
    return text + " " * (size - len(text))


def _group(number: int, size: int) -> dict[str, object]:
    group: dict[str, object] = {
        "name": f"group {number}",
        "description": "",
        "in": {"number": "integer"},
        "out": {"answers": "array"},
        "when": "$args.number > 0 && $args.number != 13",
        "tools": " ".join(
            f"{json.dumps(_entry(number * _TOOLS + each))} ;" for each in range(_TOOLS)
        ),
    }
    # Names grow by digits; a description of what is left makes groups alike.
    group["description"] = "x" * (size - len(json.dumps(group)) - 4)
    return group


def _entry(number: int) -> dict[str, object]:
    value: object = number % 1000 if number % 2 else "$args.number"
    return {"tool": INSTANT, "args": {"number": value}, "as": "answers"}


FIGURES = (Figure(name="check_linear", target=2.2, measure=_linear, pairs=20),)

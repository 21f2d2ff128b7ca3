"""Which sequence a person means, without a model: by its name, in English and Chinese.

Pure. A name that is said right, or with a slip inside a word, is taken; for everything
that is only similar the person is asked: `lights on` must never run `lights off`.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from enum import Enum
import re

from ..kernel.records import record
from ..sequence.spoken_form import spoken_form


class Wish(Enum):
    """What a person wants."""

    HELP = "help"
    LIST = "list"
    RUN = "run"


@record
class Heard:
    """What was heard: `name` is what may be a name, `plainly` that running was asked."""

    wish: Wish
    name: str = ""
    plainly: bool = False


@record
class Match:
    """The one name that is meant, or those that may be; `rest` was said after it."""

    name: str | None = None
    near: tuple[str, ...] = ()
    rest: str = ""


_HELP = re.compile(
    r"help|what can (?:you|i) do|what do you do"
    r"|帮助|帮忙|[你您]?(?:能|会|可以)(?:做|干)(?:什么|些什么|啥).*",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:please )?(?:list|show|tell me|name|what|which)\b.*\b(?:sequences?|routines?)\b.*"
    r"|sequences"
    r"|.*(?:列出|显示|有哪些|有什么|告诉我).*(?:序列|流程).*|.*(?:序列|流程).*(?:列表|有哪些).*",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"(?:please |can you |could you |now )*"
    r"(?:run|start|execute|launch|trigger|begin|perform|do)\s+"
    r"(?:the |my |a )?(?:sequence |routine )?(?P<en>.+?)"
    r"(?:\s+(?:sequence|routine))?(?:\s+(?:please|now))*"
    r"|(?:请|麻烦|帮我|现在|给我)*(?:运行|执行|启动|开始|跑)(?:一下)?(?:序列|流程)?[“\"「]?"
    r"(?P<zh>.+?)[”\"」]?(?:序列|流程)?(?:吧|一下)?",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = " \t\r\n.!?,;:。！？，；：\"'“”「」"  # noqa: RUF001  what people's words end with
_LINKS = re.compile(
    r"^[\s,:，：]*(?:for|with|on|at|in|to|using|对|用|给|为|在)?[\s,:，：]*",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
_FILLING = frozenset("the a an my please now 的 了 吧 请".split())

_POLITE = _FILLING | frozenset("thanks thank you again 谢 啊 呀 一 下 再 次".split())

LONGEST = 300
"""Characters of what was said that are looked at."""

_SLIP = 0.75
_SIMILAR = 0.6
_SHORTEST_WITH_SLIP = 4


def hear(text: str) -> Heard:
    """Tell what a person wants."""
    said = text[:LONGEST].strip(_ENDS)
    if _HELP.fullmatch(said):
        return Heard(wish=Wish.HELP)
    if _LIST.fullmatch(said):
        return Heard(wish=Wish.LIST)
    if match := _RUN.fullmatch(said):
        name = match["en"] or match["zh"] or ""
        return Heard(wish=Wish.RUN, name=name.strip(_ENDS), plainly=True)
    return Heard(wish=Wish.RUN, name=said)


def find_name(said: str, names: Iterable[str]) -> Match:
    """Return the name that was said, or up to three that are similar."""
    known = list(names)
    like = spoken_form(said)
    if same := [name for name in known if spoken_form(name) == like]:
        return Match(name=same[0]) if len(same) == 1 else Match(near=tuple(same))
    if begun := [name for name in known if _begins(said, name)]:
        longest = max(begun, key=len)
        after = said[len(longest) :]
        rest = _LINKS.sub("", after, count=1).strip(_ENDS)
        return Match(name=longest, rest="" if _means_nothing(after) else rest)
    slips = [name for name in known if _is_slip(_tokens(said), _tokens(name))]
    if len(slips) == 1:
        return Match(name=slips[0])
    return Match(near=tuple(slips or _similar(like, known)))


def _begins(said: str, name: str) -> bool:
    """Whether more was said after a name, such as the value of an input."""
    if not said.casefold().startswith(name.casefold()):
        return False
    after = said[len(name) :]
    return bool(after.strip(_ENDS)) and (
        after[0].isspace() or _TOKEN.match(after[0]) is None or not after[0].isascii()
    )


def _means_nothing(text: str) -> bool:
    return all(each in _POLITE for each in _TOKEN.findall(text.casefold()))


def _tokens(text: str) -> list[str]:
    """Return words, and each Chinese character, without those that mean nothing here."""
    tokens = _TOKEN.findall(text[:LONGEST].casefold())
    return [token for token in tokens if token not in _FILLING]


def _is_slip(said: Sequence[str], name: Sequence[str]) -> bool:
    if len(said) != len(name) or not said:
        return False
    return all(map(_is_near, said, name, strict=True))


def _is_near(one: str, other: str) -> bool:
    if one == other:
        return True
    if min(len(one), len(other)) < _SHORTEST_WITH_SLIP:
        return False
    return SequenceMatcher(None, one, other).ratio() >= _SLIP


def _similar(like: str, names: Sequence[str]) -> list[str]:
    ratios = {
        name: SequenceMatcher(None, like, spoken_form(name)).ratio() for name in names
    }
    contained = [name for name in names if len(like) > 1 and like in spoken_form(name)]
    near = [name for name in names if ratios[name] >= _SIMILAR or name in contained]
    return sorted(near, key=lambda name: -ratios[name])[:3]

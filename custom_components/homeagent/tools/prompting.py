"""The prompt of a model that uses our tools: the rules, the home, the user's own words.

Above `home_listing` and `prompt_texts`. It names only tools that the caller is offered,
and only what the caller may use.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from ..kernel.contract import Caller
from ..kernel.prompt import execution_rules
from .home_listing import MOST_CHARACTERS, Listing, list_home, plain_name
from .prompt_texts import texts_in

MOST_SEQUENCES: Final = 20
type Rule = Literal["batch", "gate"]
"""How several calls of one reply are run: by our own agent, or one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPorts:
    """What the prompt tells of."""

    hass: HomeAssistant
    may_read: Callable[[Caller, str], bool]
    may_run: Callable[[Caller, str], bool]
    sequences: Callable[[], Iterable[str]]


def build_prompt(
    ports: PromptPorts,
    caller: Caller,
    offered: Collection[str],
    language: str,
    rule: Rule,
    own_words: str = "",
    characters: int = MOST_CHARACTERS,
) -> str:
    """Return the prompt, in the end the user's own words.

    `offered` are the names of the tools that the caller is offered under their own
    names. The list of the home has at most so many `characters`.
    """
    texts = texts_in(language)
    lines = [execution_rules(language, gate=rule == "gate"), texts["results"]]
    lines.append(" ".join(_on_tools(texts, offered)))
    listing = list_home(
        ports.hass,
        lambda entity_id: ports.may_read(caller, entity_id),
        area_id=caller.area_id,
        no_area=texts["no_area"],
        characters=characters,
    )
    lines += _on_home(texts, ports.hass, caller, listing)
    if "seq_run" in offered and (names := _sequences(ports, caller)):
        lines.append(texts["sequences"].format(names=names))
    if own := own_words.strip():
        lines.append(own)
    return "\n".join(line for line in lines if line)


def _on_tools(texts: Mapping[str, str], offered: Collection[str]) -> Iterable[str]:
    yield texts["ids"]
    if "find_entities" in offered:
        yield texts["find"]
    if "get_state" in offered:
        yield texts["state"]
    if "tool_search" in offered:
        yield texts["more" if "tool_call" in offered else "search"]
    if "seq_run" in offered:
        yield texts["runs"]


def _on_home(
    texts: Mapping[str, str], hass: HomeAssistant, caller: Caller, listing: Listing
) -> Iterable[str]:
    area = caller.area_id and ar.async_get(hass).async_get_area(caller.area_id)
    if area:
        yield texts["area"].format(area=plain_name(area.name))
    if not listing.lines and not listing.left_out:
        yield texts["nothing"]
        return
    yield texts["home"]
    yield from listing.lines
    if listing.left_out:
        yield texts["left_out"].format(count=listing.left_out)


def _sequences(ports: PromptPorts, caller: Caller) -> str:
    usable = [name for name in ports.sequences() if ports.may_run(caller, name)]
    told = "; ".join(plain_name(name) for name in islice(usable, MOST_SEQUENCES))
    more = len(usable) - MOST_SEQUENCES
    return f"{told}; … (+{more})" if more > 0 else told

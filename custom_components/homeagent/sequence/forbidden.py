"""What a sequence may not contain, whoever runs it (page 3 §3.4).

Pure; asked when a sequence is checked and again before each call. Imports the AST only.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
import re
from typing import Final

from .run_words import say

_INSTEAD_RUN: Final = say("instead_call")
_OWN_TOOLS: Final = {
    "seq_run": _INSTEAD_RUN,
    "seq_create": "",
    "seq_delete": "",
    "call_tools": say("instead_entries"),
    "answer_request": "",
    "tool_call": say("instead_itself"),
}
"""Tools of this integration that are forbidden by whatever name, and what is right."""

_FORBIDDEN_ACTIONS: Final = frozenset(
    {
        "ai_task.generate_data",
        "ai_task.generate_image",
        "alexa_devices.send_text_command",
        "conversation.process",
        "google_assistant_sdk.send_text_command",
        "google_generative_ai_conversation.generate_content",
        "openai_conversation.generate_content",
        "openai_conversation.generate_image",
        "homeassistant.restart",
        "homeassistant.stop",
    }
)
"""The entry points of other agents, and what ends Home Assistant itself."""

_FORBIDDEN_DOMAINS: Final = frozenset({"hassio"})
_PRESS: Final = "button.press"
_EVERYTHING: Final = "all"
_SEPARATOR: Final = re.compile(r"\.|__")
_NAMES_KEPT: Final = 512
_OWN_PREFIX: Final = re.compile(r"(?:homeagent(?:\.|__))+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Why a call is forbidden, and what to write instead, empty for nothing."""

    why: str
    instead: str = ""


_BUTTON_PRESS: Final = Forbidden(why=say("button_runs"), instead=_INSTEAD_RUN)


def is_forbidden(
    tool: str,
    args: Mapping[str, object],
    *,
    own_buttons: Collection[str] = (),
    keys: Collection[str] | None = None,
) -> Forbidden | None:
    """Return why no sequence may make a call, None where it may.

    Every name of a tool counts: `seq_run`, `homeagent.seq_run`, `homeagent__seq_run`,
    in any case. `own_buttons` are the entity ids of the buttons that run sequences;
    `keys` the ordering keys of the call where they are known (`entity:button.x`), so
    that a button is found behind an area or a device too.
    """
    named = _by_name(tool)
    if named is _BUTTON_PRESS and not _presses(args, own_buttons, keys):
        return None
    return named


@lru_cache(maxsize=_NAMES_KEPT)
def _by_name(tool: str) -> Forbidden | None:
    """Return why a tool is forbidden by its name; a press depends on the button."""
    plain = tool.strip().casefold()
    prefix = _OWN_PREFIX.match(plain)
    own = prefix is not None
    plain = plain[prefix.end() :] if prefix else plain
    if plain in _OWN_TOOLS:
        why = say("not_in_sequence", tool=plain)
        return Forbidden(why=why, instead=_OWN_TOOLS[plain])
    if own and plain.startswith("run_"):
        return Forbidden(why=say("runs_sequence"), instead=_INSTEAD_RUN)
    domain, *rest = _SEPARATOR.split(plain, maxsplit=1)
    return _by_action(domain, rest[0]) if rest else None


def _by_action(domain: str, name: str) -> Forbidden | None:
    action = f"{domain}.{name}"
    if action in _FORBIDDEN_ACTIONS or domain in _FORBIDDEN_DOMAINS:
        return Forbidden(why=say("not_in_sequence", tool=action))
    if name == "reload" or name.startswith("reload_"):
        return Forbidden(why=say("may_change_tools"))
    return _BUTTON_PRESS if action == _PRESS else None


def _presses(
    args: Mapping[str, object],
    own_buttons: Collection[str],
    keys: Collection[str] | None,
) -> bool:
    """Whether a press reaches one of the buttons."""
    entities = set(_entities(args))
    target = args.get("target")
    if isinstance(target, Mapping):
        entities.update(_entities(target))
    if own_buttons and _EVERYTHING in entities:
        return True
    reached = {f"entity:{entity}" for entity in entities} | set(keys or ())
    return any(f"entity:{button}" in reached for button in own_buttons)


def _entities(args: Mapping[str, object]) -> Iterator[str]:
    """Yield the entity ids that arguments name, as text, commas and arrays alike."""
    named = args.get("entity_id")
    for each in named if isinstance(named, list | tuple) else (named,):
        if isinstance(each, str):
            yield from (part.strip().casefold() for part in each.split(","))

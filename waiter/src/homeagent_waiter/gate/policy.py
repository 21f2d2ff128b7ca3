"""Gate: what this host's owner allows, made of the configuration. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from glob import escape, has_magic, iglob
from itertools import dropwhile
import os
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from ..paths import state_folder, user_config, user_state
from .grammars import BUILT_IN, MARKERS
from .places import Places
from .programs import Programs
from .secret_names import FIXED

if TYPE_CHECKING:
    from ..config import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may run, what may be read and asked.

    ``allowed``: the names of programs; ``built_in``: whether that is our own list.
    ``unchecked``: names that run with any plain words. ``dns``: names that may be
    looked up.
    """

    allowed: frozenset[str] = BUILT_IN
    built_in: bool = True
    unchecked: frozenset[str] = frozenset()
    dns: frozenset[str] = frozenset()
    places: Places = field(default_factory=Places)
    programs: Programs = field(default_factory=lambda: Programs(markers=MARKERS))

    @classmethod
    def from_config(cls, config: Config) -> Policy:
        """Return the policy of a configuration.

        A given list of commands replaces the built-in one; a missing, null or empty
        one means the built-in list, never everything (design page 4, §4.2).
        """
        given = frozenset(config.device_cmd_allowlist or ())
        own = [config.key_file, config.source, *own_places()]
        return cls(
            allowed=given or BUILT_IN,
            built_in=not given,
            unchecked=frozenset(config.device_cmd_unchecked),
            dns=frozenset(config.device_dns_allow),
            places=Places(
                fixed=_both_ways([*FIXED, *(str(each) for each in own if each)]),
                patterns=_patterns(config.read_deny),
            ),
        )


def own_places() -> list[Path]:
    """Return where the waiter keeps its things, and where it is installed."""
    installed = Path(__file__).resolve().parents[1]
    virtual = [Path(sys.prefix)] if sys.prefix != sys.base_prefix else []
    return [
        user_config().parent,
        user_state(),
        state_folder(),
        Path("~/.ssh").expanduser(),
        installed,
        *virtual,
    ]


def _patterns(patterns: list[str]) -> tuple[str, ...]:
    """Return the owner's patterns, also as they are after all links.

    Those of the folder that a pattern begins with, and of all that it matches now.
    """
    found = dict.fromkeys(patterns)
    for pattern in patterns:
        parts = pattern.split("/")
        rest = list(dropwhile(lambda part: not has_magic(part), parts))
        begins = "/".join(parts[: len(parts) - len(rest)]) or "/"
        real = escape(os.path.realpath(begins)).rstrip("/")
        matched = (escape(os.path.realpath(each)) for each in iglob(pattern))
        found |= dict.fromkeys(["/".join([real, *rest]), *matched])
    return tuple(found)


def _both_ways(paths: list[str]) -> tuple[str, ...]:
    """Return the paths as written and after all links, each once."""
    absolute = [os.path.abspath(path) for path in paths]
    return tuple(dict.fromkeys([*absolute, *map(os.path.realpath, absolute)]))

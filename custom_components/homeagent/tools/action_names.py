"""The names of Home Assistant's actions as tools, and as functions of a model.

Pure: names in, names out. Never imports Home Assistant.
"""

from hashlib import sha256
import re

LONGEST = 53
"""Characters of a function name: Home Assistant prefixes them when several APIs are
chosen, and servers stop at 64 (page 1 §1.8)."""

_DIGEST = 8
_PLAIN = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")


def split_name(name: str) -> tuple[str, str] | None:
    """Return domain and action of `domain.action`, or None for another text."""
    domain, dot, action = name.partition(".")
    return (domain, action) if dot and domain and action and "." not in action else None


def llm_name(name: str) -> str:
    """Return the function name of `domain.action`: `domain__action`, unique.

    Names that are too long, or that two actions could share, end with a hash of the
    whole name, which stays the same as long as the name does.
    """
    parts = split_name(name)
    if parts is not None and all(_PLAIN.fullmatch(part) for part in parts):
        plain = "__".join(parts)
        if len(plain) <= LONGEST:
            return plain
    digest = sha256(name.encode()).hexdigest()[:_DIGEST]
    readable = _FOREIGN.sub("_", name.replace(".", "__"))[: LONGEST - _DIGEST - 3]
    # Three underscores: no plain name has them, so no plain name can equal this one.
    return f"{readable}___{digest}"


def plain_action_name(name: str) -> str | None:
    """Return `domain.action` for the function name of a plain action, else None."""
    domain, underscores, action = name.partition("__")
    dotted = f"{domain}.{action}"
    return dotted if underscores and llm_name(dotted) == name else None

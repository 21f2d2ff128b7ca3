"""Ids that stand inside of an argument: members of objects, choices, lists of them.

Pure; below `action_schema`, above `selectors_schema`; imports nothing of Home Assistant.
What a selector says at the top of an argument counts as well inside of it (page 3 §3.3).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .selectors_schema import ID_SELECTORS

type Holder = dict[str, object]

_THRESHOLDS = ("value", "value_min", "value_max")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdPlace:
    """Where ids stand: `holder[key]`, at `path` below the argument.

    `kind` is the key of that kind in a target, or `target`. `certain` is false where
    what stands there may be something else; `several`: more than one is taken.
    """

    holder: Holder
    key: str
    path: str
    kind: str
    several: bool
    certain: bool


def holds_ids(selector: object) -> bool:
    """Whether values of a selector may name parts of the home inside of them."""
    kind, config = selector_of(selector)
    match kind:
        case "media" | "numeric_threshold" | "statistic":
            return True
        case "object" | "choose":
            return any(
                _names_parts(inner) or holds_ids(inner)
                for inner in _inner(config).values()
            )
        case _:
            return False


def selector_of(selector: object) -> tuple[str, Mapping[str, object]]:
    """Return a selector's kind and configuration; nothing of what is none."""
    if not isinstance(selector, Mapping) or len(selector) != 1:
        return "", {}
    ((kind, config),) = selector.items()
    return str(kind), config if isinstance(config, Mapping) else {}


def id_places(selector: object, holder: Holder, key: str) -> list[IdPlace]:
    """Return all places of ids in the value `holder[key]` of a selector."""
    return list(_places(selector, holder, key, key, certain=True))


def _names_parts(selector: object) -> bool:
    kind, _ = selector_of(selector)
    return kind in ID_SELECTORS or kind == "target"


def _inner(config: Mapping[str, object]) -> Mapping[str, object]:
    """Return the selectors of an object's fields, or of choices, by name."""
    parts = config.get("fields", config.get("choices"))
    if not isinstance(parts, Mapping):
        return {}
    return {
        str(name): part.get("selector") if isinstance(part, Mapping) else None
        for name, part in parts.items()
    }


def _places(
    selector: object, holder: Holder, key: str, path: str, *, certain: bool
) -> Iterator[IdPlace]:
    kind, config = selector_of(selector)
    value = holder.get(key)
    if value is None:
        return
    if kind in ID_SELECTORS or kind in {"target", "statistic"}:
        yield IdPlace(
            holder=holder,
            key=key,
            path=path,
            kind="entity_id" if kind == "statistic" else ID_SELECTORS.get(kind, kind),
            several=bool(config.get("multiple")),
            certain=certain and kind != "statistic",
        )
    elif kind == "choose" and not _is_chosen(value):
        for inner in _inner(config).values():
            yield from _places(inner, holder, key, path, certain=False)
    else:
        for inside, at in _objects(value, path):
            for name, inner in _members(kind, config).items():
                step = f"{at}.{name}"
                # Where a player's media was chosen says nothing of what is acted on.
                sure = certain and kind != "media"
                yield from _places(inner, inside, name, step, certain=sure)


def _is_chosen(value: object) -> bool:
    return isinstance(value, Mapping) and "active_choice" in value


def _members(kind: str, config: Mapping[str, object]) -> Mapping[str, object]:
    """Return the selectors of the members that a value of this kind has."""
    match kind:
        case "object" | "choose":
            return _inner(config)
        case "media":
            return {"entity_id": {"entity": {}}}
        case "numeric_threshold":
            parts: Mapping[str, object] = {"entity": {"selector": {"entity": {}}}}
            return {key: {"object": {"fields": parts}} for key in _THRESHOLDS}
        case _:
            return {}


def _objects(value: object, path: str) -> Iterator[tuple[Holder, str]]:
    """Go through an object, or those in a list."""
    if isinstance(value, dict):
        yield value, path
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, dict):
                yield inner, f"{path}[{index}]"

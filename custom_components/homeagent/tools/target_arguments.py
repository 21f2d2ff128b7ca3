"""The arguments that name what an action acts on, brought into one form.

After the schema's coercion and before authorization: what the gate judges is the very
object that is dispatched. `target` and the flat keys become the flat keys alone; comma
lists, upper case, registry ids and exact names become lists of ids, by the rules of Home
Assistant's own validators. Templates are refused. Existence is a matter of run time and
judged in `outcomes`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.template import is_template_string
import probatio

from ..kernel.contract import Checked
from ..kernel.errors import ToolError
from ..kernel.json_text import NotJsonError, decode_json
from . import target_problems as problems_of
from .action_schema import NESTED, STATES, ActionShape, Form, IdField
from .entity_ids import is_entity_id
from .home_names import HomeNames
from .nested_ids import IdPlace, id_places
from .reach import Reach
from .selectors_schema import TARGET_KEYS

MOST_IDS = 1000
"""Ids that one argument may name; who means more names an area, a label or `all`."""

_KEYWORDS = frozenset({ENTITY_MATCH_ALL, ENTITY_MATCH_NONE})
_OBJECTS = frozenset({STATES, "target"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Home:
    """Where one check looks ids up, and what the action can act on."""

    hass: HomeAssistant
    reach: Reach
    names: HomeNames


def merge_target(
    shape: ActionShape, arguments: Mapping[str, object]
) -> tuple[Mapping[str, object], list[ToolError]]:
    """Move the keys of `target` beside the other arguments; both count.

    To be done before the schema is asked, which knows the flat keys only.
    """
    if "target" not in arguments or not shape.takes_target:
        return arguments, []
    target = arguments["target"]
    if target is None:
        return _without_target(arguments), []
    if isinstance(target, str):
        target = _decoded(target)
    if not isinstance(target, Mapping):
        if not shape.knows_ids:
            return arguments, []
        return _without_target(arguments), [problems_of.no_object("target", target)]
    unknown = [key for key in target if key not in shape.target_keys]
    if unknown and not shape.knows_ids and len(unknown) == len(target):
        return arguments, []
    merged = _without_target(arguments)
    for key, ids in target.items():
        if key in shape.target_keys and ids is not None:
            given = merged.get(key)
            merged[key] = ids if given is None else [*_listed(given), *_listed(ids)]
    return merged, problems_of.unknown_keys(shape, [str(key) for key in unknown])


def _without_target(arguments: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in arguments.items() if key != "target"}


def _decoded(text: str) -> object:
    try:
        return decode_json(text)
    except NotJsonError:
        return text


def normalize_targets(
    hass: HomeAssistant, shape: ActionShape, reach: Reach, arguments: dict[str, object]
) -> list[ToolError]:
    """Rewrite the ids in `arguments` in place; return what is wrong with them."""
    home = _Home(hass=hass, reach=reach, names=HomeNames(hass))
    problems: list[ToolError] = []
    for key, field in shape.target_keys.items():
        if key in arguments:
            problems += _rewrite(home, field, arguments, key)
            if arguments.get(key) in ([], None, ""):
                arguments.pop(key, None)
    for field in shape.fields:
        if field.name in arguments and field.kind != NESTED:
            problems += _rewrite(home, field, arguments, field.name)
    problems += [
        problems_of.required(key, f"Give one {_kind_of(shape, key)}.")
        for key in sorted(shape.required_ids)
        if not arguments.get(key)
    ]
    if (
        shape.needs_target
        and not problems
        and arguments.keys().isdisjoint(shape.target_keys)
    ):
        hint = "Give entity_id, device_id, area_id, floor_id or label_id."
        problems.append(problems_of.required("target", hint))
    return problems


def normalize_nested(
    hass: HomeAssistant, shape: ActionShape, reach: Reach, checked: Checked
) -> list[ToolError]:
    """Rewrite, in place, the ids inside of those arguments that the schema takes."""
    told = [problem.field or "" for problem in checked.problems]
    home = _Home(hass=hass, reach=reach, names=HomeNames(hass))
    problems: list[ToolError] = []
    for field in shape.fields:
        if field.kind != NESTED or any(each.startswith(field.name) for each in told):
            continue
        for place in id_places(field.selector, checked.arguments, field.name):
            if place.certain:
                form = Form.LIST if place.several else Form.ONE
                inner = IdField(name=place.path, kind=place.kind, form=form)
                problems += _rewrite(home, inner, place.holder, place.key)
            else:
                _respell(home, place)
    return problems


def _respell(home: _Home, place: IdPlace) -> None:
    """Write entity ids in their one form where all are some, and leave all else."""
    if place.kind != "entity_id":
        return
    value = place.holder[place.key]
    ids = _texts(value)
    if not ids or len(ids) > MOST_IDS:
        return
    try:
        found = [_entity(home.hass, one) for one in ids]
    except probatio.Invalid:
        return
    place.holder[place.key] = (
        found[0] if isinstance(value, str) and len(found) == 1 else found
    )


def _rewrite(
    home: _Home, field: IdField, holder: dict[str, object], key: str
) -> list[ToolError]:
    value = holder[key]
    if value is None:
        del holder[key]
        return []
    if isinstance(value, list | tuple | Mapping) and len(value) > MOST_IDS:
        return [problems_of.too_many(field, len(value), MOST_IDS)]
    if field.form is Form.LIST and field.kind == "entity_id" and _is_plain(value):
        holder[key] = value if isinstance(value, list) else [value]
        return []
    if field.kind in _OBJECTS:
        return _rewrite_object(home, field, holder, key)
    if (
        field.kind == "entity_id"
        and field.form is not Form.ONE
        and (word := _keyword(value))
    ):
        holder[key] = word
        return []
    ids = _texts(value)
    if ids is None:
        return [] if field.form is Form.MAYBE else [problems_of.no_ids(field, value)]
    if len(ids) > MOST_IDS:
        return [problems_of.too_many(field, len(ids), MOST_IDS)]
    if any(is_template_string(one) for one in ids):
        return [problems_of.template(field)]
    if field.form is Form.MAYBE and field.kind != "entity_id":
        return []
    found, problems = _each(home, field, ids)
    if problems:
        return [] if field.form is Form.MAYBE else problems
    holder[key] = _formed(field, value, found)
    if field.form is Form.ONE and len(found) != 1:
        return [problems_of.not_one(field, len(found))]
    return []


def _is_plain(value: object) -> bool:
    """Whether these are right as they are: the most frequent case, told quickly."""
    if type(value) is str:
        return is_entity_id(value)
    return (
        type(value) is list
        and all(type(one) is str and is_entity_id(one) for one in value)
        and len(set(value)) == len(value)
    )


def _formed(field: IdField, given: object, found: list[str]) -> object:
    """Return the ids as the action takes them: one as text where it was given so."""
    if len(found) == 1 and (
        field.form in {Form.ONE, Form.ONE_OR_MORE}
        or (field.form is not Form.LIST and isinstance(given, str))
    ):
        return found[0]
    return found


def _rewrite_object(
    home: _Home, field: IdField, holder: dict[str, object], key: str
) -> list[ToolError]:
    """Rewrite a whole target in a field, or an object whose keys are entity ids."""
    value = holder[key]
    if not isinstance(value, Mapping):
        return [problems_of.no_object(field.name, value)]
    if field.kind == STATES:
        return _rewrite_states(home, field, value, holder, key)
    inner = dict(value)
    problems = []
    for name in TARGET_KEYS:
        if name in inner:
            part = IdField(name=f"{field.name}.{name}", kind=name, form=Form.LIST)
            problems += _rewrite(home, part, inner, name)
    holder[key] = inner
    return problems


def _rewrite_states(
    home: _Home,
    field: IdField,
    value: Mapping[object, object],
    holder: dict[str, object],
    key: str,
) -> list[ToolError]:
    """Rewrite the keys; each keeps its own state, so none may be named twice."""
    states: dict[str, object] = {}
    named: dict[str, str] = {}
    problems: list[ToolError] = []
    for given, state in value.items():
        text = str(given).strip()
        found = _named_entity(home, field, text)
        if isinstance(found, ToolError):
            problems.append(found)
        elif found in named:
            problems.append(problems_of.named_twice(field, named[found], text, found))
        else:
            named[found], states[found] = text, state
    if not problems:
        holder[key] = states
    return problems


def _each(
    home: _Home, field: IdField, ids: list[str]
) -> tuple[list[str], list[ToolError]]:
    """Return every id in its right form, each once, or what is wrong."""
    found: dict[str, None] = {}
    problems: list[ToolError] = []
    for one in ids:
        if field.kind != "entity_id":
            found[home.names.find(field.kind, one).id or one] = None
            continue
        named = _named_entity(home, field, one)
        if isinstance(named, ToolError):
            problems.append(named)
        else:
            found[named] = None
    return list(found), problems


def _named_entity(home: _Home, field: IdField, text: str) -> str | ToolError:
    """Return the id of the entity that a text names, or what is wrong with it."""
    if is_entity_id(text):
        return text
    try:
        return _entity(home.hass, text)
    except probatio.Invalid:
        match = home.names.find("entity_id", text, home.reach.covers)
        return match.id or problems_of.no_entity(field, text, match)


def _entity(hass: HomeAssistant, text: str) -> str:
    """Return the entity id of an id in any case, or of a registry id."""
    return er.async_validate_entity_id(er.async_get(hass), cv.entity_id_or_uuid(text))


def _keyword(value: object) -> str | None:
    """Return `all` or `none` where that is what is meant."""
    (one,) = value if isinstance(value, Sequence) and len(value) == 1 else (value,)
    word = one.strip().lower() if isinstance(one, str) else ""
    return word if word in _KEYWORDS else None


def _texts(value: object) -> list[str] | None:
    """Return the ids in a text, a comma list, a JSON list or a list; None for others."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            value = _decoded(value)
        else:
            if is_template_string(value):
                return [value]
            return [one for part in value.split(",") if (one := part.strip())]
    if not isinstance(value, list | tuple):
        return None
    texts = [one.strip() for one in value if isinstance(one, str)]
    return texts if len(texts) == len(value) else None


def _listed(value: object) -> list[object]:
    ids = _texts(value)
    return [value] if ids is None else list(ids)


def _kind_of(shape: ActionShape, key: str) -> str:
    kinds = {field.name: field.kind for field in shape.fields}
    return kinds.get(key, key)

"""What can be wrong with the arguments that name what an action acts on: the words.

One catalogue for `target_arguments`. Every problem says where, what was found, and what
would be right.
"""

from collections.abc import Sequence

from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import encode_json
from ..kernel.json_values import well_formed
from ..kernel.names import nearest
from ..kernel.schema_problems import MOST_PROBLEMS, found as found_value, unchecked
from .action_schema import ActionShape, IdField
from .home_names import NameMatch
from .quoting import quoted
from .said_words import say


def required(field: str, hint: str) -> ToolError:
    """Return the problem of what must be given and is not."""
    return ToolError(
        reason=Reason.REQUIRED,
        field=field,
        detail=say("no_target_given"),
        hint=hint,
    )


def unknown_keys(shape: ActionShape, keys: Sequence[str]) -> list[ToolError]:
    """Return the problems of keys in `target` that no target has."""
    told = [_unknown_key(shape, key) for key in keys[:MOST_PROBLEMS]]
    if more := len(keys) - len(told):
        told.append(unchecked(more))
    return told


def _unknown_key(shape: ActionShape, key: str) -> ToolError:
    near = nearest(key, shape.target_keys, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    return ToolError(
        reason=Reason.VALUE,
        field=f"target.{quoted(key)}",
        detail=say(
            "no_target_key",
            keys=", ".join(shape.target_keys),
            near="".join(near),
        ),
        hint=f"{meant}It can have {', '.join(shape.target_keys)}.",
    )


def too_many(field: IdField, count: int, most: int) -> ToolError:
    """Return the problem of more ids in one argument than any home needs."""
    return ToolError(
        reason=Reason.VALUE,
        field=field.name,
        detail=say("too_many_ids", count=str(count), most=str(most)),
        hint="Name an area, a floor or a label, or make several calls.",
    )


def named_twice(field: IdField, first: str, second: str, entity_id: str) -> ToolError:
    """Return the problem of two texts that name one entity, where only one may.

    That they do is told to those only who may know of the entity.
    """
    return ToolError(
        reason=Reason.VALUE,
        field=field.name,
        detail=say("named_twice", first=_quoted(first), second=_quoted(second)),
        hint="Name every entity once.",
        candidates=(entity_id,),
    )


def no_ids(field: IdField, value: object) -> ToolError:
    """Return the problem of a value that can be no ids."""
    return ToolError(
        reason=Reason.TYPE,
        field=field.name,
        detail=found_value(value),
        hint=f"Give a text, one {field.kind}, or a list of them.",
    )


def no_object(field: str, value: object) -> ToolError:
    """Return the problem of a value that is no object of ids."""
    return ToolError(
        reason=Reason.TYPE,
        field=field,
        detail=found_value(value),
        hint='Give an object of ids, for example {"entity_id": "light.kitchen"}.',
    )


def not_one(field: IdField, count: int) -> ToolError:
    """Return the problem of several ids where one is due."""
    return ToolError(
        reason=Reason.TYPE,
        field=field.name,
        detail=say("one_id_only", count=str(count)),
        hint="Make one call for each.",
    )


def template(field: IdField) -> ToolError:
    """Return the problem of a template where ids are due."""
    return ToolError(
        reason=Reason.VALUE,
        field=field.name,
        detail=say("no_templates"),
        hint="Name the entities, areas or devices themselves.",
    )


def no_entity(field: IdField, text: str, match: NameMatch) -> ToolError:
    """Return the problem of a text that names no entity, or several."""
    if match.several:
        return ToolError(
            reason=Reason.VALUE,
            field=field.name,
            detail=say("name_of_several", name=_quoted(text)),
            hint="Give the id of the one that is meant.",
            candidates=tuple(map(quoted, match.several)),
        )
    return ToolError(
        reason=Reason.VALUE,
        field=field.name,
        detail=say("names_no_entity", name=_quoted(text)),
        hint="Check the id in the list of entities, or look it up by name "
        "(tool find_entities).",
        candidates=(),
    )


def _quoted(text: str) -> str:
    return encode_json(well_formed(quoted(text)))

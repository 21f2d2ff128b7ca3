"""Arguments that name entities to read, brought into one form.

Before authorization: what the gate judges is what will be read. Comma lists, upper case,
registry ids and exact unique names become ids. What names no entity stays as it is: only
the tool itself knows the caller, and so which names it may suggest.
"""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.template import is_template_string

from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import NotJsonError, decode_json
from .entity_ids import is_entity_id
from .home_names import HomeNames
from .targets import ids_in

MOST_ENTITIES = 50
"""Entities that one call may name."""


def normalize_entities(
    hass: HomeAssistant, arguments: dict[str, object], name: str
) -> list[ToolError]:
    """Rewrite one argument in place: a list of ids, or one id as text.

    One stays a text only where one was given as text. Returns what is wrong.
    """
    given = arguments[name]
    texts = _texts(given)
    if texts is None:
        return []  # the schema's check has told
    plain = dict.fromkeys(one.strip() for one in texts if one.strip())
    if wrong := _wrong(name, plain):
        return [wrong]
    names = HomeNames(hass)
    found = list(dict.fromkeys(entity_id_of(hass, one, names) for one in plain))
    arguments[name] = found[0] if isinstance(given, str) and len(found) == 1 else found
    return []


def _texts(given: object) -> list[str] | None:
    """Return the texts in a list, a JSON list, a comma list or one text."""
    if not isinstance(given, str):
        return ids_in(given)
    if given.lstrip().startswith("["):
        try:
            return ids_in(decode_json(given))
        except NotJsonError:
            return [given]
    return [given] if is_template_string(given) else given.split(",")


def _wrong(name: str, texts: dict[str, None]) -> ToolError | None:
    if not texts:
        return ToolError(
            reason=Reason.REQUIRED,
            field=name,
            detail="no entity is named",
            hint="Give an entity id, or a list of them.",
        )
    if len(texts) > MOST_ENTITIES:
        return ToolError(
            reason=Reason.VALUE,
            field=name,
            detail=f"{len(texts)} are named, {MOST_ENTITIES} are allowed",
            hint="Make several calls.",
        )
    if any(is_template_string(one) for one in texts):
        return ToolError(
            reason=Reason.VALUE,
            field=name,
            detail="templates are not taken here",
            hint="Name the entities themselves.",
        )
    return None


def entity_id_of(hass: HomeAssistant, text: str, names: HomeNames) -> str:
    """Return the entity id that a text means; the text where it means none for sure."""
    if is_entity_id(text):
        return text
    if is_entity_id(lowered := text.lower()):
        return lowered
    if (entry := er.async_get(hass).entities.get_entry(text)) is not None:
        return entry.entity_id
    return names.find("entity_id", text).id or text

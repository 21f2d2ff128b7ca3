"""One entry of Home Assistant's logbook as an answer tells it.

Pure but for the question who may know of an entity. An entry's cause and words may name
other entities: what may not be read is left out (page 3 §3.3).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homeassistant.util import dt as dt_util

from ..kernel.json_values import Json, to_json_value
from .reading_times import local_time
from .visible_values import named_entities, without_hidden

type Row = Mapping[str, object]
"""An entry as the logbook's processor gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryTeller:
    """Tells entries to one caller.

    `may_know` tells whether the caller may learn of an entity id; of what is no entity
    it tells true. `users` are names by user id, for those who see everything.
    """

    may_know: Callable[[str], bool]
    users: Mapping[str, str]

    def tell(self, row: Row) -> dict[str, object]:
        """Return an entry: when, what, and by what or whom."""
        told: dict[str, object] = {
            "time": _time(row.get("when")),
            "entity_id": row.get("entity_id"),
            "name": row.get("name"),
            "state": row.get("state"),
            "message": self._words(row.get("message")),
            "attributes": self._attributes(row.get("attributes")),
            "cause": self._cause(row),
        }
        return {
            key: value for key, value in told.items() if value not in (None, "", {})
        }

    def _cause(self, row: Row) -> dict[str, object]:
        cause: dict[str, object] = {}
        entity_id = row.get("context_entity_id")
        if isinstance(entity_id, str) and self.may_know(entity_id):
            cause["entity_id"] = entity_id
            cause["name"] = row.get("context_entity_id_name")
        if row.get("context_domain") and row.get("context_service"):
            cause["action"] = f"{row['context_domain']}.{row['context_service']}"
        if user := self.users.get(str(row.get("context_user_id"))):
            cause["user"] = user
        return cause

    def _words(self, text: object) -> str | None:
        """Return what an entry says, if it names nothing that must not be known."""
        if not isinstance(text, str):
            return None
        return text if all(map(self.may_know, named_entities(text))) else None

    def _attributes(self, attributes: object) -> dict[str, Json] | None:
        if not isinstance(attributes, Mapping):
            return None
        values = {str(name): to_json_value(one) for name, one in attributes.items()}
        return without_hidden(values, self.may_know)


def _time(when: object) -> str:
    moment = dt_util.parse_datetime(str(when))
    return str(when) if moment is None else local_time(moment)

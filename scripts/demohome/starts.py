"""When Home Assistant saw each action of a run begin; imports jsonish and plan.

The run's report tells how long each tool took, not when it began. Home Assistant's own
`call_service` events tell that, independently of HomeAgent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .jsonish import JsonObject, as_object, as_objects, as_text
from .plan import Entry, target

type Starts = Mapping[tuple[str, int], float]
"""Seconds since the first action began, by group and index of the tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One action as the event bus saw it; `at` in seconds."""

    action: str
    entity: str | None
    at: float


def seen(event: JsonObject) -> Seen:
    """Read one `call_service` event."""
    data = as_object(event["data"], "the data of an event")
    arguments = as_object(data["service_data"], "the data of an action")
    entity = arguments.get("entity_id")
    if isinstance(entity, list) and len(entity) == 1:
        (entity,) = entity
    return Seen(
        action=f"{data['domain']}.{data['service']}",
        entity=entity if isinstance(entity, str) else None,
        at=datetime.fromisoformat(as_text(event["time_fired"], "a time")).timestamp(),
    )


def match(
    report: JsonObject, entries: Mapping[str, tuple[Entry, ...]], events: Sequence[Seen]
) -> Starts:
    """Find the beginning of each tool of the report; what was not seen is left out."""
    waiting = sorted(events, key=lambda event: event.at)
    found: dict[tuple[str, int], float] = {}
    for group, index in _tools(report):
        entry = entries[group][index]
        wanted = (entry["tool"], target(entry))
        for event in waiting:
            if (event.action, event.entity) == wanted:
                found[group, index] = event.at
                waiting.remove(event)
                break
    first = min(found.values(), default=0.0)
    return {place: at - first for place, at in found.items()}


def _tools(report: JsonObject) -> list[tuple[str, int]]:
    places: list[tuple[str, int]] = []
    for group in as_objects(report["groups"], "the groups of a report"):
        for tool in as_objects(group["tools"], "the tools of a group"):
            if tool["run"] is not None:
                places += _tools(as_object(tool["run"], "a nested report"))
            elif tool["status"] != "not_run":
                places.append((str(group["name"]), int(str(tool["index"]))))
    return places

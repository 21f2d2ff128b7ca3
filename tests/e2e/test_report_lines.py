"""What the demo makes of a run's report and of Home Assistant's events."""

from demohome import show, starts
from demohome.jsonish import JsonObject

ENTRIES = {
    "Lights": (
        {"tool": "light.turn_on", "args": {"entity_id": "light.a"}},
        {"tool": "light.turn_on", "args": {"entity_id": "light.b"}},
    ),
    "Inner": ({"tool": "todo.get_items", "args": {"entity_id": "todo.x"}},),
    "Tell": ({"tool": "seq_call", "args": {"target": "Inner"}},),
}


def tool(index: int, name: str, duration: float, **more: object) -> JsonObject:
    return {
        "index": index,
        "tool": name,
        "status": "ok",
        "error": None,
        "warnings": [],
        "attempts": 1,
        "duration": duration,
        "run": None,
    } | more


def group(name: str, *tools: JsonObject, **more: object) -> JsonObject:
    return {
        "name": name,
        "status": "ok",
        "why": None,
        "parallel": True,
        "parallel_why": None,
        "duration": 1.0,
        "tools": list(tools),
    } | more


def run(*groups: JsonObject, **more: object) -> JsonObject:
    return {
        "sequence": "s",
        "status": "ok",
        "duration": 2.0,
        "errors": [],
        "groups": list(groups),
        "out": {},
    } | more


LIGHTS = group("Lights", tool(0, "light.turn_on", 1.0), tool(1, "light.turn_on", 0.5))
INNER = run(group("Inner", tool(0, "todo.get_items", 0.25), duration=0.25))


def lines(report: JsonObject, begins: starts.Starts | None = None) -> list[str]:
    return list(show.report_lines(report, ENTRIES, begins or {}))


def event(action: str, entity: object, second: int) -> JsonObject:
    domain, _, service = action.partition(".")
    data = {"domain": domain, "service": service, "service_data": {"entity_id": entity}}
    return {"data": data, "time_fired": f"2026-01-01T00:00:{second:02}+00:00"}


def matched(report: JsonObject, *events: JsonObject) -> starts.Starts:
    return starts.match(report, ENTRIES, [starts.seen(item) for item in events])


def test_bars_are_to_scale_of_the_whole_run() -> None:
    told = lines(run(LIGHTS), {("Lights", 0): 0.0, ("Lights", 1): 1.0})
    assert [line.partition("|")[2] for line in told if "|" in line] == [
        "===============               |",
        "               ========       |",
    ]


def test_what_was_not_seen_beginning_has_no_bar() -> None:
    assert not any("|" in line for line in lines(run(LIGHTS)))


def test_the_numbers_are_the_report_s() -> None:
    told = "\n".join(lines(run(LIGHTS)))
    assert "s: ok in 2.00 s" in told
    assert "Lights: ok, 2 actions at the same time, 1.00 s" in told
    assert "add up to 1.50 s; together they took 1.00 s." in told


def test_serial_groups_say_why() -> None:
    serial = group(
        "Lights",
        tool(0, "light.turn_on", 1.0),
        tool(1, "light.turn_on", 0.5),
        parallel=False,
        parallel_why="declared",
    )
    told = lines(run(serial))
    assert "  Lights: ok, 2 actions one after the other (declared), 1.00 s" in told


def test_skipped_groups_say_why() -> None:
    idle = tool(0, "todo.get_items", 0, status="not_run", attempts=0)
    told = lines(run(group("Inner", idle, status="skipped", why="when is false")))
    assert told[2:] == ["  Inner: skipped (when is false)"]


def test_a_called_group_stands_below_its_call() -> None:
    told = lines(run(group("Tell", tool(0, "seq_call", 0.3, run=INNER))))
    assert [line.split()[0] for line in told[3:]] == [
        "seq_call",
        "Inner:",
        "todo.get_items",
    ]


def test_errors_warnings_and_outputs_are_all_told() -> None:
    error = {
        "reason": "failed",
        "field": "x",
        "detail": "one\ntwo",
        "hint": "do it",
        "also": [{"reason": "type", "field": None, "detail": "more", "hint": ""}],
    }
    bad = tool(0, "todo.get_items", 0.1, status="failed", error=error, warnings=["hm"])
    told = "\n".join(lines(run(group("Inner", bad), out={"Inner": {"x": {"é": 1}}})))
    for words in (
        "failed at x: one",
        "two",
        "-> do it",
        "type: more",
        "warning: hm",
        'Inner.x = {"é": 1}',
    ):
        assert words in told


def test_starts_are_matched_by_action_and_entity() -> None:
    assert matched(
        run(LIGHTS),
        event("light.turn_on", ["light.b"], 3),
        event("light.turn_on", "light.c", 1),
        event("light.turn_on", "light.a", 2),
    ) == {("Lights", 0): 0.0, ("Lights", 1): 1.0}


def test_starts_of_called_groups_are_found() -> None:
    report = run(group("Tell", tool(0, "seq_call", 0.3, run=INNER)))
    assert matched(report, event("todo.get_items", "todo.x", 5)) == {("Inner", 0): 0.0}


def test_what_did_not_run_has_no_start() -> None:
    idle = tool(0, "todo.get_items", 0, status="not_run")
    assert (
        matched(run(group("Inner", idle)), event("todo.get_items", "todo.x", 5)) == {}
    )

"""`seq plan`: what runs at once, in which order, what it needs."""

import json

from .conftest import Seq

TEXT = json.dumps(
    {
        "name": "Evening",
        "description": "Closes the house",
        "groups": [
            {
                "name": "lights",
                "in": {
                    "room": {"type": "string", "default": "hall", "enum": ["hall"]},
                    "level": {"type": "integer", "description": "Percent"},
                },
                "on_error": "retry",
                "retries": 1,
                "tools": (
                    '{"tool":"light.turn_on","args":{"area_id":$args.room}} ; '
                    '{"tool":"cover.close_cover","args":{"position":$args.level}} ;'
                ),
            },
            {
                "name": "read",
                "in": {"where": "string"},
                "out": {"note": "any"},
                "call_only": True,
                "tools": (
                    '{"tool":"todo.get_items","args":{"entity_id":$args.where},'
                    '"as":"note"} ;'
                ),
            },
            {
                "name": "tell",
                "in": {"level": {"type": "integer", "description": "Percent"}},
                "out": {"found": "object"},
                "when": "$args.level > 3",
                "parallel": False,
                "timeout": "1m30s",
                "on_error": "continue",
                "missing": "skip",
                "tools": (
                    '{"tool":"seq_when_call","args":{"target":"read","args":'
                    '{"where":"todo.x"},"when":"$args.level < 50"},"as":"found"} ; '
                    '{"tool":"notify.phone","args":{"message":"$out.found"}} ;'
                ),
            },
        ],
    }
)
FOR_PEOPLE = """\
Evening: Closes the house

input room (string, one of "hall"), optional, otherwise "hall", for lights
input level (integer), needed, for lights, tell: Percent

1. lights: 2 tools at the same time, at most 30s
   calls what failed again, up to 1 time
   - light.turn_on
   - cover.close_cover

called by name only: read: 1 tool, at most 30s
   - todo.get_items -> note

2. tell: 2 tools in order, at most 1m30s
   only if $args.level > 3
   goes on after a failure; does without tools that do not exist
   - seq_when_call read -> found, only if $args.level < 50
   - notify.phone

Tools run at the same time only if all of the group are parallel safe and no two act \
on the same thing; if not, they run in order, and the report says why.
"""


def test_for_people(seq: Seq) -> None:
    """The plan reads as a list."""
    ran = seq("plan", "-", stdin=TEXT.encode())
    assert (ran.code, ran.err, ran.out) == (0, "", FOR_PEOPLE)


def test_for_programs(seq: Seq) -> None:
    """The same as JSON: inputs, and groups with steps that go one after the other."""
    answer = seq("plan", "-", "--json", stdin=TEXT.encode()).answer
    assert list(answer) == ["sequence", "description", "inputs", "groups"]
    inputs = {each["key"]: each for each in answer["inputs"]}
    assert [inputs[key]["required"] for key in ("room", "level")] == [False, True]
    assert inputs["room"] | {"default": "hall", "enum": ["hall"]} == inputs["room"]
    assert inputs["level"]["groups"] == ["lights", "tell"]
    steps = {each["name"]: each["steps"] for each in answer["groups"]}
    assert [[each["index"] for each in step] for step in steps["lights"]] == [[0, 1]]
    assert [[each["index"] for each in step] for step in steps["tell"]] == [[0], [1]]
    assert steps["tell"][0][0] == {
        "index": 0,
        "tool": "seq_when_call",
        "target": "read",
        "when": "$args.level < 50",
        "as": "found",
    }


def test_bad_text(seq: Seq) -> None:
    """A text with errors has no plan: the errors are told as `check` tells them."""
    ran = seq("plan", "-", stdin=b'{"name": "s"}')
    assert (ran.code, ran.out) == (1, "")
    assert "<stdin>: 1 error" in ran.err
    ran = seq("plan", "-", "--json", stdin=b'{"name": "s"}')
    assert (ran.code, ran.answer["ok"]) == (1, False)

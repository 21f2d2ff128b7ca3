"""What `seq_help` answers: the whole language on one page, for models and people.

Imports nothing. A test parses and checks the example, and tries what the text states.
"""

from typing import Final

EXAMPLE: Final = """\
{
  "name": "Evening check",
  "description": "Switches lights off, then tells what the weather will be",
  "groups": [
    {
      "name": "lights off",
      "in": {"room": {"type": "string", "default": "living_room"}},
      "tools": "{\\"tool\\":\\"light.turn_off\\",\\"args\\":{\\"area_id\\":\\"$args.room\\"}} ;"
    },
    {
      "name": "forecast",
      "in": {"announce": {"type": "boolean", "default": true}},
      "out": {"day": "object"},
      "when": "$args.announce == true",
      "parallel": false,
      "on_error": "continue",
      "tools": "{\\"tool\\":\\"weather.get_forecasts\\",\\"args\\":{\\"entity_id\\":\\"weather.home\\",\\"type\\":\\"daily\\"},\\"select\\":\\"[\\\\\\"weather.home\\\\\\"].forecast[0]\\",\\"as\\":\\"day\\"} ; {\\"tool\\":\\"persistent_notification.create\\",\\"args\\":{\\"message\\":\\"The weather: $out.day.condition\\"}} ;"
    }
  ]
}"""

GUIDE: Final = f"""\
A sequence is one JSON object: name*, description, groups*. Groups run in their order; \
the tools of a group run at the same time unless parallel is false.

Group: name*, description, in {{}}, out {{}}, tools*, when ("true"), parallel (true), \
timeout ("30s"), on_error (abort | continue | retry), retries (1 to 10, only with retry), \
missing (fail | skip | degrade), call_only (false).
- in and out are objects {{key: type}}; types: string, integer, number, boolean, array, \
object, any. An input may be {{"type", "description", "default", "required", "enum"}}. A \
run's args fill the in of each group; a default, or "required": false, makes an input \
optional.
- tools is a text: each tool one {{…}} in strict JSON, keys quoted, and a ; after every \
tool, the last one too.
- timeout has a unit: 500ms, 30s, 2m, 1m30s, 1h. It is for the whole group, retries too.
- on_error: abort stops the run, continue goes on, retry calls what failed again.
- missing: a tool that does not exist fails, is skipped, or its fallback is written.
- call_only: the group runs only when it is called by name.

Tool: tool*, args {{}}, as (an out key that takes the result), select (a path into the \
result), fallback (what missing: degrade writes), unsafe_serial.
- as must name a key of out. Only an array key may be written more than once: each \
result is appended, in the order of the tools.
- A group with parallel: true of two tools or more holds only tools that are parallel \
safe. In a parallel: false group of two tools or more, every tool that is not parallel \
safe says "unsafe_serial": true. tool_search tells which are.

References: $args.key is an input of the same group; $out.key, in parallel: false \
groups only, is the result of an earlier tool of the same group. Further: .key, [0], \
[-1], ["any key"]; ${{args.key}} inside words; $$args is a plain $args; $args alone is \
all inputs. A text that is one reference keeps the value's type. What leads nowhere is an \
error. A group never sees another group's out: pass it on as an argument of seq_call, \
inside one serial group.

when: == != < <= > >= contains, && || ! ( ), exists($args.key), texts in quotes, \
numbers, true, false, null. Comparison is typed: "3" == 3 is an error, and so is an \
absent input outside of exists. !($args.a == 1), never !$args.a == 1. A group's when reads \
$args only.

Calls by name: {{"tool":"seq_call","args":{{"target":T,"args":{{…}}}}}} with T a group of \
the same sequence, #name or #name/group; the result is the callee's out, of #name by \
group. seq_when_call takes a when among its args, too. Calls never come back to where \
they began, and #calls go at most 4 deep. Never put seq_run, seq_create, seq_delete or \
tool_call into a sequence.

Names have 1 to 64 characters, none of / \\ " ' * ? [ ], no .. and no . or # in front.

Example:
{EXAMPLE}
"""

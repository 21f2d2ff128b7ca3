"""Runs and batches as they are kept: JSON, bounded, without secrets.

Pure; below `history`, which decides what is kept for how long.
"""

from collections.abc import Callable, Mapping, Sequence
import json
from typing import Final

from ..kernel.contract import Caller, ToolCall, UnparsedArguments
from ..kernel.errors import Reason
from ..kernel.journal import CallRecord
from ..kernel.json_values import Json, key_text, to_json_value, well_formed
from ..kernel.redaction import redact, scrub, secrets_in
from ..sequence.report import RunReport
from ..sequence.runs import Run

LONGEST_VALUE: Final = 8 * 1024
"""Characters of one value's JSON; of a longer one the beginning is kept, marked."""

LONGEST_NAME: Final = 200
MOST_CALLS: Final = 1000
"""Calls kept of one run or batch; how many more there were is noted."""

type Entry = dict[str, Json]
type SchemaOf = Callable[[ToolCall], Mapping[str, object] | None]


def batch_entry(records: Sequence[CallRecord], time: str, schema_of: SchemaOf) -> Entry:
    """Return a batch of calls that belong to no run."""
    first = records[0]
    secrets = _secrets(records, schema_of)
    entry: Entry = {
        "batch_id": first.batch_id,
        "time": time,
        "caller": who(first.caller),
        "parallel": first.parallel,
        "why": shorten(first.why),
        **_calls(records, schema_of, secrets),
    }
    return _scrubbed(entry, secrets)


def run_entry(
    run: Run,
    report: RunReport | None,
    time: str,
    records: Sequence[CallRecord],
    schema_of: SchemaOf,
) -> Entry:
    """Return a run; its report is null while it goes on."""
    told = None if report is None else redact(report.as_dict())
    secrets = secrets_in(run.args) | _secrets(records, schema_of)
    entry: Entry = {
        "run_id": run.id,
        "sequence": well_formed(run.sequence),
        "time": time,
        "caller": who(run.caller),
        "args": _bounded(scrub(redact(run.args), secrets)),
        "report": told,
        **_calls(records, schema_of, secrets),
    }
    return _scrubbed(entry, secrets)


def who(caller: Caller) -> Entry:
    """Return who is behind a call, as it is kept and compared."""
    return {
        "entrance": caller.entrance.value,
        "user_id": _id(caller.user_id),
        "device_id": _id(caller.device_id),
    }


def _id(text: str | None) -> str | None:
    return None if text is None else well_formed(text)


def shorten(name: object) -> str:
    """Return a name as it can be written, of a very long one the marked beginning.

    A model may ask for any name, and one that is no text stands as its JSON.
    """
    text = key_text(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _calls(
    records: Sequence[CallRecord], schema_of: SchemaOf, secrets: set[str]
) -> Entry:
    kept = records[:MOST_CALLS]
    return {
        "calls": [_call(record, schema_of(record.call), secrets) for record in kept],
        "calls_left_out": len(records) - len(kept),
    }


def _call(
    record: CallRecord, schema: Mapping[str, object] | None, secrets: set[str]
) -> Json:
    arguments = record.call.arguments
    result = record.result
    told: Entry = {
        "tool": shorten(record.call.tool),
        "arguments": (
            None
            if isinstance(arguments, UnparsedArguments | str)
            else _bounded(scrub(redact(arguments, schema), secrets))
        ),
        "success": result.success,
        "error": None,
        "warnings": [shorten(warning) for warning in result.warnings],
        "duration": round(result.duration, 6),
        "value": _bounded(scrub(redact(result.value), secrets)),
    }
    if result.error is not None:
        error = result.error.as_dict()
        if result.error.reason is Reason.ARGUMENTS:
            # It quotes the text that could not be read, and so could not be redacted.
            error.pop("detail", None)
        told["error"] = _bounded(scrub(to_json_value(error), secrets))
    return told


def _secrets(records: Sequence[CallRecord], schema_of: SchemaOf) -> set[str]:
    found: set[str] = set()
    for record in records[:MOST_CALLS]:
        if isinstance(record.call.arguments, Mapping):
            found |= secrets_in(record.call.arguments, schema_of(record.call))
    return found


def _scrubbed(entry: Entry, secrets: set[str]) -> Entry:
    whole = scrub(entry, secrets)
    return whole if isinstance(whole, dict) else entry


def _bounded(value: Json) -> Json:
    """Return a value, or the marked beginning of one that is too long to keep."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= LONGEST_VALUE:
        return value
    return {"cut": True, "characters": len(text), "beginning": text[:LONGEST_VALUE]}

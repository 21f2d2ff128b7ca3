"""Three hosts in the demo, and a sequence that inspects all of them at the same time.

Each is a real waiter on this machine, paired as a person would pair it. Imports api,
errors, jsonish and waiter_process.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
import json
from pathlib import Path

from .api import HomeApi
from .errors import HomeError
from .jsonish import JsonObject, as_list, as_number, as_object, as_objects
from .waiter_process import WaiterProcess, add_host, wait_for_hosts

NAMES = ("nas", "router", "pi")
_LINES = 4
_WIDTH = 76


def _tools(*entries: str) -> str:
    return " ".join(f"{entry} ;" for entry in entries)


def _look(command: str, slot: str) -> str:
    args = {"host": "$args.host", "command": command}
    return json.dumps({"tool": "host_run", "args": args, "as": slot})


def _call(number: int) -> str:
    # The reference stands where a value may, without quotes.
    return (
        '{"tool":"seq_call","args":{"target":"拉取单台",'
        f'"args":{{"host":$args.hosts[{number}]}}}},"as":"reports"}}'
    )


INSPECTION: Mapping[str, object] = {
    "name": "巡检三节点",
    "description": "拉取三台节点状态，异常时展开",
    "groups": [
        {
            "name": "拉取单台",
            "description": "拉取一台节点的 uptime 与负载",
            "in": {"host": "string", "verbose": {"type": "boolean", "default": True}},
            "out": {"summary": "string", "load": "string"},
            "when": "$args.verbose == true",
            "call_only": True,
            "tools": _tools(
                _look("uptime", "summary"), _look("ps -eo pid,comm,%cpu", "load")
            ),
        },
        {
            "name": "巡检全部",
            "description": "对三台节点并行调用「拉取单台」",
            "in": {"hosts": "array"},
            "out": {"reports": "array", "errors": "array"},
            "parallel": True,
            "tools": _tools(*map(_call, range(len(NAMES)))),
        },
    ],
}


@asynccontextmanager
async def three_nodes(api: HomeApi, folder: Path) -> AsyncIterator[Sequence[str]]:
    """Pair three waiters and have them run; their files lie in the folder."""
    waiters = [WaiterProcess(folder / name, name=name, url=api.url) for name in NAMES]
    try:
        for waiter in waiters:
            await add_host(api, waiter)
            waiter.start()
        await wait_for_hosts(api, *NAMES)
        yield NAMES
        await asyncio.gather(*(waiter.stop() for waiter in waiters))
    except TimeoutError as error:
        said = "\n".join(_said(waiter) for waiter in waiters)
        raise HomeError(f"The three hosts did not connect in time.\n{said}") from error
    finally:
        for waiter in waiters:
            waiter.kill()


async def inspect(api: HomeApi) -> JsonObject:
    """Create the sequence and run it over the three hosts; return its report."""
    created = await api.call_action("homeagent.seq_create", INSPECTION)
    if created.get("success") is not True:
        raise HomeError(f"The inspection was refused: {created}")
    report = await api.call_action(
        "homeagent.seq_run",
        {"name": INSPECTION["name"], "args": {"hosts": list(NAMES)}},
    )
    if report.get("status") != "ok":
        raise HomeError(
            f"The inspection did not end well: {report.get('text', report)}"
        )
    return report


def inspection_lines(report: JsonObject) -> Iterator[str]:
    """Tell what each host answered."""
    duration = as_number(report["duration"], "the duration")
    yield f"{report['sequence']}: {report['status']} in {duration:.2f} s"
    for group in as_objects(report["groups"], "the groups"):
        if not as_list(group["tools"], "the tools") or group["status"] == "passed_by":
            continue
        order = "at the same time" if group["parallel"] else "one after the other"
        yield f"  {group['name']}: {len(NAMES)} hosts, {order}"
    out = as_object(report["out"], "the outputs")["巡检全部"]
    reports = as_objects(as_object(out, "the outputs")["reports"], "the reports")
    for name, answer in zip(NAMES, reports, strict=True):
        yield f"    {name}: {_stdout(answer['summary'])[0].strip()}"
        for line in _stdout(answer["load"])[:_LINES]:
            yield f"      {line[:_WIDTH]}"


def _stdout(slot: object) -> list[str]:
    """Return the lines of a command's output; a slot of type string holds JSON."""
    value = as_object(json.loads(str(slot)), "the value of a command")
    return str(value["stdout"]).splitlines() or [""]


def _said(waiter: WaiterProcess) -> str:
    log = waiter.log.read_text("utf-8") if waiter.log.exists() else ""
    return f"  {waiter.name}: {log.strip() or '(it said nothing)'}"

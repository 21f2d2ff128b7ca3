"""The demo: a real Home Assistant, HomeAgent in it, sequences created and run.

The outermost module; imports all others.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import json
import os
import signal
import sys
import time
import webbrowser

from . import home, nodes, plan, show, starts
from .api import HomeApi
from .errors import HomeError
from .jsonish import JsonObject, as_object, as_objects
from .log import complaints
from .real_home import HomeOptions, RealHome

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PAGE = "/config/integrations/integration/homeagent"
_DESCRIPTION = "Show HomeAgent in a real Home Assistant, in a temporary folder."
# What Home Assistant ends with when somebody asked for a restart in its UI.
_RESTART = 100


@dataclass(slots=True)
class Outcome:
    """What the demo found; `status` is the run's, or failed where there was none."""

    report: JsonObject | None = None
    ha_version: str | None = None
    interrupted_by: signal.Signals | None = None

    @property
    def status(self) -> str:
        """How the run ended."""
        return "failed" if self.report is None else str(self.report["status"])


def say(*lines: str) -> None:
    """Tell the person at the screen, at once."""
    print(*lines, sep="\n", flush=True)


async def demo(outcome: Outcome, *, serve: bool) -> None:
    """Do everything; HomeError says in a sentence what went wrong."""
    say("Starting Home Assistant in a temporary folder.")
    begin = time.monotonic()
    async with RealHome(HomeOptions(configuration=home.configuration())) as real:
        outcome.ha_version = str((await real.api.config())["version"])
        spent = time.monotonic() - begin
        say(f"Home Assistant {outcome.ha_version} runs after {spent:.1f} s.")
        try:
            await _prepare(real.api)
            outcome.report = await _run(real.api)
            await _show_home(real.api)
            await _show_refusal(real.api)
            await _show_nodes(real, serve=serve)
        except HomeError as error:
            said = complaints(real.log_text())
            raise HomeError("\n".join((str(error), *said))) from error
        say("", "Stopping Home Assistant.")
    say("It has stopped, and its folder is gone.")


async def _prepare(api: HomeApi) -> None:
    counts = await home.furnish(api)
    say(f"The home has {counts['rooms']} rooms and {counts['entities']} entities.")
    result = await api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
    if result.get("type") != "create_entry":
        raise HomeError(f"HomeAgent could not be added: {result}")
    say("HomeAgent is added.")
    created = await api.call_action("homeagent.seq_create", plan.EVENING_CHECK)
    _demand_success(created, "homeagent.seq_create")
    name = plan.EVENING_CHECK["name"]
    say(f'The sequence "{name}" is checked and stored: {len(plan.ENTRIES)} groups.', "")


async def _run(api: HomeApi) -> JsonObject:
    async with api.socket() as socket:
        subscription = await socket.subscribe("call_service")
        report = await api.call_action(
            "homeagent.seq_run",
            {"name": plan.EVENING_CHECK["name"], "args": plan.RUN_ARGUMENTS},
        )
        events = await socket.events(subscription)
    if "groups" not in report:
        _demand_success(report, "homeagent.seq_run")
    seen = [starts.seen(event) for event in events]
    begins = starts.match(report, plan.ENTRIES, seen)
    say(*show.report_lines(report, plan.ENTRIES, begins))
    say("", "  (Bars begin where Home Assistant's event bus saw the action begin.)")
    return report


async def _show_home(api: HomeApi) -> None:
    say("", "The home afterwards, as Home Assistant tells it")
    for lamp in home.LAMPS:
        state = await api.state(lamp.entity_id)
        brightness = as_object(state["attributes"], "attributes").get("brightness")
        level = f", {brightness / 2.55:.0f} %" if isinstance(brightness, int) else ""
        say(f"  {lamp.name}: {state['state']}{level}")
    async with api.socket() as socket:
        notes = await socket.command("persistent_notification/get")
    for note in as_objects(notes, "the notifications"):
        say(f"  {note['title']}: {note['message']}")


async def _show_refusal(api: HomeApi) -> None:
    answer = await api.call_action("homeagent.seq_create", plan.REFUSED)
    if answer.get("success") is not False:
        raise HomeError(f"A bad sequence was not refused: {answer}")
    say("", f'A bad sequence, "{plan.REFUSED["name"]}", is refused, with every error:')
    error = as_object(answer["error"], "the error")
    say(*(f"  {line}" for line in show.problem_lines(error)))


async def _show_nodes(real: RealHome, *, serve: bool) -> None:
    say("", "Pairing three waiters on this machine, as three NAS hosts.")
    async with nodes.three_nodes(real.api, real.root / "nodes") as names:
        say(f"{', '.join(names)} are connected.", "")
        say(*nodes.inspection_lines(await nodes.inspect(real.api)))
        if serve:
            await _serve(real)


async def _serve(real: RealHome) -> None:
    page = f"{real.url}{_PAGE}"
    say(
        "",
        f"Home Assistant goes on at  {real.url}",
        f"  user                     {real.owner.username}",
        f"  password                 {real.owner.password}",
        f"  HomeAgent                {page}",
        "Ctrl-C stops it and removes everything.",
    )
    if _has_display():
        await asyncio.to_thread(webbrowser.open, page)
    while (code := await real.wait_until_ended()) == _RESTART:
        say("Starting again, as asked for in Home Assistant.")
        await real.start()
    if code != 0:
        raise HomeError(f"Home Assistant ended with exit code {code}.")


def _has_display() -> bool:
    return sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _demand_success(answer: Mapping[str, object], action: str) -> None:
    if answer.get("success", True) is not True:
        error = as_object(answer["error"], "the error")
        text = "\n".join(f"    {line}" for line in show.problem_lines(error))
        raise HomeError(f"{action} was refused:\n{text}")


async def _until_signal(outcome: Outcome, *, serve: bool) -> None:
    """Run the demo; the first signal cancels it, more do not disturb its clean-up."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(demo(outcome, serve=serve))

    def interrupt(number: signal.Signals) -> None:
        if outcome.interrupted_by is None:
            outcome.interrupted_by = number
            task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, interrupt, number)
    try:
        await task
    except asyncio.CancelledError:
        if outcome.interrupted_by is None:
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; return its exit code: 0, 1 where it failed, 128 + a signal."""
    parser = argparse.ArgumentParser(prog="demo", description=_DESCRIPTION)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--json",
        action="store_true",
        help="print, as the last line, the result as JSON",
    )
    kind.add_argument(
        "--serve",
        action="store_true",
        help="leave Home Assistant running for you until Ctrl-C",
    )
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    outcome = Outcome()
    complaint = None
    try:
        asyncio.run(_until_signal(outcome, serve=options.serve))
    except HomeError as error:
        complaint = str(error)
    if outcome.interrupted_by is not None:
        print("demo: interrupted; nothing is left behind.", file=sys.stderr)
        return 128 + outcome.interrupted_by
    if complaint is not None:
        print(f"demo: {complaint}", file=sys.stderr, flush=True)
    good = complaint is None and outcome.status == "ok"
    if options.json:
        say(_json_line(outcome, good=good, seconds=time.monotonic() - begin))
    return 0 if good else 1


def _json_line(outcome: Outcome, *, good: bool, seconds: float) -> str:
    status = outcome.status
    return json.dumps(
        {
            "status": "failed" if status == "ok" and not good else status,
            "report": outcome.report,
            "seconds": round(seconds, 3),
            "ha_version": outcome.ha_version,
        },
        ensure_ascii=False,
    )

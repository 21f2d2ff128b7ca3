"""The command line: what is asked for, what is answered, and the exit code.

The outermost module; imports all others. 0 is for all well, 1 for a sequence that is
not (its text is wrong, its form is not the canonical one, its run failed), 2 for a
command that could not do its work.
"""

import argparse
from collections.abc import Iterable, Sequence as Many
import json
import sys
from typing import BinaryIO, Final, TextIO

from custom_components.homeagent.sequence.limits import MAX_BYTES
from custom_components.homeagent.sequence.problems import printable

from .canonical import canonical, write_file
from .checking import Checked, check_text
from .dry_run import DryRun, dry_run
from .fake_tools import DeclaredTools
from .inputs import STANDARD_INPUT, BadInput, read_arguments, read_bytes, shown_name
from .plan_lines import plan_lines
from .planning import plan_of
from .problem_lines import count_of, problem_lines
from .tools_file import LIMIT, read_tools

OK: Final = 0
NOT_OK: Final = 1
UNUSABLE: Final = 2

_TOOLS_HELP: Final = """\
The tools of a dry run are a JSON object, for each tool by its name:
  {"light.turn_on": {"parallel_safe": true,
                     "parameters": {"type": "object", …},
                     "behaviour": [{"error": {"reason": "failed"}, "delay_ms": 200},
                                   {"value": {"done": true}}]}}
A tool is not parallel safe unless it says so; parameters is a JSON Schema. Its calls do
one behaviour after the other, the last again and again: give a value, echo their
arguments ({"echo": true}, also without behaviour), or fail. Besides these tools only
seq_call and seq_when_call exist. The clock jumps: nothing waits for real.
"""


def main(arguments: Many[str] | None = None, stdin: BinaryIO | None = None) -> int:
    """Do what the arguments ask for; return the exit code.

    `stdin` takes the place of standard input.
    """
    options = _parser().parse_args(arguments)
    if stdin is None and sys.stdin is not None:
        stdin = sys.stdin.buffer
    try:
        return _Command(options, stdin).run()
    except BadInput as error:
        _say([f"seq: {error}"], sys.stderr)
        return UNUSABLE


class _Command:
    """One command with its options."""

    def __init__(self, options: argparse.Namespace, stdin: BinaryIO | None) -> None:
        self._stdin = stdin
        self._kind = str(options.kind)
        self._file = str(options.file)
        self._json = bool(getattr(options, "json", False))
        self._write = bool(getattr(options, "write", False))
        self._only_check = bool(getattr(options, "check", False))
        self._args = str(getattr(options, "args", "{}"))
        self._tools: str | None = getattr(options, "tools", None)

    def run(self) -> int:
        if self._file == self._tools == STANDARD_INPUT:
            raise BadInput("FILE and --tools cannot both be standard input")
        match self._kind:
            case "check":
                return self._check()
            case "format":
                return self._format()
            case "plan":
                return self._plan()
            case _:
                return self._run()

    def _check(self) -> int:
        tools = None if self._tools is None else self._read_tools(self._tools)
        return self._tell(check_text(self._text(), tools), sys.stdout)

    def _format(self) -> int:
        if self._write and self._file == STANDARD_INPUT:
            raise BadInput("--write needs a file; standard input cannot be written")
        text = self._text()
        checked = check_text(text)
        if checked.sequence is None:
            return self._tell(checked, sys.stderr)
        formatted = canonical(checked.sequence)
        name = shown_name(self._file)
        if self._only_check:
            if text == formatted:
                return OK
            _say([f"{name} is not formatted: scripts/seq format --write mends it"])
            return NOT_OK
        if not self._write:
            print(formatted.decode(), end="", flush=True)
        elif text != formatted:
            write_file(self._file, formatted)
            _say([f"{name} is formatted now"])
        return OK

    def _plan(self) -> int:
        checked = check_text(self._text())
        if checked.sequence is None:
            return self._tell(checked, sys.stdout if self._json else sys.stderr)
        plan = plan_of(checked.sequence)
        _say([_json(plan.as_dict())] if self._json else plan_lines(plan))
        return OK

    def _run(self) -> int:
        args = read_arguments(self._args)
        tools = self._read_tools(str(self._tools))
        checked = check_text(self._text(), tools)
        if checked.sequence is None:
            return self._tell(checked, sys.stdout)
        name = shown_name(self._file)
        for warning in checked.warnings:
            _say(problem_lines(name, warning, "warning"), sys.stderr)
        done = dry_run(checked.sequence, args, tools)
        _say([_json(done.as_dict())] if self._json else _run_lines(done))
        return OK if done.report.success else NOT_OK

    def _text(self) -> bytes:
        return read_bytes(self._file, MAX_BYTES, self._stdin)

    def _read_tools(self, path: str) -> DeclaredTools:
        name = shown_name(path)
        data = read_bytes(path, LIMIT, self._stdin)
        if len(data) > LIMIT:
            raise BadInput(f"{name} has more than {LIMIT // 1024} KiB")
        return read_tools(data, name)

    def _tell(self, checked: Checked, stream: TextIO) -> int:
        """Tell what a check found, in the form of the command `check`."""
        if self._json:
            _say([_json(checked.as_dict())], stream)
        else:
            _say(_check_lines(shown_name(self._file), checked), stream)
        return NOT_OK if checked.errors else OK


def _check_lines(name: str, checked: Checked) -> Iterable[str]:
    for problem in checked.errors:
        yield from problem_lines(name, problem)
    for problem in checked.warnings:
        yield from problem_lines(name, problem, "warning")
    counts = []
    if checked.errors:
        counts.append(count_of(len(checked.errors), "error"))
    if checked.warnings:
        counts.append(count_of(len(checked.warnings), "warning"))
    told = ", ".join(counts)
    yield f"{name}: {told}" if checked.errors else f"{name}: ok{told and f', {told}'}"


def _run_lines(done: DryRun) -> Iterable[str]:
    yield from map(printable, done.report.text.split("\n"))
    calls = ", ".join(f"{name} {times}" for name, times in done.calls.items())
    yield printable(f"calls: {calls or 'none'}")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _say(lines: Iterable[str], stream: TextIO | None = None) -> None:
    print(*lines, sep="\n", file=stream or sys.stdout, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="seq",
        description="Check, format, plan and try out sequences that are kept in files.",
        epilog="Exit code: 0 all well, 1 the sequence is not, 2 nothing could be done.",
        allow_abbrev=False,
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="COMMAND")
    check = _command(kinds, "check", "tell everything that is wrong with a sequence")
    _add_json(check, 'a line {"ok", "errors", "warnings"}')
    check.add_argument(
        "--tools", metavar="TOOLS.json", help="also check against these tools"
    )
    form = _command(kinds, "format", "write a sequence in its canonical form")
    where = form.add_mutually_exclusive_group()
    where.add_argument("--write", action="store_true", help="write it into the file")
    where.add_argument(
        "--check", action="store_true", help="only tell whether it is canonical"
    )
    plan = _command(kinds, "plan", "tell what runs when, and which inputs it needs")
    _add_json(plan, "a line with inputs and groups")
    run = _command(kinds, "run", "make a dry run on declared fake tools")
    run.formatter_class = argparse.RawDescriptionHelpFormatter
    run.epilog = _TOOLS_HELP
    run.add_argument(
        "--args", metavar="JSON", default="{}", help="the inputs, a JSON object"
    )
    run.add_argument(
        "--tools", metavar="TOOLS.json", required=True, help="the tools that there are"
    )
    _add_json(run, 'a line with the result, as Home Assistant gives it, and "calls"')
    return parser


def _command(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    command = kinds.add_parser(
        name, help=about, description=about.capitalize() + ".", allow_abbrev=False
    )
    command.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    return command


def _add_json(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--json", action="store_true", help=f"print {what}")

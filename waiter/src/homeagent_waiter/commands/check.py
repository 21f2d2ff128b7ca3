"""``waiter check``: says whether a line would run, and why not. Runs nothing."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ..cli_parts import REFUSED, add_config, policy_of, refusal_text
from ..gate import Code, Plan, Policy, Refusal, Step, decide
from ..gate.refused import shown


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``check``."""
    parser = subparsers.add_parser(
        "check",
        help="say whether a command line would run (exit code 0) or be refused (3)",
        allow_abbrev=False,
    )
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    parser.add_argument(
        "--stdin",
        action="store_true",
        help="with --json: read one JSON string a line, print one object a line",
    )
    parser.add_argument("line", nargs="?", metavar="LINE", help="such as 'df -h'")
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    """Judge one line, or one of each line of standard input."""
    if args.stdin and (not args.json or args.line is not None):
        args.parser.error("--stdin goes with --json and without a line")
    if not args.stdin and args.line is None:
        args.parser.error("a line such as 'df -h' is missing")
    policy = policy_of(args)
    if args.stdin:
        return _judge_all(policy)
    decision = decide(args.line, policy)
    if args.json:
        print(json.dumps(described(decision)))
    elif isinstance(decision, Refusal):
        print(refusal_text(decision))
    else:
        missing = [each.argv[0] for each in decision.stages if each.program is None]
        print(
            "accepted" + (f"; not installed: {', '.join(missing)}" if missing else "")
        )
    return REFUSED if isinstance(decision, Refusal) else 0


def _judge_all(policy: Policy) -> int:
    code = 0
    for raw in sys.stdin.buffer:
        decision = _judged(raw, policy)
        if isinstance(decision, Refusal):
            code = REFUSED
        print(json.dumps(described(decision)), flush=True)
    return code


def _judged(raw: bytes, policy: Policy) -> Plan | Refusal:
    """Judge one line of input, which is a JSON string."""
    try:
        line = json.loads(raw)
    except ValueError:
        line = None
    if isinstance(line, str):
        return decide(line, policy)
    return Refusal(
        stage=Step.LEXER,
        code=Code.LINE,
        token=shown(raw.decode(errors="replace").strip()),
        hint='one JSON string a line, such as "df -h"',
    )


def described(decision: Plan | Refusal) -> dict[str, Any]:
    """Return a decision as a JSON object.

    ``argv`` has the words of each command of an accepted line; ``installed`` tells
    whether all its programs are there, of a refused one it is ``null``.
    """
    if isinstance(decision, Refusal):
        return {
            "decision": "refuse",
            "stage": decision.stage,
            "code": decision.code,
            "token": decision.token,
            "hint": decision.hint,
            "argv": None,
            "installed": None,
        }
    return {
        "decision": "accept",
        "stage": None,
        "code": None,
        "token": None,
        "hint": None,
        "argv": [list(stage.argv) for stage in decision.stages],
        "installed": decision.installed,
    }

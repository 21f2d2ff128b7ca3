"""Plans for the tests of the executor: small programs of Python, without the gate."""

from __future__ import annotations

import sys

from homeagent_waiter.gate.plan import Plan, Stage, Stderr


def python(script: str, stderr: Stderr = Stderr.KEEP) -> Stage:
    """Return a stage that runs a script."""
    return Stage(
        argv=(sys.executable, "-I", "-c", script), program=sys.executable, stderr=stderr
    )


def plan(*stages: Stage | str) -> Plan:
    """Return a plan of stages or of scripts."""
    made = [python(stage) if isinstance(stage, str) else stage for stage in stages]
    return Plan(line="test", stages=tuple(made))

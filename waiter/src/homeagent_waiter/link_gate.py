"""Link: answers requests through the gate, and records every decision.

The daemon's only way to a command: ``decide``, then ``execute``, as ``once`` has it
(design page 4 §4.1). Above the gate, the executor and the audit log.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
import logging

from .audit import AuditLog, Entry, entry
from .config import Config
from .executor import Bounds, NotInstalledError, Outcome, execute
from .gate import Plan, Policy, Refusal, decide
from .link_work import Answer, Request

_LOGGER = logging.getLogger(__name__)

REMOTE_CONTROL_OFF = "remote_control_off"
"""The code of a host whose owner does not allow commands over the link."""

_OFF_HINT = (
    "The owner of the host allows commands from Home Assistant with"
    " device_authorized: true in its waiter.yaml."
)


class RecordError(Exception):
    """A decision cannot be recorded; nothing is told that is not."""


@dataclass(frozen=True)
class Gate:
    """Answers by one state of the configuration."""

    config: Config
    policy: Policy
    log: AuditLog

    async def answer(self, request: Request) -> Answer:
        """Answer a command."""
        line = request.command or ""
        try:
            if not self.config.device_authorized:
                return self._off(request, line)
            return await self._judged(request, line)
        except RecordError as error:
            _LOGGER.error("The audit log cannot be written: %s", error)
            return {"error": {"code": "no_audit", "detail": str(error)}}

    async def _judged(self, request: Request, line: str) -> Answer:
        limit = self.config.limits.timeout
        seconds = limit if request.timeout is None else request.timeout
        if not 0 < seconds <= limit:
            detail = f"{seconds:g} s is not within this host's limit of {limit:g} s"
            return {"error": {"code": "timeout", "detail": detail}}
        # Looking at files can take its time; the connection must live on meanwhile.
        decision = await asyncio.to_thread(decide, line, self.policy)
        if isinstance(decision, Refusal):
            self._record(entry(line, decision, request=request.id, who=request.who))
            return {"refusal": refusal_fields(decision, line)}
        return await self._run(request, decision, seconds)

    async def _run(self, request: Request, plan: Plan, seconds: float) -> Answer:
        outcome: Outcome | None = None
        note: str | None = "cancelled"
        try:
            bounds = Bounds(timeout=seconds, output=self.config.limits.output)
            outcome = await execute(plan, bounds)
            note = None
        except NotInstalledError as error:
            note = str(error)
            return {"error": {"code": "not_installed", "detail": note}}
        finally:
            self._record(
                entry(
                    plan.line,
                    plan,
                    outcome,
                    request=request.id,
                    who=request.who,
                    note=note,
                )
            )
        return {"outcome": outcome_fields(outcome, plan)}

    def _off(self, request: Request, line: str) -> Answer:
        self._record(
            Entry(
                request=request.id,
                who=request.who,
                line=line,
                decision="refuse",
                code=REMOTE_CONTROL_OFF,
            )
        )
        return {
            "refusal": {
                "stage": "",
                "code": REMOTE_CONTROL_OFF,
                "token": "",
                "hint": _OFF_HINT,
                "line": line,
            }
        }

    def _record(self, what: Entry) -> None:
        try:
            self.log.write(what)
        except OSError as error:
            raise RecordError(str(error)) from error


def refusal_fields(refusal: Refusal, line: str) -> dict[str, object]:
    """Return a refusal as it goes over the wire."""
    return {
        "stage": str(refusal.stage),
        "code": str(refusal.code),
        "token": refusal.token,
        "hint": refusal.hint,
        "line": line,
    }


def outcome_fields(outcome: Outcome, plan: Plan) -> dict[str, object]:
    """Return an outcome as it goes over the wire."""
    return {
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "exit_code": outcome.exit_code,
        "exit_codes": list(outcome.exit_codes),
        "truncated": outcome.truncated,
        "duration": round(outcome.duration, 3),
        "timed_out": outcome.timed_out,
        "unkillable": outcome.unkillable,
        "notes": list(plan.notes),
    }

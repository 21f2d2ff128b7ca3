"""What a sequence must do, told a second time: slow, plain, and without any task.

Written from page 2 §2.4 and §2.5 for the property test of the engine; it shares nothing
with it but the words of the report. It knows what the test generates and no more.
Limits and delays never fall on one moment, so that no order is left to chance.
"""

from dataclasses import dataclass, field
from typing import Any

type Json = dict[str, Any]

RETRIED = {"failed", "timeout", "unavailable", "busy"}


@dataclass
class ModelTool:
    """A tool: what it does call by call, each `(delay, value or None, reason or None)`."""

    steps: list[tuple[float, object, str | None]]
    safe: bool = True
    key: str | None = None
    used: int = 0

    def next(self) -> tuple[float, object, str | None]:
        """Return what the next call does."""
        step = self.steps[min(self.used, len(self.steps) - 1)]
        self.used += 1
        return step


@dataclass
class Outcome:
    """What came of one entry."""

    status: str = "not_run"
    reason: str | None = None
    attempts: int = 0
    value: object = None
    writes: bool = False
    partial: bool = False


@dataclass
class Model:
    """A home and its clock; `log` has each call with its moment and arguments."""

    tools: dict[str, ModelTool]
    callee: Json | None
    now: float = 0.0
    log: list[tuple[float, str, Json]] = field(default_factory=list)

    def run(self, groups: list[Json], args: Json) -> Json:
        """Run all groups; return statuses, slots, and how each group went."""
        seen: list[Json] = []
        out: Json = {}
        status = "ok"
        for group in groups:
            if status == "failed":
                seen.append({"status": "not_run", "tools": []})
            elif group.get("call_only"):
                seen.append({"status": "passed_by", "tools": []})
            else:
                told = self.group(group, args)
                seen.append(told)
                out[str(group["name"])] = told["slots"]
                if told["status"] in {"failed", "partial"}:
                    status = str(told["status"])
        return {"status": status, "groups": seen, "out": out}

    def group(self, group: Json, args: Json) -> Json:
        """Run one group."""
        told: Json = {"slots": {}, "tools": [], "parallel": None}
        when = group.get("when", "true")
        if when == "$args.v > 1" and isinstance(args["v"], str):
            going_on = group.get("on_error") == "continue"
            return told | {"status": "partial" if going_on else "failed"}
        if when == "false" or (when == "$args.v > 1" and not args["v"] > 1):
            return told | {"status": "skipped"}
        entries: list[Json] = group["tools"]
        outcomes = [Outcome() for _ in entries]
        slots: Json = {}
        limit = self.now + float(str(group["timeout"]).removesuffix("s"))
        left = [int(str(group.get("retries", 0)))] * len(entries)
        if group.get("parallel") is False:
            parallel = False
            self.in_order(group, entries, outcomes, slots, args, limit, left)
        else:
            parallel = self.at_once(group, entries, outcomes, args, limit, left)
            for entry, outcome in zip(entries, outcomes, strict=True):
                self.write(group, entry, outcome, slots)
        return told | {
            "status": self.judge(group, outcomes),
            "tools": outcomes,
            "slots": slots,
            "parallel": parallel,
        }

    def judge(self, group: Json, outcomes: list[Outcome]) -> str:
        if any(each.status == "failed" for each in outcomes):
            return "partial" if group.get("on_error") == "continue" else "failed"
        lacking = any(
            each.status in {"missing", "degraded"} or each.partial for each in outcomes
        )
        return "partial" if lacking else "ok"

    def in_order(
        self,
        group: Json,
        entries: list[Json],
        outcomes: list[Outcome],
        slots: Json,
        args: Json,
        limit: float,
        left: list[int],
    ) -> None:
        for index, entry in enumerate(entries):
            pause = 0.5 * 2 ** (int(str(group.get("retries", 0))) - left[index])
            while True:
                self.attempt(group, [entry], [outcomes[index]], slots, args, limit)
                if not self.again(group, outcomes[index]) or not left[index]:
                    break
                if self.now + pause >= limit:
                    break
                self.now += pause
                pause *= 2
                left[index] -= 1
            if group.get("parallel") is False:
                self.write(group, entry, outcomes[index], slots)
            failed = outcomes[index].status == "failed"
            if failed and group.get("on_error") != "continue":
                return

    def at_once(
        self,
        group: Json,
        entries: list[Json],
        outcomes: list[Outcome],
        args: Json,
        limit: float,
        left: list[int],
    ) -> bool:
        if self.needs_order(entries):
            self.in_order(group, entries, outcomes, {}, args, limit, left)
            return False
        pause = 0.5
        todo = list(range(len(entries)))
        while True:
            some = [entries[index] for index in todo]
            self.attempt(
                group, some, [outcomes[index] for index in todo], {}, args, limit
            )
            todo = [index for index in todo if self.again(group, outcomes[index])]
            if not todo or not left[0] or self.now + pause >= limit:
                break
            self.now += pause
            pause *= 2
            left[0] -= 1
        return self.overlaps(entries)

    def overlaps(self, entries: list[Json]) -> bool:
        """A call alone is not at the same time as anything."""
        return self.known(entries) > 1

    def known(self, entries: list[Json]) -> int:
        return sum(each["tool"] != "gone" for each in entries)

    def needs_order(self, entries: list[Json]) -> bool:
        if self.known(entries) < 2:
            return False
        keys: list[str] = []
        for entry in entries:
            for tool in self.reached(entry):
                if not tool.safe:
                    return True
            mine = {tool.key for tool in self.reached(entry) if tool.key}
            keys += mine
        return len(keys) != len(set(keys)) or any(map(self.unclear, entries))

    def unclear(self, entry: Json) -> bool:
        """Whether what a call reaches depends on results inside of it."""
        if entry["tool"] != "seq_call" or self.callee is None:
            return False
        inner: list[Json] = self.callee["tools"]
        return any(
            each["tool"] != "gone" and "$out" in str(each.get("args")) for each in inner
        )

    def reached(self, entry: Json) -> list[ModelTool]:
        if entry["tool"] == "gone":
            return []
        if entry["tool"] != "seq_call":
            return [self.tools[str(entry["tool"])]]
        assert self.callee is not None
        inner: list[Json] = self.callee["tools"]
        return [tool for each in inner for tool in self.reached(each)]

    def again(self, group: Json, outcome: Outcome) -> bool:
        retry = group.get("on_error") == "retry"
        return retry and outcome.status == "failed" and outcome.reason in RETRIED

    def attempt(
        self,
        group: Json,
        entries: list[Json],
        outcomes: list[Outcome],
        slots: Json,
        args: Json,
        limit: float,
    ) -> None:
        """Start all at this moment; the clock goes on to the end of the last."""
        begun = ended = self.now
        for entry, outcome in zip(entries, outcomes, strict=True):
            self.now = begun
            self.one(group, entry, outcome, slots, args, limit)
            ended = max(ended, self.now)
        self.now = ended

    def one(
        self,
        group: Json,
        entry: Json,
        outcome: Outcome,
        slots: Json,
        args: Json,
        limit: float,
    ) -> None:
        outcome.writes = False
        given = entry.get("args", {})
        if given == {"v": "$out.s0"} and "s0" not in slots:
            outcome.status, outcome.reason = "failed", "required"
            return
        known = {"$args.v": args.get("v"), "$out.s0": slots.get("s0")}
        values = {key: known.get(str(value), value) for key, value in given.items()}
        if self.now >= limit:
            outcome.status, outcome.reason = "failed", "timeout"
            return
        outcome.attempts += 1
        if entry["tool"] == "gone":
            self.miss(group, entry, outcome)
        elif entry["tool"] == "seq_call":
            self.call_group(group, entry, outcome)
        else:
            self.call_tool(group, entry, outcome, values, limit)

    def miss(self, group: Json, entry: Json, outcome: Outcome) -> None:
        policy = str(group.get("missing", "fail"))
        kinds = {"fail": "failed", "skip": "missing", "degrade": "degraded"}
        outcome.status, outcome.reason = kinds[policy], "not_found"
        if policy == "degrade" and "as" in entry:
            outcome.value, outcome.writes = entry["fallback"], True

    def call_group(self, group: Json, entry: Json, outcome: Outcome) -> None:
        assert self.callee is not None
        told = self.group(self.callee, {})
        if told["status"] == "failed":
            outcome.status, outcome.reason = "failed", "failed"
            return
        outcome.status = "ok"
        outcome.partial = told["status"] == "partial"
        self.keep(group, entry, outcome, told["slots"])

    def call_tool(
        self, group: Json, entry: Json, outcome: Outcome, values: Json, limit: float
    ) -> None:
        name = str(entry["tool"])
        self.log.append((round(self.now, 3), name, values))
        delay, value, reason = self.tools[name].next()
        if self.now + delay > limit:
            self.now = limit
            outcome.status, outcome.reason = "failed", "timeout"
            return
        self.now += delay
        if reason is not None:
            outcome.status, outcome.reason = "failed", reason
            return
        outcome.status, outcome.reason = "ok", None
        self.keep(group, entry, outcome, value)

    def keep(self, group: Json, entry: Json, outcome: Outcome, value: object) -> None:
        outcome.reason = None
        if "as" not in entry:
            return
        type_ = group["out"][entry["as"]]
        if type_ == "integer" and type(value) is not int:
            outcome.status, outcome.reason = "failed", "type"
            return
        outcome.value, outcome.writes = value, True

    def write(self, group: Json, entry: Json, outcome: Outcome, slots: Json) -> None:
        if not outcome.writes:
            return
        name = str(entry["as"])
        if group["out"][name] != "array":
            slots[name] = outcome.value
            return
        elements = slots.setdefault(name, [])
        assert isinstance(elements, list)
        elements.append(outcome.value)

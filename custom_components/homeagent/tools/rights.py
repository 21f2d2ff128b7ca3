"""The questions about rights that others have beside a call of their own.

Between the policy and whoever lists, searches, proposes or reads: each asks about one
tool, as a call of it would be judged.
"""

from collections.abc import Mapping
from functools import partial

from ..access.policy import RulePolicy
from ..kernel.contract import Caller, Policy, Tool, ToolRegistry, Verdict
from ..sequence.lookups import SequenceLookup
from .sequence_sight import SeenSequences, SeenTools, Sight


class Rights:
    """Answers for one caller at a time."""

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        sequences: SequenceLookup,
        policy: Policy,
        rules: RulePolicy,
    ) -> None:
        """Take the tools, the sequences, and the policy with the rules behind it."""
        self._registry = registry
        self._sequences = sequences
        self._policy = policy
        self._rules = rules

    def may_use(self, caller: Caller, tool: Tool) -> bool:
        """Whether any call of a tool could succeed, now or after a yes."""
        decision = self._policy.can_use(caller, tool, None)
        return decision.verdict is not Verdict.REFUSE

    def may_run(self, caller: Caller, name: str) -> bool:
        """Whether a caller may run the sequence of that name, now or after a yes."""
        return self._verdict(caller, "seq_run", {"name": name}) is not Verdict.REFUSE

    def may_read(self, caller: Caller, entity_id: str) -> bool:
        """Whether a caller may learn the state of an entity, without being asked for."""
        arguments = {"entity_id": entity_id}
        return self._verdict(caller, "get_state", arguments) is Verdict.ALLOW

    def may_use_host(self, caller: Caller, device_id: str) -> bool:
        """Whether a caller may use a host with any of its tools."""
        arguments = {"host": device_id, "command": "", "kind": ""}
        return any(
            self._verdict(caller, name, arguments) is not Verdict.REFUSE
            for name in ("host_info", "host_report", "host_run")
        )

    def _verdict(
        self, caller: Caller, name: str, arguments: Mapping[str, object]
    ) -> Verdict:
        tool = self._registry.find(name)
        if tool is None:
            return Verdict.REFUSE
        return self._policy.can_use(caller, tool, arguments).verdict

    def proposes_only(self, caller: Caller) -> bool:
        """Whether what a caller writes is a draft that an administrator confirms.

        Who may edit after asking, and was not asked for this call, may propose only.
        """
        verdict = self._rules.may_edit(caller)
        asked = verdict is Verdict.ASK and bool(caller.agreed)
        return not (verdict is Verdict.ALLOW or asked)

    def sight_of(self, caller: Caller) -> Sight:
        """Return what somebody who proposes may learn of tools and sequences."""
        if self._policy.sees_everything(caller):
            return Sight(tools=self._registry, sequences=self._sequences)
        may_use, may_run = partial(self.may_use, caller), partial(self.may_run, caller)
        return Sight(
            tools=SeenTools(every=self._registry, may_use=may_use),
            sequences=SeenSequences(every=self._sequences, may_run=may_run),
        )

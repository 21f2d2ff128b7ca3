"""What a person agreed to, and the policy that lets exactly that pass (page 1 §1.6).

Above the contract, beside the door. An agreement travels with the caller it was made
for, through the calls of one call or run and no further. It turns `ask` into `allow`
for the agreed calls with the agreed arguments, and touches no other verdict.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import override

from .contract import Agreed, Arguments, Caller, Decision, Policy, Tool, Verdict
from .json_text import encode_json
from .json_values import to_json_value


def agreed_call(tool: str, arguments: Arguments | None) -> Agreed:
    """Return what a person agrees to; without arguments: any that results bring.

    Arguments are told apart by their JSON form; the order of keys does not matter.
    """
    if arguments is None:
        return Agreed(tool=tool, arguments=None)
    form = _sorted(to_json_value(arguments))
    return Agreed(tool=tool, arguments=encode_json(form))


def _sorted(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(one) for one in value]
    return value


def is_agreed(caller: Caller, tool: str, arguments: Arguments | None) -> bool:
    """Whether a person agreed to this call for this caller."""
    if not caller.agreed:
        return False
    return (
        Agreed(tool=tool, arguments=None) in caller.agreed
        or agreed_call(tool, arguments) in caller.agreed
    )


class AgreementPolicy(Policy):
    """A policy that does not ask a second time for what was agreed to."""

    def __init__(self, inner: Policy) -> None:
        """Take the policy that decides."""
        self._inner = inner

    @override
    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge as the inner policy; `ask` is `allow` where a person agreed."""
        decision = self._inner.can_use(caller, tool, arguments)
        if decision.verdict is not Verdict.ASK:
            return decision
        asked = arguments if decision.arguments is None else decision.arguments
        if not is_agreed(caller, tool.definition.name, asked):
            return decision
        return replace(decision, verdict=Verdict.ALLOW)

    @override
    def sees_everything(self, caller: Caller) -> bool:
        """Tell what the inner policy says."""
        return self._inner.sees_everything(caller)

"""The policy of a home without access rules.

Imports the kernel only; users are behind a port.
"""

from dataclasses import dataclass
from typing import Protocol

from ..kernel.contract import Arguments, Caller, Decision, Entrance, Tool, Verdict


class UserDirectory(Protocol):
    """What the policy needs to know about Home Assistant's users."""

    def is_administrator(self, user_id: str) -> bool:
        """Whether an active administrator has this id; unknown users are none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AdministratorsAndAutomations:
    """Allow administrators who act directly, and automations; refuse everyone else."""

    users: UserDirectory

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the caller alone; every tool and argument is alike."""
        if caller.entrance is Entrance.AUTOMATION or self.sees_everything(caller):
            return Decision(verdict=Verdict.ALLOW)
        return Decision(
            verdict=Verdict.REFUSE,
            detail=(
                f"{tool.definition.name} is allowed to administrators who act directly "
                "and to automations"
            ),
        )

    def sees_everything(self, caller: Caller) -> bool:
        """Whether an administrator acts directly."""
        return (
            caller.entrance is Entrance.DIRECT
            and caller.user_id is not None
            and self.users.is_administrator(caller.user_id)
        )

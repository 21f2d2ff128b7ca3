"""The tools that the documents' examples name."""

from dataclasses import dataclass
from typing import Final

from custom_components.homeagent.tools.host_definitions import HOST_RUN

from ..sequence.declared_actions import ACTIONS, Action

HOST_TOOLS: Final = {"host_report"}
PHONES: Final = {"notify.phone", "notify.mobile_app_phone"}
WAIT: Final = Action(
    parallel_safe=True,
    output="",
    parameters={"type": "object", "properties": {"seconds": {"type": "number"}}},
)
RUN: Final = Action(parallel_safe=True, output="", parameters=HOST_RUN.parameters)


@dataclass(frozen=True)
class DocumentedTools:
    """The actions of Home Assistant, phones, and `wait`."""

    def find(self, name: str) -> Action | None:
        """Return the action of that name, or none."""
        if name in PHONES:
            return Action(parallel_safe=True, output=name)
        if name == "host_run":
            return RUN
        if name in HOST_TOOLS or name == "get_state":
            return Action(parallel_safe=True, output="")
        return WAIT if name == "wait" else ACTIONS.find(name)

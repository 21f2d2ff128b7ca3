"""The gates before calls that arrive one by one (page 1 §1.4).

One for each list of tools that an agent was given, and one for each user of MCP, whose
every request is given a new list.
"""

from typing import Final
from weakref import WeakValueDictionary

from ..kernel.contract import Caller
from ..kernel.door import Door
from ..kernel.one_by_one import OneByOne, OpenBatch

MCP_LIMIT: Final = 50.0
"""Seconds that waiting and call may take together: Home Assistant ends a request of an
MCP client after 60."""


class Gates:
    """Makes gates, and finds that of an MCP user again."""

    def __init__(
        self, *, door: Door, open_batch: OpenBatch, mcp_limit: float = MCP_LIMIT
    ) -> None:
        """Take the door and the way to it."""
        self._door = door
        self._open_batch = open_batch
        self._mcp_limit = mcp_limit
        # A gate that nobody holds has nobody in line.
        self._of_users: WeakValueDictionary[str | None, OneByOne] = (
            WeakValueDictionary()
        )

    def gate_for(self, caller: Caller, *, mcp: bool) -> OneByOne:
        """Return the gate for the calls of one list of tools."""
        if not mcp:
            return OneByOne(door=self._door, open_batch=self._open_batch)
        gate = self._of_users.get(caller.user_id)
        if gate is None:
            gate = OneByOne(
                door=self._door, open_batch=self._open_batch, limit=self._mcp_limit
            )
            self._of_users[caller.user_id] = gate
        return gate

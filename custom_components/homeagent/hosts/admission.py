"""Hosts, at the bottom: how many strangers may knock at the same time (page 4 §4.1).

Also how long one with a wrong key must wait for its answer. Imports nothing.
"""

from collections import Counter, OrderedDict
from typing import Final

MOST_UNBOUND: Final = 16
MOST_OF_ONE_ADDRESS: Final = 4

_FIRST_DELAY: Final = 0.5
_LONGEST_DELAY: Final = 8.0
_REMEMBERED: Final = 256


class WaitingRoom:
    """The connections that have not said yet who they are."""

    def __init__(self) -> None:
        """Start empty."""
        self._inside: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Let one more of this address in, if there is room."""
        if (
            self._inside.total() >= MOST_UNBOUND
            or self._inside[address] >= MOST_OF_ONE_ADDRESS
        ):
            return False
        self._inside[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Give the place free again."""
        self._inside[address] -= 1
        if self._inside[address] <= 0:
            del self._inside[address]


class WrongKeys:
    """Slows down whoever comes with a host's id and not its key.

    Whoever has the key is never slowed down: an id is no secret, and must not be enough
    to keep a host out.
    """

    def __init__(self) -> None:
        """Start without any."""
        self._tries: OrderedDict[str, int] = OrderedDict()

    def delay(self, host_id: str) -> float:
        """Count a try; return the seconds that its answer must wait."""
        tries = self._tries.pop(host_id, 0)
        self._tries[host_id] = tries + 1
        if len(self._tries) > _REMEMBERED:
            self._tries.popitem(last=False)
        return min(_FIRST_DELAY * 2.0 ** min(tries, 10), _LONGEST_DELAY)

    def right(self, host_id: str) -> None:
        """Forget the tries: somebody came with the key."""
        self._tries.pop(host_id, None)

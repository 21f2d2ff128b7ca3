"""What the agent needs of the rest of HomeAgent, as small ports.

Beside `server`; imports the kernel only. `conversation.py` fills them from the runtime.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from ..kernel.answering import Answer
from ..kernel.batch import BatchResult
from ..kernel.contract import Caller, ToolCall
from ..kernel.errors import ToolError
from ..kernel.requests import Request

type RunBatch = Callable[[Caller, Sequence[ToolCall]], Awaitable[BatchResult]]
"""The way to the kernel's door: the calls of one reply as one batch."""


type Pending = Callable[[], Sequence[Request]]
"""Returns all calls that wait for a person's yes (page 1 §1.6)."""


class Heard(Protocol):
    """Takes a person's next words for a request."""

    async def __call__(
        self, request_id: str, *, yes: bool, by: Caller
    ) -> Answer | ToolError:
        """Release or decline it."""
        ...

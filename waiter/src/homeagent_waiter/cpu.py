"""How long a command may compute: a limit that holds when nobody waits for it anymore.

The time limit ends a command and its group. What left the group, or ignores what it is
told, would go on for ever; the kernel ends it (design page 4, §4.3).
"""

from __future__ import annotations

import math
import resource


def limit_cpu(pid: int, seconds: float) -> None:
    """Give a process, and all that it starts from now on, a limit of CPU time each.

    It is a little longer than ``seconds``, so that the time limit comes first. Our own
    limit cannot be lowered for the moment of the start, as that of memory is: our own
    time counts from when we began.
    """
    most = math.ceil(seconds) + 1
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard - 1)
        resource.prlimit(pid, resource.RLIMIT_CPU, (most, most + 1))
    except (ProcessLookupError, PermissionError):
        # It has ended already, or runs as somebody else, as ping may: killing its group
        # at the time limit is all that there is.
        return

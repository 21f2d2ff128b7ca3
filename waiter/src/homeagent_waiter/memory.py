"""How much memory a command may take: limits that a started process is born with.

Regular expressions and formats can ask for all there is (design page 4, §4.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import resource

# Bytes that a process may write to, and bytes of addresses. The second is the only one
# that old kernels count; it is wider, for programs that map large files or, as those
# in Go do, reserve addresses that they never use.
MOST_DATA = 1024**3
MOST_ADDRESSES = 4 * 1024**3


@contextmanager
def limited(data: int = MOST_DATA, addresses: int = MOST_ADDRESSES) -> Iterator[None]:
    """Give processes that are started meanwhile limits of memory, in bytes.

    They are inherited: our own are lowered for the moment of the start, so that no
    code of ours must run in the child, and none runs without a limit.
    """
    before = {kind: resource.getrlimit(kind) for kind in _KINDS}
    try:
        for kind, most in zip(_KINDS, (data, addresses), strict=True):
            soft, hard = before[kind]
            lower = most if soft == resource.RLIM_INFINITY else min(soft, most)
            resource.setrlimit(kind, (lower, hard))
        yield
    finally:
        for kind, limits in before.items():
            resource.setrlimit(kind, limits)


_KINDS = (resource.RLIMIT_DATA, resource.RLIMIT_AS)

"""The event loop whose clock jumps, which dry runs of sequences have too."""

from seqtool.virtual_time import (
    LoopClock,
    NothingLeftToWaitForError,
    VirtualTimeLoop,
    run_virtual,
)

__all__ = ["LoopClock", "NothingLeftToWaitForError", "VirtualTimeLoop", "run_virtual"]

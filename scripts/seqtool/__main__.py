"""`python -m seqtool`: the command, as a process of its own."""

import os
import signal
import sys

from .bare_core import use_bare_parents


def run() -> int:
    """Run the command; quiet about a reader that left and about Ctrl-C."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    use_bare_parents()
    try:
        from .command import main  # needs the parents in their places

        return main()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:  # what is read is told by the command itself
        print(f"seq: the answer cannot be written: {error.strerror}", file=sys.stderr)
        # What is still in the buffer must not fail again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2


sys.exit(run())

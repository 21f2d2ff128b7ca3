"""`python -m seqtool`: the command, as a process of its own."""

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


sys.exit(run())

"""Gate: programs that run what their words say; no list can allow them."""

from __future__ import annotations

NEVER = frozenset(
    """
    sh bash dash ash zsh ksh mksh fish csh tcsh busybox toybox coreutils
    python python2 python3 pypy3 perl ruby node nodejs deno bun php lua luajit tclsh
    expect awk gawk mawk nawk env xargs sudo su doas runuser pkexec sg newgrp timeout
    nohup nice ionice setsid stdbuf time watch chroot unshare nsenter setpriv script
    parallel exec eval command builtin source chrt taskset flock strace ltrace gdb ssh
    scp sftp rsync socat nc ncat netcat telnet screen tmux vi vim nano emacs ed less more
    man tee dd systemd-run systemd-nspawn crontab at batch make start-stop-daemon
    """.split()
)
# These may stand in the list of commands, where they have no grammar: refused all the
# same. In no other way can they be named.
WITHOUT_GRAMMAR = frozenset("awk gawk mawk nawk".split())

"""Gate: programs that run what their words say; no list can allow them.

Pure. They are known by name, in all versions and variants of it: ``python3.11``,
``vim.tiny``, ``bash-static``.
"""

from __future__ import annotations

import re

NEVER = frozenset(
    """
    sh bash rbash dash ash zsh rzsh ksh rksh mksh pdksh lksh oksh yash fish csh tcsh rc
    es elvish xonsh nu nushell pwsh powershell posh busybox toybox coreutils sash
    python pypy micropython ipython jython pdb pydoc idle pip pipx uv uvx perl perldoc
    ruby irb erb jruby node nodejs deno bun npm npx ts-node php phpdbg php-cgi lua luajit
    texlua tclsh wish expect guile racket scheme gforth r rscript julia octave erl elixir
    iex escript ghci runghc java jshell groovy scala kotlin gjs qjs clisp sbcl ocaml
    swipl awk gawk mawk nawk original-awk goawk bwk
    env printenv xargs parallel sudo sudoedit sudoreplay visudo su doas runuser pkexec sg
    newgrp gosu su-exec setuidgid chpst s6-setuidgid fakeroot fakechroot proot chroot
    schroot unshare nsenter setpriv capsh runcon prlimit choom setarch linux32 linux64
    uname26 i386 x86_64 timeout nohup nice ionice setsid stdbuf unbuffer time watch
    cpulimit chrt taskset numactl flock setlock script scriptreplay scriptlive
    exec eval command builtin source pee ts chronic ifne combine zrun vidir
    vipe zargs catchsegv strace ltrace gdb gdbserver gdbtui lldb valgrind perf bpftrace
    ssh slogin scp sftp sshpass autossh mosh rsync rsh rlogin rexec socat nc ncat netcat
    telnet ftp lftp tftp screen tmux byobu dtach abduco zellij tini dumb-init catatonit
    vi vim view ex rvi rvim rview vimdiff gvim nvim elvis vile nvi nano rnano pico micro
    emacs emacsclient mg jed joe jmacs jstar jpico rjoe ne ed red ex editor
    sensible-editor select-editor vipw vigr pager sensible-pager less lesspipe lessfile
    lesskey more most man mc mcedit mcview ranger nnn vifm
    tee dd systemd-run systemd-nspawn systemd-cat systemd-inhibit systemd-socket-activate
    machinectl dbus-run-session dbus-launch dbus-send busctl gdbus dbus-test-tool
    crontab at batch anacron run-parts start-stop-daemon daemonize daemon inotifywait
    entr make gmake bmake pmake remake ninja cmake gcc cc tcc
    """.split()
)
# These may stand in the list of commands, where they have no grammar: refused all the
# same. In no other way can they be named.
WITHOUT_GRAMMAR = frozenset("awk gawk mawk nawk".split())

# Programs that are many: the name that they are called by says which.
MANY_IN_ONE = frozenset("busybox toybox coreutils".split())
# They run the program that their first word names.
_LOADERS = ("ld-linux", "ld-musl", "ld64", "ld.so")
_TARGET = re.compile(r"^[a-z0-9_]+-(?:[a-z0-9]+-)?linux-(?:gnu|musl|android)[a-z0-9]*-")
_VARIANT = re.compile(
    r"(?:\..*|[-_](?:static|dynamic|tiny|basic|small|huge|full|minimal|nox|gtk|x11|real"
    r"|orig|distrib|bin|dbg|debug|openbsd|traditional|wrapped|cli|nogil|ng|posix|suid"
    r"|classic|sysv|tcp)(?:[-_.].*)?|[-_.]?v?\d.*)"
)


def runs_words(name: str) -> bool:
    """Return whether a program of this name, in any version, runs what it is told."""
    plain = _TARGET.sub("", name.casefold(), count=1)
    return plain.startswith(_LOADERS) or any(
        plain[:end] in NEVER and (end == len(plain) or _VARIANT.fullmatch(plain, end))
        for end in range(1, len(plain) + 1)
    )


def resolves_to_one(file: str) -> bool:
    """Return whether the real file of a program is one that runs what it is told.

    Of a file that is many programs the name tells, and that is judged by itself.
    """
    name = file.rpartition("/")[2]
    plain = re.split(r"[-._]", name.casefold(), maxsplit=1)[0]
    return plain not in MANY_IN_ONE and runs_words(name)

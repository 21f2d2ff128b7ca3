"""Gate, accept-lists: which grammar a command has, by implementation. Data only.

A command without an entry has no grammar. ``marker`` is a text that the program of the
usual implementation contains; ``None`` where there is none to tell it by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..grammar import Grammar
from ..programs import Family
from . import files, find, network, processes, ps, storage, system, texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The grammars of one command."""

    package: str
    marker: bytes | None
    usual: Grammar
    busybox: Grammar | None = None

    def of(self, family: Family) -> Grammar | None:
        """Return the grammar of an implementation, or ``None``."""
        if family is Family.USUAL:
            return self.usual
        return self.busybox if family is Family.BUSYBOX else None


def _entries(
    package: str, marker: bytes | None, **both: tuple[Grammar, Grammar | None]
) -> dict[str, Entry]:
    return {
        name: Entry(package=package, marker=marker, usual=usual, busybox=busybox)
        for name, (usual, busybox) in both.items()
    }


GRAMMARS: Mapping[str, Entry] = {
    **_entries(
        "coreutils",
        b"GNU coreutils",
        ls=(files.LS, files.LS_BUSYBOX),
        pwd=(files.PWD, files.NO_WORDS),
        cat=(files.CAT, files.CAT_BUSYBOX),
        head=(files.HEAD, files.HEAD_BUSYBOX),
        tail=(files.TAIL, files.TAIL_BUSYBOX),
        wc=(files.WC, files.WC_BUSYBOX),
        stat=(files.STAT, files.STAT_BUSYBOX),
        df=(files.DF, files.DF_BUSYBOX),
        du=(files.DU, files.DU_BUSYBOX),
        uname=(files.UNAME, files.UNAME_BUSYBOX),
        whoami=(files.WHOAMI, files.NO_WORDS),
        id=(files.ID, files.ID_BUSYBOX),
        date=(files.DATE, files.DATE_BUSYBOX),
        sort=(texts.SORT, texts.SORT_BUSYBOX),
        uniq=(texts.UNIQ, texts.UNIQ_BUSYBOX),
        cut=(texts.CUT, texts.CUT_BUSYBOX),
        tr=(texts.TR, texts.TR_BUSYBOX),
        nl=(texts.NL, texts.NL_BUSYBOX),
        tac=(texts.TAC, texts.TAC_BUSYBOX),
        echo=(texts.ECHO, texts.ECHO),
        who=(processes.WHO, processes.WHO_BUSYBOX),
    ),
    **_entries("findutils", b"findutils", find=(find.FIND, find.FIND_BUSYBOX)),
    **_entries("GNU grep", b"GNU grep", grep=(texts.GREP, texts.GREP_BUSYBOX)),
    **_entries("GNU sed", b"GNU sed", sed=(texts.SED, texts.SED_BUSYBOX)),
    **_entries(
        "procps-ng",
        b"procps-ng",
        ps=(ps.PS, ps.PS_BUSYBOX),
        free=(processes.FREE, processes.FREE_BUSYBOX),
        uptime=(processes.UPTIME, files.NO_WORDS),
        top=(processes.TOP, processes.TOP_BUSYBOX),
        vmstat=(processes.VMSTAT, None),
    ),
    **_entries(
        "util-linux",
        b"util-linux",
        lsblk=(system.LSBLK, None),
        mount=(system.MOUNT, system.MOUNT_BUSYBOX),
        dmesg=(system.DMESG, system.DMESG_BUSYBOX),
        last=(processes.LAST, None),
    ),
    **_entries(
        "iproute2",
        b"iproute2",
        ip=(network.IP, network.IP_BUSYBOX),
        ss=(network.SS, None),
    ),
    **_entries(
        "net-tools", b"net-tools", netstat=(network.NETSTAT, network.NETSTAT_BUSYBOX)
    ),
    **_entries("hostname", None, hostname=(files.HOSTNAME, files.HOSTNAME_BUSYBOX)),
    **_entries("file", None, file=(files.FILE, None)),
    **_entries("iputils", b"iputils", ping=(network.PING, network.PING_BUSYBOX)),
    **_entries("BIND", None, dig=(network.DIG, None)),
    **_entries("sysstat", b"sysstat", iostat=(processes.IOSTAT, None)),
    **_entries("lsof", b"lsof", lsof=(processes.LSOF, None)),
    **_entries(
        "systemd",
        b"systemd",
        journalctl=(system.JOURNALCTL, None),
        systemctl=(system.SYSTEMCTL, None),
    ),
    **_entries("smartmontools", b"smartmontools", smartctl=(storage.SMARTCTL, None)),
    **_entries("mdadm", None, mdadm=(storage.MDADM, None)),
    **_entries("OpenZFS", None, zpool=(storage.ZPOOL, None), zfs=(storage.ZFS, None)),
    **_entries("Docker", b"docker/cli", docker=(storage.DOCKER, None)),
}
MARKERS = frozenset(
    entry.marker for entry in GRAMMARS.values() if entry.marker is not None
)
# What may run where no list is given (design page 4, §4.2).
BUILT_IN = frozenset(
    """
    ls pwd cat head tail wc stat file df du free uptime uname hostname whoami id date ps
    find grep sort uniq cut tr sed nl ip ss lsblk mount dmesg echo
    """.split()
)

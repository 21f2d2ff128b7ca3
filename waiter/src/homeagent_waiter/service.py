"""The systemd unit of the waiter, as a text. Writes nothing."""

from __future__ import annotations

from pathlib import Path

USER = "homeagent-waiter"
UNIT = Path("/etc/systemd/system/homeagent-waiter.service")

_UNIT = """\
# Written by 'waiter install'; changes belong into
# 'systemctl edit homeagent-waiter', which outlives the next one.
[Unit]
Description=HomeAgent waiter: shows this host to Home Assistant
Documentation=https://github.com/homeagent/homeagent
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
ExecStart={program} run{config}
ExecReload=/bin/kill -HUP $MAINPID
User={user}
StateDirectory=homeagent-waiter
StateDirectoryMode=0700
Restart=always
RestartSec=5
WatchdogSec=60
TimeoutStopSec=20
KillMode=mixed
TasksMax=512
UMask=0077
# Hardening: it reads the host and changes nothing.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
RestrictNamespaces=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


def unit(program: Path, config: Path | None, user: str = USER) -> str:
    """Return the unit that runs a program as a user.

    Raises ``ValueError`` for paths that a unit cannot name plainly.
    """
    for path in (program, config):
        plain = str(path or "").replace("/", "").replace(".", "")
        if not all(char.isalnum() or char in "-_+@" for char in plain):
            raise ValueError(f"{path} has characters that a unit cannot name plainly")
    given = f" --config {config}" if config is not None else ""
    return _UNIT.format(program=program, config=given, user=user)

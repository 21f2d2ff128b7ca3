"""The tools of hosts as models see them: names, texts, schemas (page 4 §4.4).

Data only; `host_tools` has the work. Imports the kernel's contract.
"""

from typing import Final

from ..kernel.contract import COMMAND_LINE_FORMAT, ToolDefinition

LONGEST_TIMEOUT: Final = 300
"""Seconds that a host may be configured to allow at most."""

REPORTS: Final = (
    "disks",
    "smart",
    "raid",
    "processes",
    "services",
    "errors",
    "containers",
)

_HOST: Final = {
    "type": "string",
    "description": "The name of the host, or the id of its device.",
}

HOST_RUN: Final = ToolDefinition(
    name="host_run",
    title="Run command on host",
    description=(
        "Run one command line on a NAS or Linux host, such as df -h or ps aux | head. "
        "The host's owner decides what is allowed: programs that only read, pipes "
        "between them, 2>/dev/null and 2>&1. No variables, no other redirections, no "
        "; or &&. host_info tells which programs. An exit code other than 0 is a result."
    ),
    parameters={
        "type": "object",
        "properties": {
            "host": _HOST,
            "command": {
                "type": "string",
                "format": COMMAND_LINE_FORMAT,
                "description": "The command line.",
            },
            "timeout": {
                "type": "number",
                "minimum": 1,
                "maximum": LONGEST_TIMEOUT,
                "description": "Seconds; the host has a limit of its own, 15 by default.",
            },
        },
        "required": ["host", "command"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
    # The host ends a command in time; the door need not.
    timeout=LONGEST_TIMEOUT + 120.0,
)

HOST_REPORT: Final = ToolDefinition(
    name="host_report",
    title="Report of host",
    description=(
        "Report on a host without any command: disks (space), smart (health of disks, "
        "sleeping ones are left alone), raid (RAID and ZFS), processes (the busiest), "
        "services (failed ones), errors (recent ones), containers."
    ),
    parameters={
        "type": "object",
        "properties": {
            "host": _HOST,
            "kind": {"type": "string", "enum": list(REPORTS)},
        },
        "required": ["host", "kind"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
    timeout=180.0,
)

HOST_LIST: Final = ToolDefinition(
    name="host_list",
    title="List hosts",
    description="List the NAS and Linux hosts that may be used, and which are connected.",
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
    parallel_safe=True,
    read_only=True,
)

HOST_INFO: Final = ToolDefinition(
    name="host_info",
    title="About a host",
    description=(
        "Tell what a host is, what was measured last, and which commands it allows."
    ),
    parameters={
        "type": "object",
        "properties": {"host": _HOST},
        "required": ["host"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)

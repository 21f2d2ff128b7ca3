"""Names that the Home Assistant side shares. The core packages never import this."""

from typing import Final

DOMAIN: Final = "homeagent"

CONF_KIND: Final = "kind"
KIND_KERNEL: Final = "kernel"
KIND_SEQUENCE: Final = "sequence"

KERNEL_UNIQUE_ID: Final = "kernel"
"""Unique id of the one HomeAgent entry."""

CONF_SEQUENCE: Final = "sequence"
"""Key of a sequence entry's options that holds the stored AST."""

EVENT_TOOL_CALL: Final = "homeagent_tool_call"

CONF_PARALLEL_SAFE: Final = "parallel_safe"
CONF_NOT_PARALLEL_SAFE: Final = "not_parallel_safe"
"""Actions that the user declares to be, or not to be, parallel safe."""

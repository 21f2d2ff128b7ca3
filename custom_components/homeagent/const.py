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

CONF_ASK_FIRST: Final = "ask_first"
"""Option of the HomeAgent entry: the tools that a person must agree to first."""

EVENT_REQUEST: Final = f"{DOMAIN}_request"
EVENT_REQUEST_ENDED: Final = f"{DOMAIN}_request_ended"
"""Fired when a call waits for a person's yes, and when it does no more."""

CONF_SENTENCES: Final = "sentences"
"""Key of a sequence entry's options: a list of texts by which people start it.

They stand beside the AST and are no part of the text form; absent or empty for none.
Checked by `sequence.sentence_checks.check_sentences`.
"""

CONF_SLUG: Final = "slug"
"""Key of a sequence entry's data: the end of its action's name, `homeagent.run_<slug>`.

Chosen once, when the sequence is first loaded, and kept when it is renamed.
"""

CONF_DRAFT: Final = "draft"
"""Key of a sequence entry's options: a sequence in the making, as `editing.work` keeps it.

An entry that has no AST beside it is a draft: only the editor sees it. Beside an AST it
holds changes that were not saved yet.
"""

CONF_TOOLS_OFF: Final = "tools_off"
CONF_TOOLS_ADDED: Final = "tools_added"
"""Tools of the default set that models are not offered, and others that they are."""

CONF_PROMPT: Final = "prompt"
"""The user's own part of what models are told."""

CONF_RUNS_KEPT: Final = "runs_kept"
CONF_BATCHES_KEPT: Final = "batches_kept"
"""How many runs of each sequence, and how many batches, the history keeps."""

EVENT_RUN_STARTED: Final = f"{DOMAIN}_run_started"
"""Fired when a run of a sequence begins, in its caller's context: whose doing it is."""

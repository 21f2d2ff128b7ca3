"""The seven sequence tools as models see them: names, texts, schemas (page 2 §2.6).

Data only; `sequences` has the work. Imports the kernel's contract.
"""

from typing import Final

from ..kernel.contract import ToolDefinition

_NAME: Final = {"type": "string", "description": "The name of the sequence."}
_INPUTS: Final = {
    "type": "object",
    "description": "The inputs that the groups declare, by key.",
}
_TARGET: Final = {
    "type": "string",
    "description": (
        "#name for a whole sequence, #name/group for one group of it; inside a sequence "
        "also the name of a group of the same sequence."
    ),
}

SEQ_CREATE: Final = ToolDefinition(
    name="seq_create",
    title="Create sequence",
    description=(
        "Check a sequence completely and store it under its name. Give groups, or the "
        "name of a file. All problems are told at once, and nothing is stored while "
        "there is one. Call seq_help first: it has the language on one page."
    ),
    parameters={
        "type": "object",
        "properties": {
            "name": _NAME,
            "description": {
                "type": "string",
                "description": "What the sequence is for, in one sentence.",
            },
            "groups": {
                "type": ["array", "string"],
                "description": (
                    "The groups in the order in which they run. Each is an object with "
                    "name, in, out, when, parallel, timeout, on_error, retries, missing "
                    "and tools, a text of {…} objects, each followed by a ;"
                ),
            },
            "file": {
                "type": "string",
                "description": (
                    "A JSON file in the folder homeagent/sequences of the configuration "
                    "folder, instead of groups."
                ),
            },
            "replace": {
                "type": "boolean",
                "description": "Replace the sequence of that name.",
            },
            "append": {
                "type": "boolean",
                "description": "Add the groups to the sequence of that name.",
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    },
    cut_off_hint=(
        "Create the sequence with its first groups, then add the others by further "
        "calls with append: true; or put it into a file and give file."
    ),
)

SEQ_LIST: Final = ToolDefinition(
    name="seq_list",
    title="List sequences",
    description=(
        "List the sequences that may be run, with their groups, inputs and outputs."
    ),
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
    parallel_safe=True,
    read_only=True,
)

SEQ_DELETE: Final = ToolDefinition(
    name="seq_delete",
    title="Delete sequence",
    description=(
        "Delete a sequence. One that other sequences call is deleted with force only."
    ),
    parameters={
        "type": "object",
        "properties": {
            "name": _NAME,
            "force": {
                "type": "boolean",
                "description": "Delete it even if other sequences call it.",
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    },
)

SEQ_RUN: Final = ToolDefinition(
    name="seq_run",
    title="Run sequence",
    description=(
        "Run a sequence and report what every group and every tool did. With run_id "
        "instead of name: ask for the state or the result of a run."
    ),
    parameters={
        "type": "object",
        "properties": {
            "name": {
                "type": "string",
                "description": (
                    "The name of the sequence, or #name/group for one of its groups."
                ),
            },
            "args": _INPUTS,
            "wait": {
                "type": "boolean",
                "description": "false: answer with the run's id at once. Default true.",
            },
            "run_id": {"type": "string", "description": "The id of a run."},
            "cancel": {
                "type": "boolean",
                "description": "Together with run_id: cancel that run.",
            },
        },
        "additionalProperties": False,
    },
    parallel_safe=True,
    untimed=True,
)

SEQ_CALL: Final = ToolDefinition(
    name="seq_call",
    title="Call sequence or group",
    description="Run a sequence or one of its groups by name; the result is its out.",
    parameters={
        "type": "object",
        "properties": {"target": _TARGET, "args": _INPUTS},
        "required": ["target"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    untimed=True,
)

SEQ_WHEN_CALL: Final = ToolDefinition(
    name="seq_when_call",
    title="Call sequence or group on a condition",
    description=(
        "Like seq_call, but only if the condition in when is true; otherwise the call "
        "is skipped."
    ),
    parameters={
        "type": "object",
        "properties": {
            "target": _TARGET,
            "args": _INPUTS,
            "when": {
                "type": "string",
                "description": "A condition over args, such as $args.count > 3.",
            },
        },
        "required": ["target", "when"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    untimed=True,
)

SEQ_HELP: Final = ToolDefinition(
    name="seq_help",
    title="Help on sequences",
    description="Explain the language of sequences on one page, with an example.",
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
    parallel_safe=True,
    read_only=True,
)

"""The catalogue's words for what can be read and is not right.

Lowest layer of the language; `words` puts the catalogue together.
"""

from collections.abc import Mapping
from typing import Final

from .word_forms import ENTRY, Words, words

FIELDS: Final[Mapping[str, Words]] = {
    "wrong_type": words(
        "{key} is {found}; it must be {expected}",
        "Write {nearest}.",
        "Write {expected}.",
    ),
    "reference_misplaced": words(
        "{key} is a reference; it must be {expected}",
        "References may stand in the args of a tool and in conditions only.",
        "References may stand in the args of a tool and in conditions only.",
    ),
    "reference_in_value": words(
        "a reference stands here; the value must be plain JSON",
        "References may stand in the args of a tool and in conditions only.",
    ),
    "unknown_key": words(
        "{found} is no key of this object; legal are: {legal}",
        "Did you mean {nearest}?",
        "Remove it.",
    ),
    "misplaced_key": words(
        "{found} is no key of this object; legal are: {legal}",
        "{nearest} is a key of {owner}: move it there.",
    ),
    "missing_key": words("the key {key} is missing", "Add {key}."),
    "not_a_choice": words(
        "{key} is {found}; legal are: {legal}",
        'Did you mean "{nearest}"?',
        "Write one of: {legal}.",
    ),
    "more_errors": words("{count} more errors", "Mend those before, then look again."),
    "more_warnings": words(
        "{count} more warnings", "Mend those before, then look again."
    ),
    "name_differs": words(
        "the text names the sequence {found}, and it is to be named {wanted}",
        "Remove the name from the text, or write the same name in both places.",
    ),
    "bad_name": words(
        "the name {found} {why}; a name has 1 to 64 characters of any script, no "
        "invisible ones, none of / \\ \" ' * ? [ ] and no .., and does not start with "
        ". or #",
        "Choose another name.",
    ),
    "bad_key": words(
        "{found} is no legal key; a key has letters of any script, digits, _ and -, "
        "and does not start with a digit or -",
        "Choose another key.",
    ),
    "bad_type": words(
        "{found} is no type; legal are: {legal}",
        'Write "{nearest}".',
        "Write one of: {legal}.",
    ),
    "value_does_not_fit": words(
        "{found} is not of the type {type}",
        "Give a value of the declared type, or change the type; an input without a "
        'value by default has "required": false.',
    ),
    "default_no_choice": words(
        "the default {found} is none of the choices: {legal}",
        "Take one of the choices, or add it to them.",
    ),
    "required_with_default": words(
        "an input with a default is optional, so required says nothing here",
        "Remove required, or the default.",
    ),
    "bad_duration": words(
        'timeout is {found}; legal are times above zero like "500ms", "30s", "2m", '
        '"1m30s", "1h", up to {hours} hours',
        'Write "{nearest}".',
        'Write a number with its unit, such as "30s".',
    ),
    "bad_retries": words(
        "retries is {found}; legal are whole numbers from 0 to {limit}",
        'Write a number like 3, together with "on_error": "retry".',
    ),
    "retry_without_retries": words(
        "on_error is retry, but retries does not say how often",
        'Add "retries": 1 to 10.',
    ),
    "retries_without_retry": words(
        "retries has an effect only with on_error: retry",
        'Add "on_error": "retry", or remove retries.',
    ),
    "no_groups": words(
        "groups is empty; at least one group must be there", "Add a group."
    ),
    "no_tools": words(
        "tools is empty; at least one tool must be there",
        f"Add at least one tool: {ENTRY}",
    ),
    "too_many_groups": words(
        "{found} groups; at most {limit} are legal",
        "Put some into a sequence of their own and call it with seq_call.",
    ),
    "too_many_tools": words(
        "{found} tools in one group; at most {limit} are legal",
        "Split the group.",
    ),
    "bad_tool_name": words(
        "{found} cannot be the name of a tool",
        "A tool's name has no spaces, quotes or brackets, and is never substituted.",
    ),
    "select_empty": words(
        "select is empty", "Write a path into the result, such as stdout."
    ),
    "select_step": words(
        'found {found}; a path is a key and then steps: .key, [0], [-1], ["any key"]',
        'Write a path such as stdout or ["weather.home"].forecast[0].temperature.',
    ),
}

CHECKS: Final[Mapping[str, Words]] = {
    "group_name_twice": words(
        "the name {found} is that of {first} already", "Rename one of the groups."
    ),
    "as_undeclared": words(
        "as names the slot {found}, which out does not declare; out has: {legal}",
        'Did you mean "{nearest}"?',
        'Add it to out, such as {found}: "any".',
    ),
    "slot_written_twice": words(
        "the slot {slot} of the type {type} is written by {first} already; only an "
        "array slot may be written more than once",
        "Declare the slot as array, or use two slots.",
    ),
    "fallback_missing": words(
        "missing is degrade, but {tool} has no fallback to write into its slot",
        'Add "fallback" with the value to use when the tool does not exist.',
    ),
    "fallback_does_not_fit": words(
        "the fallback {found} does not fit the slot {slot} of the type {type}",
        "Give a fallback of that type, or declare the slot as any.",
    ),
    "fallback_unused": words(
        "the fallback has no effect: it needs missing: degrade, and as",
        "Remove it, or add what it needs.",
    ),
    "select_unused": words("select has no effect without as", "Remove it, or add as."),
    "arg_undeclared": words(
        "{written} reads the input {key}, which in does not declare; in has: {legal}",
        "Did you mean {nearest}?",
        'Add it to in, such as {key}: "any".',
    ),
    "out_undeclared": words(
        "{written} reads the slot {key}, which out does not declare; out has: {legal}",
        "Did you mean {nearest}?",
        "Add it to out, and write it with as in an earlier tool.",
    ),
    "out_in_parallel": words(
        "{written} reads a slot of a parallel group, whose tools do not see each other",
        'Add "parallel": false to the group.',
        'Add "parallel": false to the group.',
    ),
    "out_not_written": words(
        "{written} reads the slot {key}, which no earlier tool of the group writes",
        'Add "as": {key} to an earlier tool.',
        'Add "as": {key} to an earlier tool.',
    ),
    "when_reads_out": words(
        "{written}: the when of a group reads $args only",
        "Take the value as an input, or use seq_when_call inside of the group.",
        "Take the value as an input, or use seq_when_call inside of the group.",
    ),
    "no_such_step": words(
        "{written} leads nowhere: {before} is of the type {type}, which has no {step}",
        "End the reference at {before}, or correct the declared type.",
    ),
    "no_such_key": words(
        "{written} leads nowhere: {before} has no {step}; it has: {legal}",
        "Correct the key.",
    ),
    "select_leads_nowhere": words(
        "select leads nowhere: the result has no {step}; it has: {legal}",
        "Correct the path.",
    ),
    "input_unused": words(
        "the input {key} is never used", "Use it as {written}, or remove it."
    ),
    "output_unwritten": words(
        "the output {key} is written by no tool", "Write it with as, or remove it."
    ),
    "forbidden": words(
        "{found} is forbidden in a sequence: {why}",
        "Use {nearest}.",
        "Do it outside of sequences.",
    ),
    "not_parallel_safe": words(
        "{tool} is not parallel safe, so the group cannot be parallel",
        'Add "parallel": false to the group and "unsafe_serial": true to the tool.',
    ),
    "not_marked_unsafe": words(
        "{tool} is not parallel safe; in a group of several tools its entry must say "
        '"unsafe_serial": true',
        "Write {nearest}",
    ),
    "needless_unsafe": words("unsafe_serial is not needed here", "Remove it."),
    "unknown_tool": words(
        "there is no tool {found} now",
        "Find tools with tool_search; it is looked up again at every run.",
    ),
    "argument_does_not_fit": words(
        "the arguments of {tool} do not fit: {field} {why}", "{right}"
    ),
    "reference_in_quotes": words(
        "{written} stands inside of quotes, or of something else that is no plain word, "
        "in the command line of {tool}",
        "Leave out the quotes around the reference: its value becomes one word by itself.",
    ),
    "same_ordering_key": words(
        "this acts on {key} as {first} does, so the whole group will run in order",
        'Say so with "parallel": false, or split the group.',
    ),
}

CALLS: Final[Mapping[str, Words]] = {
    "call_unknown_key": words(
        "{found} is no argument of {tool}; legal are: {legal}",
        "Did you mean {nearest}?",
        "Inputs of the callee stand in args.",
    ),
    "call_without_target": words(
        "{tool} needs a target: a group of this sequence, #name or #name/group",
        'Add "target": "…".',
    ),
    "call_target_no_text": words(
        "the target of {tool} must be a plain text; references cannot choose it",
        "Write the name, or several seq_when_call.",
    ),
    "bad_target": words(
        "the target {found} can name nothing; legal are a group of this sequence, "
        "#name and #name/group",
        "Write one of the three forms.",
    ),
    "call_args_no_object": words(
        "the args of {tool} must be an object, or a reference that is one",
        'Write {{"input": value}} or "$args".',
    ),
    "call_without_when": words(
        "seq_when_call needs a when", "Add when to its args, or use seq_call."
    ),
    "call_by_other_name": words(
        "{found} calls by name under another name", "Write {nearest}."
    ),
    "unknown_group": words(
        "there is no group {found} in this sequence; there are: {legal}",
        'Did you mean "{nearest}"?',
        "Another sequence is called with #name.",
    ),
    "unknown_sequence": words(
        "there is no sequence {found} now",
        "Save it before this one runs, or correct the name.",
    ),
    "unknown_foreign_group": words(
        "the sequence {name} has no group {found} now",
        'Did you mean "{nearest}"?',
        "Add the group, or correct the name.",
    ),
    "call_unknown_input": words(
        "{name} has no input {found}; it has: {legal}",
        "Did you mean {nearest}?",
        "Remove it, or declare it in the callee's in.",
    ),
    "call_missing_input": words(
        "{name} needs the input {key} ({type})", "Add {key} to args."
    ),
    "call_wrong_type": words(
        "the input {key} of {name} is {type}; found {found}",
        "Give a value of that type.",
    ),
    "call_no_choice": words(
        "the input {key} of {name} is one of {legal}; found {found}",
        "Give one of them.",
    ),
    "cycle": words(
        "the calls come back to where they began: {cycle}",
        "Take one of these calls out: nothing may call itself, even through others.",
    ),
    "depth": words(
        "{found} calls of other sequences within each other: {walk}; at most {limit} "
        "are legal",
        "Put what the inner ones do into fewer sequences.",
    ),
}

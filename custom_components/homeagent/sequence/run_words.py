"""What the engine says of runs, in English: the catalogue.

Low layer of the language, above the kernel's phrases. By code; the texts for people, in
their languages, have the same codes.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.phrases import Catalogue

WORDS: Final[Mapping[str, str]] = {
    # Before the first tool runs
    "input_missing": "{group} needs {key} ({type}{about})",
    "input_not_allowed": "{value} is not allowed",
    "input_unknown": "there is no input {key}",
    "agree_first": "a person must agree first to {steps}",
    "step_in_group": "{tool} in {group}",
    "steps": "{first}, {following}",
    "tool_refused": "{tool} is not allowed",
    "too_many_runs": "#{name} runs {most} times already",
    # Why a group, or a tool of it, was not run as it stands
    "call_only": "call_only: it runs only when it is called by its name",
    "not_started": "the run did not start",
    "group_failed": "{group} failed",
    "when_false": 'its "when" is false',
    "run_cancelled": "the run was cancelled",
    "declared_serial": "the group is declared serial",
    "nothing_called": "there was nothing to call",
    "not_tried_again": (
        "not tried again: of the group's {seconds} s too little was left for another"
        " attempt"
    ),
    "says_not_unsafe": (
        '{tool} is not parallel safe: say "unsafe_serial": true to show that its place'
        " in the order is meant"
    ),
    "out_of_time": "the group's time was over before {tool} could be called",
    "forbidden_tool": "a sequence may not call {tool}: {why}",
    # References and conditions
    "leads_nowhere": "{reference} leads nowhere: {why}",
    "not_selected": (
        "{reference} leads nowhere, $out.{slot} being the result of {tool}: {why}"
    ),
    "no_such_key": "{before} has no {step}; it has: {keys}",
    "no_such_index": "{before} has {count} elements, none at [{step}]",
    "no_keys_in_type": "{before} is of the type {type}, which has no keys",
    "no_indexes_in_type": "{before} is of the type {type}, which has no indexes",
    "reference_quoted": (
        "{reference} stands inside of quotes, or of something else that is no plain"
        " word, in a command line"
    ),
    "condition_lost": "{reference}: {why}",
    "condition_judged": "{condition}: {why}",
    "types_differ": "{left} and {right} do not compare with {operator}",
    "values_too_deep": "the values are nested too deeply",
    # Results
    "slot_type": "the result is of the type {type}, and the slot {slot} takes {wanted}",
    "slot_fit": (
        "the result is of the type {type}, and the slot {slot} takes {wanted}: {why}"
    ),
    # Calls by name
    "no_sequence": "there is no sequence named {name} now",
    "no_group": "#{sequence} has no group named {name}",
    "group_outside": "{name} can name a group only inside of a sequence",
    "no_target": "{target} names nothing that can be called",
    "calls_itself": "{name} is being run already: {path}",
    "sequences_too_deep": (
        "calls of other sequences go at most {most} deep, and {name} would be one more:"
        " {path}"
    ),
    "groups_too_deep": (
        "calls of groups go at most {most} deep, and {name} would be one more: {path}"
    ),
    "call_cancelled_run": "{name} was cancelled",
    "call_failed": "{failures}",
    "went_without": "{name} did without a part: {failures}",
    # The types of values
    "type_null": "null",
    "type_boolean": "boolean",
    "type_integer": "integer",
    "type_number": "number",
    "type_string": "string",
    "type_array": "array",
    "type_object": "object",
    "type_any": "any",
    # What a text must have at a place
    "a_reference": "a reference such as $args.host",
    "an_operand": "a reference, a text, a number, true, false or null",
    "a_step": 'a step: .key, [0] or ["key"]',
    "an_operator": "an operator, `&&`, `||` or the end",
    "entry_object": "an object such as {example}",
    "args_object": "an object, {example}",
    "inputs_object": "an object, {example}",
    "tools_text": "a string, {example}",
    "a_byte": "the byte {byte}",
    "write_expected": "{english}",
    "known_keys": "{english}",
    # What is wrong with a name
    "name_empty": "is empty",
    "name_long": "has {count} characters",
    "name_starts": "starts with `{char}`",
    "name_contains": "contains `{char}`",
    "name_invisible": "contains the invisible character {char}",
    # Why no sequence may make a call, and what to write instead
    "not_in_sequence": "{tool} may not stand in a sequence",
    "button_runs": "the button runs a sequence",
    "runs_sequence": "it runs a whole sequence",
    "may_change_tools": "a reload may change which tools exist",
    "instead_call": "seq_call with #name as target",
    "instead_entries": "the tools themselves, as entries of the group",
    "instead_itself": "the tool itself, by its own name",
    # Values and lists of names
    "an_object": "an object",
    "an_array": "an array",
    "big_number": "a number",
    "of_type": "a value of the type {type}",
    "names_more": "{shown} and {count} more",
    "no_names": "none",
}

say: Final = Catalogue(WORDS)


def typed(kind: str) -> str:
    """Return the name of a type, to be said in any language where it is one of ours."""
    code = f"type_{kind}"
    return say(code) if code in WORDS else kind

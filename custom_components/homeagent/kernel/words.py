"""What the kernel itself says of calls, in English: the catalogue.

Low in the kernel, above `phrases`. By code; the texts for people, in their languages,
have the same codes.
"""

from collections.abc import Mapping
from typing import Final

from .phrases import Catalogue

WORDS: Final[Mapping[str, str]] = {
    # Gates
    "not_allowed": "not allowed",
    "not_granted": "{why}",
    "left_out": "one entity is left out: not allowed",
    "left_out_many": "{count} entities are left out: not allowed",
    "no_tool": "there is no tool named {tool} now",
    "unconfirmed": "{tool} runs only after a person agreed",
    "too_many_wait": (
        "{tool} runs only after a person agreed, and too many calls wait for that"
    ),
    "only_a_person": "requests are answered by a signed-in person who acts directly",
    "no_request": "no such request of yours waits for an answer",
    "hook_failed": "hook_failed: an extension failed to judge the call",
    "hook_refused": "{code}: {why}",
    # Turns and time
    "still_busy": "an earlier action on {keys} still runs",
    "turn_too_late": "earlier calls have not ended in time",
    "changed_meanwhile": "what {tool} would act on changed while it waited",
    "late": "no answer within {seconds} s",
    "call_cancelled": "the call was cancelled before it ended",
    # Bugs
    "internal": "the tool hit a bug; Home Assistant's log has the details",
    "returned_exception": "the tool returned an exception ({kind})",
    "not_prepared": "not prepared",
    # How a batch runs
    "one_call": "one call",
    "all_safe": "all calls are parallel safe and none acts on what another acts on",
    "not_safe": "{tool} is not parallel safe",
    "keys_unknown": "what {tool} acts on is not known beforehand",
    "acts_twice": "two calls act on {key}",
    # What is wrong with a value
    "arrived_empty": "the arguments arrived empty",
    "wrong_value": "{found}",
    "not_given": "not given",
    "null_given": "null was given",
    "blank_given": "a blank text was given",
    "unknown_key": "there is no {key} here",
    "too_deep": "nested deeper than {most} levels",
    "unchecked": "{count} more were not looked at, as so many are wrong",
    # What was found
    "found_object": "found an object with {keys}",
    "found_empty_object": "found an object with no keys",
    "found_list": "found a list of {count}",
    "found_text": "found the text {value}",
    "found_number": "found the number {value}",
    "found_value": "found {value}",
    "long_value": "{start}… ({count} characters)",
    "listed_more": "{shown} and {count} more",
    # What would be right
    "right_nothing": "nothing",
    "right_anything": "a value",
    "right_string": "a text",
    "right_integer": "an integer",
    "right_number": "a number",
    "right_boolean": "true or false",
    "right_array": "a list",
    "right_object": "an object",
    "right_null": "null",
    "right_one_of": "one of {values}",
    "right_object_with": "an object with {keys}",
    "right_limited": "{kind} {limits}",
    "right_characters": "{kind} {limits} characters",
    "right_elements": "{kind} {limits} elements",
    "right_pattern": "{kind} that matches the pattern {pattern}",
    "right_each": "{kind}, each {each}",
    "right_and": "{first} and {following}",
    "right_or": "{first} or {following}",
    "limit_minimum": "at least {limit}",
    "limit_above": "above {limit}",
    "limit_maximum": "at most {limit}",
    "limit_below": "below {limit}",
    "limit_least": "of at least {limit}",
    "limit_most": "of at most {limit}",
    "or_else": "{first}; or {following}",
    "at_place": "{field}: {text}",
}

say: Final = Catalogue(WORDS)

"""The catalogue's words for texts that cannot be read: JSON, `tools`, small grammars.

Lowest layer of the language; `words` puts the catalogue together.
"""

from collections.abc import Mapping
from typing import Final

from .word_forms import ENTRY, Words, words

JSON: Final[Mapping[str, Words]] = {
    "too_large": words(
        "the sequence has more than {limit} KiB of text",
        "Split it into several sequences that call each other with seq_call.",
    ),
    "not_utf8": words(
        "{found} is not UTF-8 text", "Save the text in the encoding UTF-8."
    ),
    "empty_text": words(
        "there is no text; one JSON object must stand here",
        'Write {{"name": "…", "groups": […]}}.',
    ),
    "text_behind": words(
        "{found} stands behind the end; one JSON value must be all",
        "Remove what stands behind the closing bracket, or add the bracket before.",
    ),
    "too_deep": words(
        "more than {limit} objects and arrays within each other",
        "Flatten the value.",
    ),
    "expected_value": words(
        "found {found}; a value must stand here: a text in double quotes, a number, "
        "true, false, null, {{…}} or […]",
        "Write a value, or remove what asks for one.",
    ),
    "expected_key": words(
        "found {found}; a key in double quotes must stand here",
        'Write "key": value.',
    ),
    "expected_colon": words(
        "found {found} behind the key {key}; `:` must stand here",
        "Write `:` between key and value.",
    ),
    "expected_end": words(
        "found {found}; `,` or {closing} must stand here",
        "Add the `,` or the {closing}.",
    ),
    "not_closed": words(
        "this {found} is not closed", "Add the closing bracket where it belongs."
    ),
    "missing_comma": words(
        "found {found} without a `,` before it", "Put `,` between the values."
    ),
    "trailing_comma": words(
        "a `,` stands before the closing bracket", "Remove the `,`."
    ),
    "duplicate_key": words(
        "the key {found} stands twice in one object; every key may stand once",
        "Remove or rename one of them.",
    ),
    "unquoted_key": words(
        "the key {found} has no quotes; keys stand in double quotes",
        "Write {nearest}.",
    ),
    "single_quotes": words(
        "found a text in single quotes; JSON's texts stand in double quotes",
        "Write \" in the place of '.",
    ),
    "string_open": words(
        "this text has no closing quote", "Add the quote where the text ends."
    ),
    "control_character": words(
        "the character {found} may not stand in a text as it is",
        r"Write \n for a new line, \t for a tab; inside of the text of tools, \\n.",
    ),
    "bad_escape": words(
        '{found} is no escape; legal are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX',
        r"Write \\ for a backslash.",
    ),
    "surrogate": words(
        "{found} is half a character: a surrogate without its other half",
        "Write the character itself.",
    ),
    "number_range": words(
        "the number {found} is too large to be kept exactly",
        "Whole numbers go from -2^63 to 2^63-1; write a longer one as a text.",
    ),
    "bad_number": words(
        "{found} is no number of JSON", "If it is a text, write {nearest}."
    ),
    "strange_word": words(
        "the word {found} is no value of JSON; without quotes only true, false, null "
        "and numbers may stand",
        "Write {nearest}.",
    ),
    "comment": words("JSON has no comments", "Put remarks into description."),
    "key_not_text": words(
        "the key {found} is no text; all keys are texts", "Put the key in quotes."
    ),
    "not_json": words(
        "{found} is no JSON value",
        "Use texts, numbers, true, false, null, objects and arrays only.",
    ),
}

TOOLS: Final[Mapping[str, Words]] = {
    "empty_tool": words(
        "an empty tool: this `;` has no object before it; legal is {{…}} ; {{…}} ;",
        "Remove the `;`, or write the missing tool before it.",
    ),
    "missing_semicolon": words(
        "a `;` is missing before this {{: every tool is followed by `;`",
        f"Write {ENTRY} {ENTRY}",
    ),
    "missing_last_semicolon": words(
        "the last tool has no `;` behind it: every tool is followed by `;`",
        f"Write {ENTRY}",
    ),
    "text_behind_tool": words(
        "found {found} behind a tool; only `;` may stand here",
        "Tools are separated by `;`, not by anything else: " + ENTRY,
    ),
    "text_between_tools": words(
        "found {found} where a tool must begin with {{",
        f"Every tool is one object: {ENTRY}",
    ),
    "wide_semicolon": words(
        "found {found}; tools are followed by the plain semicolon `;`",
        "Write `;`.",
    ),
    "tools_array_text": words(
        "the text of tools begins with `[`; in a text the tools are objects, each "
        "followed by `;`",
        f"Write {ENTRY} without [ and ], or give a real array in the place of a text.",
    ),
    "tools_text_open": words(
        "the text that begins at character {position} of tools has no closing quote",
        'Add the " where the text ends; a " inside of a text is written \\".',
    ),
    "tools_brace_open": words(
        "the bracket at character {position} of tools is not closed",
        "Add the closing bracket; every tool is one complete {{…}}.",
    ),
    "tools_brace_lost": words(
        "the bracket at character {position} of tools is not closed; the `;` at "
        "character {inner_end} stands inside of it",
        "Add the closing bracket before the `;`.",
    ),
}

TEXTS: Final[Mapping[str, Words]] = {
    "near_miss": words(
        "this is read as text, but looks like a reference; legal are $args and $out, "
        "in small letters, followed by .key",
        "Write {nearest}, or $$ in the place of $ if it is meant as text.",
    ),
    "numbered_slot": words(
        "$0 to $9 do not exist; slots have names",
        "Declare the slot in out, write it with as, read it with $out.name.",
    ),
    "reference_step": words(
        'a step must begin behind ${root}: .key or ["any key"]',
        "Write ${root}.key; where text follows, ${{args}} ends the reference.",
    ),
    "reference_index": words(
        "{written}: what {root} holds has names, not numbers",
        "Write ${root}.key first.",
    ),
    "reference_brace": words(
        "found {found}; the reference {written} must end with }}",
        "Write ${{args.key}}, or $${{ if it is meant as text.",
    ),
    "out_without_key": words(
        "$out needs the key of a slot",
        "Write $out.key, or $$out if it is meant as text.",
    ),
    "reference_in_key": words(
        "the key {found} looks like a reference; keys are never substituted",
        "Put the reference into the value.",
    ),
    "fallback_text": words(
        "the fallback looks like a reference, but is written as it stands",
        "Write a plain value.",
    ),
    "condition_empty": words(
        "the condition is empty", 'Leave when out, or write "true".'
    ),
    "condition_unexpected": words(
        "found {found}; {expected} must stand here",
        "Write {nearest}.",
        'Conditions look like: $args.count > 0 && $args.host != "".',
    ),
    "condition_quotes": words(
        "found {found}; texts in conditions stand in \" or '",
        'Write plain quotes: "text".',
    ),
    "condition_too_deep": words(
        "the condition has more than {limit} operators and parentheses",
        "Split the group, or pass in one input that says it all.",
    ),
    "chained_comparison": words(
        "two comparisons in a row do not combine",
        "Write a < b && b < c.",
    ),
    "negated_comparison": words(
        "`!` does not reach over a comparison",
        "Write !(a == b), or a != b.",
    ),
}

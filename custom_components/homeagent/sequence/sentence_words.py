"""The catalogue's words for the sentences by which people start a sequence.

Lowest layer of the language; `words` puts the catalogue together.
"""

from collections.abc import Mapping
from typing import Final

from .word_forms import Words, words

_SYNTAX: Final = (
    "Write words, [optional] parts, (one|other) choices and {{slots}}, such as: run the "
    "inspection [for {{host}}]"
)

SENTENCES: Final[Mapping[str, Words]] = {
    "sentences_many": words(
        "there are {found} sentences, and a sequence has at most {most}",
        "Join some of them with (one|other) and [optional] parts.",
    ),
    "sentence_no_text": words("a sentence must be a text; found {found}", _SYNTAX),
    "sentence_blank": words("the sentence is empty", "Write it, or take it out."),
    "sentence_long": words(
        "the sentence has {found} characters; at most {most} are legal",
        "Make several shorter ones of it.",
    ),
    "sentence_punctuation": words(
        "the sentence {found} has punctuation, which nobody speaks",
        "Leave it out.",
    ),
    "sentence_syntax": words(
        "the sentence {found} cannot be read: a bracket is open or one too many",
        _SYNTAX,
    ),
    "sentence_form": words(
        "the sentence has {found}, which is not taken here", _SYNTAX
    ),
    "sentence_wide": words(
        "the sentence can be said in more than {most} ways",
        "Use fewer optional parts and choices.",
    ),
    "sentence_wordless": words(
        "the sentence {found} can be said without a word of its own, and would catch "
        "whatever anybody says",
        "Add words that are always said.",
    ),
    "sentence_unknown_slot": words(
        "the sequence has no input {found}; it has: {legal}",
        "Did you mean {{{nearest}}}?",
        "Declare the input in a group, or take the slot out.",
    ),
    "sentence_slot_type": words(
        "the input {key} is {type}, which cannot be spoken",
        "Take the slot out, and give the input a default.",
    ),
    "sentence_slot_twice": words(
        "the slot {{{key}}} stands twice in one way to say {found}",
        "Leave one of them out.",
    ),
    "sentence_slots_touch": words(
        "no word stands between {{{key}}} and {{{other}}}: nobody could tell where one "
        "ends",
        "Put a word between them.",
    ),
    "sentence_missing_input": words(
        "the sequence needs the input {key}, and the sentence {found} can be said "
        "without it",
        "Add {{{key}}} where it is always said, or give the input a default.",
    ),
    "sentence_repeated": words(
        "this can be said by another sentence of the sequence, too: {found}",
        "Take one of them out.",
    ),
    "sentence_equal": words(
        "the sequence {name} has a sentence that is said in the same way: {found}",
        "Change one of them: nobody could tell which sequence is meant.",
    ),
    "sentence_overlap": words(
        "some of what this sentence matches is matched by {other} of the sequence "
        "{name}, too",
        "If both match, the one with more words of its own runs; change one of them to "
        "be sure.",
    ),
}

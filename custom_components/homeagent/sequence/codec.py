"""The checked AST as the JSON that is stored, and back (page 2 §2.3).

Pure. Runs execute what `load` returns; text is never read again for them. Loading is as
strict as creating: what is loaded must be an AST that a text can have, so it is written
and read once, and must come back the same.
"""

from collections.abc import Mapping
import hashlib
import json
from typing import Final

from .ast_decoder import decode_sequence
from .ast_encoder import encode_sequence
from .document import read_sequence
from .failures import DamagedSequence
from .model import Sequence
from .writer import to_arguments

SCHEMA_VERSION: Final = 1

_KEYS: Final = frozenset({"version", "hash", "sequence"})


def dump(sequence: Sequence) -> dict[str, object]:
    """Return the stored form: schema version, content hash, AST; plain JSON."""
    content = encode_sequence(sequence)
    return {
        "version": SCHEMA_VERSION,
        "hash": content_hash(content),
        "sequence": content,
    }


def content_hash(content: object) -> str:
    """Return the SHA-256 of JSON, whatever the order of its keys."""
    text = json.dumps(content, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def load(data: object) -> Sequence:
    """Return the sequence of a stored form.

    Raises:
        DamagedSequence: for anything but what `dump` returned for a legal sequence.
    """
    if not isinstance(data, Mapping) or set(data) != _KEYS:
        raise DamagedSequence("", "version, hash and sequence must be there")
    if data["version"] != SCHEMA_VERSION or isinstance(data["version"], bool):
        raise DamagedSequence(
            "version",
            f"this is no version {SCHEMA_VERSION}, which is all that is known",
        )
    sequence = decode_sequence(data["sequence"])
    if data["hash"] != content_hash(encode_sequence(sequence)):
        raise DamagedSequence(
            "hash", "the content is not what it was when it was saved"
        )
    _check_legal(sequence)
    return sequence


def _check_legal(sequence: Sequence) -> None:
    """Demand that a text could have made the AST."""
    parsed = read_sequence(to_arguments(sequence))
    for problem in parsed.errors:
        raise DamagedSequence(problem.path, f"{problem.message}. {problem.hint}")
    assert parsed.sequence is not None
    if encode_sequence(parsed.sequence) != encode_sequence(sequence):
        raise DamagedSequence("sequence", "no text has this meaning")

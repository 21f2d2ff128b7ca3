"""JSON as text: strict both ways.

Lowest layer of the kernel; imports nothing of this integration. Python's own reader takes
`NaN`, the second of two equal keys and half a surrogate pair; all three would do harm
further on, so they are errors here.
"""

from collections.abc import Mapping
import json
from math import isinf
from typing import Never

_quote = json.encoder.encode_basestring

# `JSONEncoder.encode` makes this anew for every text, which takes longer than writing
# most texts. The arguments: no markers (a cycle ends in RecursionError), what to do
# with other objects, quoting, no indent, the two separators, keys neither sorted nor
# skipped, no NaN.
_encode = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, json.JSONEncoder().default, _quote, None, ":", ",", False, False, False
)


class NotJsonError(ValueError):
    """A text that is no JSON: `problem` says why, `position` is the character."""

    def __init__(self, problem: str, position: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.position = position


def encode_json(value: object) -> str:
    """Return compact JSON, key order and non-ASCII kept.

    For plain JSON values; everything else raises TypeError, ValueError (NaN, infinity)
    or RecursionError (a cycle).
    """
    return _quote(value) if isinstance(value, str) else "".join(_encode(value, 0))


def decode_json(text: str) -> object:
    """Return the value of a JSON text; raises `NotJsonError` for everything else."""
    try:
        value: object = _DECODER.decode(text)
        if not text.isascii() or "\\u" in text:
            # Half a surrogate pair fits in no UTF-8 message and so in no answer.
            encode_json(value).encode()
    except json.JSONDecodeError as error:
        raise NotJsonError(_lower_first(error.msg), error.pos) from error
    except UnicodeEncodeError as error:
        raise NotJsonError("half a surrogate pair is no character") from error
    except RecursionError as error:
        raise NotJsonError("nested too deeply") from error
    except ValueError as error:
        raise NotJsonError(str(error)) from error
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {encode_json(key)} stands twice")
            seen.add(key)
    return result


def _number(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON number")


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_number
)


def same_json(left: object, right: object) -> bool:
    """Return whether two values are the same JSON: 1 is 1.0, but not true."""
    if left is right:
        return True
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool) and left == right
    if isinstance(left, int | float):
        return isinstance(right, int | float) and left == right
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    if isinstance(left, Mapping):
        return (
            isinstance(right, Mapping)
            and len(left) == len(right)
            and all(key in right and same_json(left[key], right[key]) for key in left)
        )
    if isinstance(left, list | tuple):
        return (
            isinstance(right, list | tuple)
            and len(left) == len(right)
            and all(map(same_json, left, right, strict=True))
        )
    return False

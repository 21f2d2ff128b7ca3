"""Tool calls put together from the fragments of a streamed reply (§6.3).

In the kernel, above `json_text`. The wire form is OpenAI's (`index`, `id`, `function`);
what compatible servers make of it is taken, too: no index, no id, an id anew in every
fragment, the index 0 for all calls, arguments as an object, a chunk sent twice.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .json_text import NotJsonError, decode_json, encode_json
from .json_values import to_json_value, well_formed

MOST_AGAIN = 3
"""Pieces at the end of a text that are looked at as sent twice."""

MOST_STREAMED_CALLS = 1000
"""Calls of one reply that are taken; a server that sends more knows no end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """What one chunk says of one call; "" and None where it says nothing."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedCall:
    """One call as it came: `arguments` is the raw text, for `parse_arguments`."""

    index: int
    id: str
    name: str
    arguments: str


@dataclass(slots=True)
class _Growing:
    index: int
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)


class ToolCallAccumulator:
    """Takes fragments in any interleaving and gives whole calls, each once.

    `flush` is the same at every end of a stream: finished, closed or cancelled. `size`
    counts the characters of the arguments; `too_many` tells that calls were not taken.
    """

    def __init__(self) -> None:
        """Start with no call."""
        self._calls: list[_Growing] = []
        self._given: set[int] = set()
        self._last: _Growing | None = None
        self._chunks: set[tuple[Fragment, ...]] = set()
        self.finish_reason: str | None = None
        self.size = 0
        self.too_many = False

    def add(self, tool_calls: object, finish_reason: str | None = None) -> None:
        """Take one chunk: its list of call fragments, and its finish reason if it has one.

        A chunk that comes again after the finish is the server's mistake and ignored.
        """
        fragments = read_fragments(tool_calls)
        repeated = self.finish_reason is not None and fragments in self._chunks
        if fragments and not repeated:
            self._chunks.add(fragments)
            for fragment in fragments:
                self._take(fragment)
        if finish_reason and self.finish_reason is None:
            self.finish_reason = finish_reason

    def flush(self) -> tuple[StreamedCall, ...]:
        """Return the calls that no flush returned before, in ascending index order."""
        fresh = [call for call in self._calls if id(call) not in self._given]
        self._given.update(map(id, fresh))
        return tuple(
            StreamedCall(
                index=call.index,
                id=well_formed(call.id),
                name=well_formed(call.name),
                arguments=_joined(call.pieces),
            )
            for call in sorted(fresh, key=lambda call: call.index)
        )

    def _take(self, fragment: Fragment) -> None:
        call = self._find(fragment)
        if call is None and len(self._calls) >= MOST_STREAMED_CALLS:
            self.too_many = True
            return
        self.size += len(fragment.arguments)
        if call is None:
            call = _Growing(index=self._index(fragment))
            self._calls.append(call)
        self._last = call
        call.id = call.id or fragment.id
        if fragment.name != call.name:
            call.name += fragment.name
        if fragment.whole:
            call.pieces = [fragment.arguments]
        elif fragment.arguments:
            call.pieces.append(fragment.arguments)

    def _index(self, fragment: Fragment) -> int:
        """Return the given index, or the one after the highest."""
        if fragment.index is not None:
            return fragment.index
        return max((call.index for call in self._calls), default=-1) + 1

    def _find(self, fragment: Fragment) -> _Growing | None:
        """Return the call that a fragment belongs to, None for a new one."""
        candidate = self._at_place(fragment)
        if candidate is None or _starts_anew(candidate, fragment):
            return None
        return candidate

    def _at_place(self, fragment: Fragment) -> _Growing | None:
        """Return the call with the fragment's id or index, or the last one for neither."""
        calls = self._calls
        if fragment.index is not None:
            calls = [call for call in calls if call.index == fragment.index]
        same_id = [call for call in calls if fragment.id and call.id == fragment.id]
        if same_id:
            return same_id[-1]
        if fragment.index is not None:
            return calls[-1] if calls else None
        # Without an index, a name with an id not seen before can only be a new call.
        return None if fragment.id and fragment.name else self._last


def _starts_anew(call: _Growing, fragment: Fragment) -> bool:
    """Return whether a fragment is another call than the one found at its place.

    Only a name can begin a call. Some servers repeat the name in every fragment, some
    send a fresh id with each, some have one index or one id for all calls; so what the
    call has said so far decides, too.
    """
    if not fragment.name or not call.name:
        return False
    renamed = fragment.name != call.name
    other_id = bool(fragment.id and call.id and fragment.id != call.id)
    placed = fragment.index is not None or fragment.id != ""
    # Only what ends like an object can be one: not all is put together each time.
    last = next((piece for piece in reversed(call.pieces) if piece.strip()), "")
    said = "".join(call.pieces) if last.rstrip().endswith("}") else last
    if not said.strip():
        # At a known place another name is the next piece of a name.
        return renamed and (other_id or not placed)
    if not _is_object(said):
        return renamed
    if renamed or other_id or not placed:
        return renamed or fragment.arguments.strip() != ""
    # Some servers begin with an empty object and send the real one later.
    return said.strip() != "{}" and fragment.arguments.strip() not in {"", said}


def read_fragments(tool_calls: object) -> tuple[Fragment, ...]:
    """Return the fragments of one chunk's `tool_calls`, mappings or objects alike."""
    if not isinstance(tool_calls, list | tuple):
        return ()
    read = (_fragment(each) for each in tool_calls)
    return tuple(each for each in read if each.id or each.name or each.arguments)


def _fragment(data: object) -> Fragment:
    function = _member(data, "function")
    said = data if function is None else function
    arguments = _member(said, "arguments")
    whole = isinstance(arguments, Mapping | list)
    return Fragment(
        index=_whole_number(_member(data, "index")),
        id=_text(_member(data, "id")),
        name=_text(_member(said, "name")),
        arguments=encode_json(to_json_value(arguments)) if whole else _text(arguments),
        whole=whole,
    )


def _member(data: object, name: str) -> object:
    return data.get(name) if isinstance(data, Mapping) else getattr(data, name, None)


def _whole_number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 0 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _joined(pieces: list[str]) -> str:
    """Return the whole text, without what a server put in once too often.

    That is an empty object before the first real piece, or pieces at the end that are
    the same as those before them. Only where the rest then is an object.
    """
    whole = "".join(pieces)
    if not pieces or _is_object(whole):
        return whole
    for start, end in _without_extras(pieces):
        rest = "".join(pieces[start:end])
        if _is_object(rest):
            return rest
    return whole


def _without_extras(pieces: list[str]) -> Iterator[tuple[int, int]]:
    count = len(pieces)
    if pieces[0].strip() == "{}":
        yield 1, count
    for end in range(count - 1, max((count - 1) // 2, count - 1 - MOST_AGAIN), -1):
        if pieces[2 * end - count : end] == pieces[end:]:
            yield 0, end


def _is_object(text: str) -> bool:
    try:
        return isinstance(decode_json(text), dict)
    except NotJsonError:
        return False

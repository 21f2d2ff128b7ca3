"""Tool calls put together from the fragments of a streamed reply (§6.3).

In the kernel, above `json_text`. The wire form is OpenAI's (`index`, `id`, `function`);
what compatible servers make of it is taken, too: no index, no id, an id anew in every
fragment, the index 0 for all calls, arguments as an object, a chunk sent twice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .json_text import NotJsonError, decode_json, encode_json
from .json_values import to_json_value


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

    `flush` is the same at every end of a stream: finished, closed or cancelled.
    """

    def __init__(self) -> None:
        """Start with no call."""
        self._calls: list[_Growing] = []
        self._given: set[int] = set()
        self._last: _Growing | None = None
        self._chunks: set[tuple[Fragment, ...]] = set()
        self.finish_reason: str | None = None

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
                id=call.id,
                name=call.name,
                arguments=_joined(call.pieces),
            )
            for call in sorted(fresh, key=lambda call: call.index)
        )

    def _take(self, fragment: Fragment) -> None:
        call = self._find(fragment)
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
        if fragment.index is None:
            same = [call for call in self._calls if call.id == fragment.id]
            if fragment.id and same:
                return same[-1]
            candidate = self._last
        else:
            same = [call for call in self._calls if call.index == fragment.index]
            candidate = next(
                (call for call in same if fragment.id and call.id == fragment.id),
                same[-1] if same else None,
            )
        if candidate is None or _starts_anew(candidate, fragment):
            return None
        return candidate


def _starts_anew(call: _Growing, fragment: Fragment) -> bool:
    """Return whether a fragment is another call than the one at its place.

    Only a name begins a call. Another id, or none where none could differ, then tells;
    but a call that is still incomplete, or has said nothing but the same name, goes on:
    some servers send name and a fresh id with every fragment.
    """
    if not fragment.name or not call.name:
        return False
    if fragment.index is not None and fragment.id in {"", call.id}:
        return False
    if not "".join(call.pieces).strip():
        return fragment.name != call.name
    return _is_object("".join(call.pieces))


def read_fragments(tool_calls: object) -> tuple[Fragment, ...]:
    """Return the fragments of one chunk's `tool_calls`; what is none is left out."""
    if isinstance(tool_calls, Mapping):
        tool_calls = [tool_calls]
    if not isinstance(tool_calls, Iterable) or isinstance(tool_calls, str | bytes):
        return ()
    read = [_fragment(each) for each in tool_calls if isinstance(each, Mapping)]
    return tuple(each for each in read if each.id or each.name or each.arguments)


def _fragment(data: Mapping[object, object]) -> Fragment:
    function = data.get("function")
    said = function if isinstance(function, Mapping) else data
    arguments = said.get("arguments")
    whole = isinstance(arguments, Mapping | list)
    return Fragment(
        index=_whole_number(data.get("index")),
        id=_text(data.get("id")),
        name=_text(said.get("name")),
        arguments=encode_json(to_json_value(arguments)) if whole else _text(arguments),
        whole=whole,
    )


def _whole_number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 0 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _joined(pieces: list[str]) -> str:
    """Return the whole text; pieces at its end that were sent twice count once."""
    whole = "".join(pieces)
    if not pieces or _is_object(whole):
        return whole
    for end in range(len(pieces) - 1, 0, -1):
        again = len(pieces) - end
        if pieces[max(end - again, 0) : end] != pieces[end:]:
            continue
        once = "".join(pieces[:end])
        if _is_object(once):
            return once
    return whole


def _is_object(text: str) -> bool:
    try:
        return isinstance(decode_json(text), dict)
    except NotJsonError:
        return False

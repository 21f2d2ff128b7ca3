"""One reply of a model, put together from the objects of its server.

Pure; above `thinking` and the kernel. The form is OpenAI's chat completions; what
compatible servers make of it is taken, too: a whole message instead of deltas, content
that is empty, null or a list of parts, reasoning under either of its names, a call that
stands alone instead of in a list. Nothing here raises.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..kernel.arguments import CUT_OFF
from ..kernel.json_values import well_formed
from ..kernel.records import record
from ..kernel.streaming import StreamedCall, ToolCallAccumulator
from .payloads import Payload
from .thinking import ThoughtFilter

MOST_STREAMED = 2 * 1024 * 1024
"""Characters of words, thoughts and arguments; a server that sends more knows no end."""

_REASONING = ("reasoning_content", "reasoning")


@record
class Words:
    """A piece of what the model says to the person."""

    text: str


@record
class Thought:
    """A piece of what the model thinks."""

    text: str


type Piece = Words | Thought


@dataclass(slots=True)
class ReplyReader:
    """Takes a reply's objects and gives pieces of text, and in the end the calls.

    `error` is what the server reports inside its answer. `reasoning_key` is the name
    under which it sent reasoning. `anything` tells whether any choice came at all,
    `ended` whether the answer came to an end that the server meant as such.
    """

    error: Mapping[str, object] | None = None
    finish_reason: str | None = None
    reasoning_key: str | None = None
    anything: bool = False
    ended: bool = False
    words: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    _calls: ToolCallAccumulator = field(default_factory=ToolCallAccumulator)
    _filter: ThoughtFilter = field(default_factory=ThoughtFilter)
    _last: object = None
    _size: int = 0
    _half: str = ""

    def take(self, payload: Payload) -> list[Piece]:
        """Take one object; return the pieces of text it brought."""
        if error := payload.get("error"):
            self.error = error if isinstance(error, Mapping) else {"message": error}
            return []
        choice = _first_choice(payload)
        if choice is None:
            return []
        said = choice.get("delta")
        if not isinstance(said, Mapping) or not said:
            # A server may repeat all at the end as a whole message.
            said = {} if self.anything else _mapping(choice.get("message"))
            self.ended = self.ended or bool(said)
        self.anything = True
        return self._said(said, choice)

    def close(self) -> list[Piece]:
        """Return what was held back; the same at every end."""
        last = self._pieces(*self._filter.feed("\ufffd")) if self._half else []
        self._half = ""
        return last + self._pieces(*self._filter.close())

    def calls(self) -> tuple[StreamedCall, ...]:
        """Return the whole calls, each once, in ascending index order."""
        return self._calls.flush()

    @property
    def too_much(self) -> bool:
        """Whether so much came that the answer has no end."""
        return self._calls.too_many or self._size + self._calls.size > MOST_STREAMED

    @property
    def cut_off(self) -> bool:
        """Whether something may be missing at the end."""
        if self.finish_reason is None:
            return not self.ended
        return self.finish_reason in CUT_OFF

    @property
    def text(self) -> str:
        """All words so far."""
        return "".join(self.words)

    def _said(
        self, said: Mapping[str, object], choice: Mapping[str, object]
    ) -> list[Piece]:
        reason = choice.get("finish_reason")
        finished = self.finish_reason is not None
        repeated = finished and said == self._last
        self._last = said
        pieces = [] if repeated else self._texts(said)
        self._calls.add(_calls(said), reason if isinstance(reason, str) else None)
        self.finish_reason = self._calls.finish_reason
        return pieces

    def _texts(self, said: Mapping[str, object]) -> list[Piece]:
        pieces: list[Piece] = []
        for key in _REASONING:
            text = said.get(key)
            if isinstance(text, str) and text:
                self.reasoning_key = key
                pieces += self._pieces(text, "")
                break
        for thought, words in _content(said.get("content")):
            pieces += self._pieces(thought, "")
            pieces += self._pieces(*self._filter.feed(self._whole(words)))
        refusal = said.get("refusal")
        if isinstance(refusal, str):
            pieces += self._pieces("", refusal)
        return pieces

    def _whole(self, words: str) -> str:
        """Return words with whole characters; some servers send half of an emoji."""
        words = self._half + words
        cut = len(words) - ("\ud800" <= words[-1:] <= "\udbff")
        self._half = words[cut:]
        return well_formed(words[:cut])

    def _pieces(self, thought: str, words: str) -> list[Piece]:
        pieces: list[Piece] = []
        self._size += len(thought) + len(words)
        if thought:
            self.thoughts.append(well_formed(thought))
            pieces.append(Thought(text=self.thoughts[-1]))
        # What is read aloud begins with a word.
        if not self.words:
            words = words.lstrip()
        if words:
            self.words.append(well_formed(words))
            pieces.append(Words(text=self.words[-1]))
        return pieces


def _first_choice(payload: Payload) -> Mapping[str, object] | None:
    choices = payload.get("choices")
    if not isinstance(choices, list):
        return None
    for choice in choices:
        if isinstance(choice, Mapping):
            index = choice.get("index")
            if index is None or index == 0:
                return choice
    return None


def _calls(said: Mapping[str, object]) -> object:
    calls = said.get("tool_calls")
    if isinstance(calls, Mapping):
        return [calls]
    if not calls and isinstance(function := said.get("function_call"), Mapping):
        return [{"index": 0, "function": function}]
    return calls


def _content(content: object) -> Iterator[tuple[str, str]]:
    """Yield thought and words of each part of a content."""
    if isinstance(content, str):
        yield "", content
    elif isinstance(content, list):
        for part in content:
            match part:
                case str():
                    yield "", part
                case {"type": "thinking", "thinking": thinking}:
                    for _, words in _content(thinking):
                        yield words, ""
                case {"text": str(text)}:
                    yield "", text
                case _:
                    continue


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}

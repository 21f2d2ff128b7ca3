"""Thoughts that a model writes into its answer, between `<think>` and `</think>`.

Pure; imports nothing of this integration. Some servers do not take them out; read aloud
they are of no use to anybody. Only at the beginning of an answer: later the words may be
what the person asked for.
"""

from dataclasses import dataclass

_MARKS = (("<think>", "</think>"), ("<thinking>", "</thinking>"))


@dataclass(slots=True)
class ThoughtFilter:
    """Tells thoughts from words, in pieces of any size."""

    _held: str = ""
    _end: str | None = None
    _words: bool = False

    def feed(self, text: str) -> tuple[str, str]:
        """Return the thoughts and the words of which it is certain now."""
        if self._words:
            return "", text
        self._held += text
        if self._end is None and not self._begins():
            return "", self._all_words() if self._words else ""
        return self._thoughts()

    def close(self) -> tuple[str, str]:
        """Return what was held back; thoughts without end stay thoughts."""
        held, self._held = self._held, ""
        return (held, "") if self._end is not None else ("", held)

    def _begins(self) -> bool:
        """Whether the answer begins with a mark; decides `_words` where it cannot."""
        start = self._held.lstrip()
        for begin, end in _MARKS:
            if start.startswith(begin):
                self._held, self._end = start.removeprefix(begin), end
                return True
        self._words = not any(begin.startswith(start) for begin, _ in _MARKS)
        return False

    def _thoughts(self) -> tuple[str, str]:
        assert self._end is not None
        thought, mark, words = self._held.partition(self._end)
        if mark:
            self._words, self._held, self._end = True, "", None
            return thought, words.lstrip()
        # The mark may stand half at the end.
        kept = next(
            (
                size
                for size in range(len(self._end) - 1, 0, -1)
                if self._held.endswith(self._end[:size])
            ),
            0,
        )
        cut = len(self._held) - kept
        thought, self._held = self._held[:cut], self._held[cut:]
        return thought, ""

    def _all_words(self) -> str:
        held, self._held = self._held, ""
        return held

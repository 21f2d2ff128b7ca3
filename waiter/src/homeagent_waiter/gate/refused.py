"""Gate, beside ``plan``: how the stages refuse, and how they show what was written."""

from __future__ import annotations

from .plan import Code, Refusal, Step

_STEPS = {
    Code.LINE: Step.LEXER,
    Code.NOT_ALLOWED: Step.FIRST_WORD,
    Code.OPTION: Step.GRAMMAR,
    Code.OPERAND: Step.GRAMMAR,
    Code.NO_GRAMMAR: Step.GRAMMAR,
    Code.NO_GRAMMAR_HERE: Step.GRAMMAR,
    Code.SECRET: Step.VALUES,
    Code.DEVICE: Step.VALUES,
    Code.COUNT: Step.VALUES,
    Code.NETWORK: Step.VALUES,
}


class RefusedError(Exception):
    """Ends a stage; only ``decide`` catches it."""

    def __init__(self, code: Code, token: str, hint: str) -> None:
        super().__init__(f"{code}: {token}")
        self.refusal = Refusal(stage=_STEPS[code], code=code, token=token, hint=hint)


def shown(text: str, most: int = 80) -> str:
    """Return the text with everything unprintable written out, and not too long."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in cut
    )

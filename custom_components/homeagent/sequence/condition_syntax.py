r"""The grammar of `when` (§5.1; page 2 §2.1): text to AST and back.

    condition  = both { "||" both }
    both       = negation { "&&" negation }
    negation   = "!" negated | primary
    negated    = "!" negated | "(" condition ")" | exists | operand
    primary    = "(" condition ")" | exists | comparison
    exists     = "exists" "(" reference ")"
    comparison = operand [ operator operand ]
    operand    = reference | text | number | "true" | "false" | "null"
    operator   = "==" | "!=" | "<=" | "<" | ">=" | ">" | "contains"

`!` does not reach over an operator: `!$args.a == 1` is a flaw, `!($args.a == 1)` is
right. Texts stand in double or single quotes. Pure; `conditions` evaluates.
"""

from dataclasses import dataclass
import re
from typing import Final, Literal

from .flaws import Flaw, flaw_error
from .json_numbers import read_number
from .limits import MAX_OPERATORS
from .model import Both, Comparison, Condition, Constant, Either, Exists, Not, Reference
from .problems import show
from .reference_syntax import scan_dollar
from .run_words import say
from .strings import scan_string

type Operator = Literal["==", "!=", "<", "<=", ">", ">=", "contains"]

_OPERATORS: Final[tuple[Operator, ...]] = ("==", "!=", "<", "<=", ">", ">=", "contains")

_SPACE: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"[^\W\d]\w*")
_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?P<real>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.])"
)
_OPERATOR: Final = re.compile(r"==|!=|<=|>=|<|>|contains(?!\w)")
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_MISSPELT: Final = {
    "===": "==",
    "!==": "!=",
    "=": "==",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "&": "&&",
    "|": "||",
    "and": "&&",
    "or": "||",
    "not": "!",
    "is": "==",
    "in": "contains",
    "eq": "==",
    "ne": "!=",
    "none": "null",
    "nil": "null",
    "contain": "contains",
}
_SYMBOLS: Final = re.compile(r"[=!<>&|]+")
_QUOTES: Final = "“”„‘’`"  # noqa: RUF001  # what writers paste instead of " and '


class _Stop(Exception):  # noqa: N818  never leaves this module
    """The text is no condition."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.code)
        self.flaw = flaw


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionScan:
    """A condition, or the flaw instead; and where its references stood."""

    condition: Condition | None
    flaw: Flaw | None = None
    references: tuple[tuple[int, Reference], ...] = ()


class _Parser:
    """One pass over a text; every production is a method."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.operators = 0
        self.references: list[tuple[int, Reference]] = []

    def flaw(self, code: str, at: int | None = None, **placeholders: str) -> _Stop:
        place = self.at if at is None else at
        return _Stop(Flaw(code=code, at=place, placeholders=placeholders))

    def unexpected(self, expected: str) -> _Stop:
        """Return the flaw of what stands next where something else should."""
        rest = self.text[self.at : self.at + 32]
        symbols, word = _SYMBOLS.match(rest), _WORD.match(rest)
        found = match.group() if (match := symbols or word) else rest[:1]
        if found and found in _QUOTES:
            return self.flaw("condition_quotes", found=show(found))
        lower = found.lower()
        nearest = _MISSPELT.get(lower, lower if lower in _KEYWORDS else "")
        return self.flaw(
            "condition_unexpected",
            found=show(found) if found else "the end of the text",
            expected=expected,
            nearest=nearest,
        )

    def skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()

    def take(self, symbol: str) -> bool:
        """Step over a symbol if it stands next."""
        self.skip()
        if not self.text.startswith(symbol, self.at):
            return False
        self.at += len(symbol)
        return True

    def count(self) -> None:
        """Keep the AST shallow."""
        self.operators += 1
        if self.operators > MAX_OPERATORS:
            raise self.flaw("condition_too_deep", limit=str(MAX_OPERATORS))

    def whole(self) -> Condition:
        """The text is one condition, to its end."""
        condition = self.condition()
        self.skip()
        if self.at < len(self.text):
            raise self.unexpected(say("an_operator"))
        return condition

    def condition(self) -> Condition:
        """Read: condition = both { "||" both }."""
        left = self.both()
        while self.take("||"):
            self.count()
            left = Either(left=left, right=self.both())
        return left

    def both(self) -> Condition:
        """Read: both = negation { "&&" negation }."""
        left = self.negation()
        while self.take("&&"):
            self.count()
            left = Both(left=left, right=self.negation())
        return left

    def negation(self) -> Condition:
        """Read: negation = "!" negated | primary."""
        self.skip()
        at = self.at
        if not self.take("!"):
            return self.primary()
        self.count()
        return Not(operand=self.negated(at))

    def negated(self, at: int) -> Condition:
        """Read: negated = "!" negated | "(" condition ")" | exists | operand."""
        self.skip()
        if self.text.startswith(("!", "("), self.at) or self.before_exists():
            return self.negation()
        operand = self.operand()
        self.skip()
        if _OPERATOR.match(self.text, self.at):
            raise self.flaw("negated_comparison", at)
        return operand

    def primary(self) -> Condition:
        """Read: primary = "(" condition ")" | exists | comparison."""
        if self.take("("):
            self.count()
            condition = self.condition()
            if not self.take(")"):
                raise self.unexpected("`)`")
            return condition
        return self.exists() if self.before_exists() else self.comparison()

    def before_exists(self) -> bool:
        word = _WORD.match(self.text, self.at)
        return word is not None and word.group() == "exists"

    def exists(self) -> Condition:
        """Read: exists = "exists" "(" reference ")"."""
        self.at += len("exists")
        if not self.take("("):
            raise self.unexpected("`(`")
        self.skip()
        if not self.text.startswith("$", self.at):
            raise self.unexpected(say("a_reference"))
        reference = self.reference()
        if not self.take(")"):
            raise self.unexpected("`)`")
        return Exists(reference=reference)

    def comparison(self) -> Condition:
        """Read: comparison = operand [ operator operand ]."""
        left = self.operand()
        self.skip()
        operator = _OPERATOR.match(self.text, self.at)
        if operator is None or _is_misspelt(self.text, self.at):
            return left
        self.at = operator.end()
        right = self.operand()
        self.skip()
        if _OPERATOR.match(self.text, self.at):
            raise self.flaw("chained_comparison")
        known = operator_of(operator.group())
        assert known is not None
        return Comparison(operator=known, left=left, right=right)

    def operand(self) -> Reference | Constant:
        """Read: operand = reference | text | number | "true" | "false" | "null"."""
        self.skip()
        char = self.text[self.at : self.at + 1]
        if char == "$":
            return self.reference()
        if char and char in "\"'":
            return self.quoted()
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            return self.number(number)
        word = _WORD.match(self.text, self.at)
        if word is None or word.group() not in _CONSTANTS:
            raise self.unexpected(say("an_operand"))
        self.at = word.end()
        return Constant(value=_CONSTANTS[word.group()])

    def reference(self) -> Reference:
        """A reference as everywhere; nothing may be left of it as text."""
        scanned = scan_dollar(self.text, self.at)
        if scanned.flaw is not None:
            raise _Stop(scanned.flaw)
        if isinstance(scanned.value, str):
            raise self.unexpected(say("a_reference"))
        self.references.append((self.at, scanned.value))
        self.at = scanned.end
        if self.text[self.at : self.at + 1] in {".", "["}:
            raise self.unexpected(say("a_step"))
        return scanned.value

    def quoted(self) -> Constant:
        """A text in double or single quotes, with JSON's escapes."""
        scanned = scan_string(self.text, self.at)
        if scanned.end < 0:
            raise self.flaw("string_open")
        for fault in scanned.faults:
            raise self.flaw(fault.code, fault.at, found=show(fault.found))
        self.at = scanned.end
        return Constant(value=scanned.value)

    def number(self, match: re.Match[str]) -> Constant:
        """A JSON number that every reader can hold."""
        text = match.group()
        value = read_number(text, real=bool(match["real"]))
        if value is None:
            raise self.flaw("number_range", found=show(text))
        self.at = match.end()
        return Constant(value=value)


_KEYWORDS: Final = frozenset({*_CONSTANTS, "contains", "exists"})


def _is_misspelt(text: str, at: int) -> bool:
    """Whether the symbols at `at` are more than the operator they begin with."""
    symbols = _SYMBOLS.match(text, at)
    return symbols is not None and symbols.group() in _MISSPELT


def operator_of(text: str) -> Operator | None:
    """Return the operator that a text is."""
    return next((each for each in _OPERATORS if each == text), None)


def scan_condition(text: str) -> ConditionScan:
    """Read a condition; never raises."""
    if not text.strip():
        return ConditionScan(condition=None, flaw=Flaw(code="condition_empty"))
    parser = _Parser(text)
    try:
        condition = parser.whole()
    except _Stop as stop:
        return ConditionScan(condition=None, flaw=stop.flaw)
    return ConditionScan(condition=condition, references=tuple(parser.references))


def parse_condition(text: str) -> Condition:
    """Return the AST of a condition.

    Raises:
        LanguageError: with a caret at the first thing that is not the grammar's.
    """
    scan = scan_condition(text)
    if scan.condition is None:
        assert scan.flaw is not None
        raise flaw_error(scan.flaw, text)
    return scan.condition

"""Hypothesis strategies for legal sequences: whatever they make, a text can say."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from custom_components.homeagent.sequence.model import (
    ABSENT,
    Argument,
    Both,
    Comparison,
    Condition,
    Constant,
    Either,
    Exists,
    Group,
    Missing,
    Not,
    OnError,
    Parameter,
    Reference,
    Sequence,
    SlotType,
    Step,
    Template,
    ToolEntry,
)

KEYS = ["a", "b-c", "主机", "_1", "é"]
NAMES = st.sampled_from(["g", "巡检 1", "a.b", "x#y", "Straße", "😀"])
INTEGERS = st.integers(-(2**63), 2**63 - 1)
WORDS = st.text('aé主 "\\\n\x00\x7f\u2028😀.', max_size=4)
TRICKY = st.sampled_from(
    [
        "$",
        "$$",
        "$args",
        "$args.x",
        "${out.a}",
        "$out",
        "$Args.x",
        "$output[0]",
        "{",
        ";",
    ]
)
TEXTS = st.lists(WORDS | TRICKY, max_size=2).map("".join)
SCALARS = (
    st.sampled_from([None, True, False, 0, 1, 1.0, -0.0, 1e300]) | INTEGERS | TEXTS
)
STEPS: SearchStrategy[Step] = st.sampled_from(KEYS) | TEXTS | st.integers(-3, 3)
ROWS = st.lists(SCALARS, max_size=2)
JSON = SCALARS | ROWS | st.dictionaries(WORDS, SCALARS | ROWS, max_size=2)


def is_sayable(text: str) -> bool:
    """Whether plain text can be said at all: `$0` alone cannot."""
    return not (len(text) == 2 and text[0] == "$" and text[1] in "0123456789")


PLAIN = TEXTS.filter(is_sayable)


@st.composite
def references(draw: DrawFn, keys: list[str]) -> Reference:
    """Return a reference to an input that is of the type any, or to all."""
    steps = draw(st.lists(STEPS, max_size=3))
    if not keys:
        return Reference(root="args")
    return Reference(root="args", steps=(draw(st.sampled_from(keys)), *steps))


@st.composite
def templates(draw: DrawFn, keys: list[str]) -> Template:
    """Return a text with references, as reading would make it."""
    count = draw(st.integers(1, 3))
    parts: list[str | Reference] = []
    for _ in range(count):
        text = draw(TEXTS)
        # Nothing can say a dollar right before a reference.
        parts += [*filter(None, [text.rstrip("$")]), draw(references(keys))]
    parts += filter(None, [draw(TEXTS)])
    return Template(parts=tuple(parts if len(parts) > 1 else [*parts, "."]))


def arguments(keys: list[str]) -> SearchStrategy[Argument]:
    """Return values of arguments."""
    leaves = (
        st.sampled_from([None, True, 1, 1.5])
        | PLAIN
        | references(keys)
        | templates(keys)
    )
    rows = st.lists(leaves, max_size=2).map(tuple)
    return leaves | rows | st.dictionaries(WORDS, leaves | rows, max_size=2)


def conditions(keys: list[str]) -> SearchStrategy[Condition]:
    """Return conditions over the inputs."""
    constants = SCALARS.map(lambda value: Constant(value=value))
    operands = constants | references(keys)
    operators = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "contains"])
    leaves = (
        operands
        | references(keys).map(lambda each: Exists(reference=each))
        | st.builds(Comparison, operator=operators, left=operands, right=operands)
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(Not, operand=inner)
            | st.builds(Both, left=inner, right=inner)
            | st.builds(Either, left=inner, right=inner)
        ),
        max_leaves=6,
    )


def parameters(*, inputs: bool) -> SearchStrategy[Parameter]:
    """Return declarations of the type any, so that every step may be taken."""
    if not inputs:
        types = st.sampled_from([SlotType.ANY, SlotType.ARRAY, SlotType.STRING])
        return st.builds(Parameter, type=types, description=WORDS)
    optional = JSON.map(
        lambda value: Parameter(type=SlotType.ANY, default=value, required=False)
    )
    choices = st.lists(JSON, min_size=1, max_size=3).map(
        lambda values: Parameter(type=SlotType.ANY, enum=tuple(values))
    )
    plain = st.builds(
        Parameter, type=st.just(SlotType.ANY), description=WORDS, required=st.booleans()
    )
    return plain | optional | choices


@st.composite
def entries(draw: DrawFn, keys: list[str], slot: str | None) -> ToolEntry:
    """Return an entry that writes a slot, or none."""
    name = draw(st.sampled_from(["t.a", "host_run", "light.turn_on", "工具"]))
    args = draw(st.dictionaries(WORDS, arguments(keys), max_size=3))
    select = draw(st.none() | st.lists(STEPS, min_size=1, max_size=3).map(tuple))
    fallback = draw(st.just(ABSENT) | JSON)
    return ToolEntry(
        tool=name,
        args=args,
        as_=slot,
        select=select,
        fallback=fallback if slot else ABSENT,
        unsafe_serial=draw(st.booleans()),
    )


@st.composite
def groups(draw: DrawFn, name: str) -> Group:
    """Return a group of a few entries."""
    inputs = draw(
        st.dictionaries(st.sampled_from(KEYS), parameters(inputs=True), max_size=3)
    )
    outputs = draw(
        st.dictionaries(st.sampled_from(KEYS), parameters(inputs=False), max_size=3)
    )
    slots = [*draw(st.permutations(list(outputs))), *([None] * draw(st.integers(0, 2)))]
    keys = list(inputs)
    condition = draw(st.none() | conditions(keys))
    if condition == Constant(value=True):
        condition = None
    retries = draw(st.integers(0, 10))
    on_error = (
        OnError.RETRY
        if retries
        else draw(st.sampled_from([OnError.ABORT, OnError.CONTINUE]))
    )
    return Group(
        name=name,
        tools=tuple(draw(entries(keys, slot)) for slot in slots or [None]),
        description=draw(WORDS),
        inputs=inputs,
        outputs=outputs,
        when=condition,
        parallel=draw(st.booleans()),
        timeout=draw(st.integers(1, 3_600_000_000)) / 1000,
        on_error=on_error,
        retries=retries,
        missing=draw(st.sampled_from([Missing.FAIL, Missing.SKIP])),
        call_only=draw(st.booleans()),
    )


@st.composite
def sequences(draw: DrawFn) -> Sequence:
    """Return a legal sequence."""
    names = draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
    return Sequence(
        name=draw(NAMES),
        description=draw(WORDS),
        groups=tuple(draw(groups(name)) for name in names),
    )

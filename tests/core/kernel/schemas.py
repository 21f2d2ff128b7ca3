"""Random schemas and random values that have something to do with each other."""

from typing import Any

from hypothesis import strategies as st

type Schema = dict[str, Any]

TEXTS = ["", " ", "a", "ab", "on", "1", "20", "3.0", "3.7", "true", "null", "[", "{}"]
TEXTS += ['["a"]', "[1, 2]", '{"a": 1}', '{"a": "20"}', "é", "ALWAYS", "1e2", "-0"]
NUMBERS = [-1, 0, 1, 2, 3, 20, 0.0, 1.0, 3.0, 3.7, -0.5, 1e300]
KEYS = ["a", "b", "c", "x y"]
PATTERNS = ["^a", "b$", "^[0-9]+$", "."]

scalars = st.sampled_from([None, True, False, *NUMBERS, *TEXTS])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
arguments = st.dictionaries(st.sampled_from(KEYS), values, max_size=4)

bounds = st.sampled_from([-1, 0, 1, 2, 2.5, 20])
counts = st.integers(0, 2)


def some_of(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    """Return any of the keywords."""
    return st.fixed_dictionaries({}, optional=keywords)


def with_type(
    kind: str, **keywords: st.SearchStrategy[Any]
) -> st.SearchStrategy[Schema]:
    """Return a type with any of its keywords."""
    return some_of(**keywords).map(lambda extra: {"type": kind, **extra})


leaves = st.one_of(
    with_type("string", minLength=counts, maxLength=counts),
    with_type("string", pattern=st.sampled_from(PATTERNS)),
    with_type("integer", minimum=bounds, maximum=bounds),
    with_type("number", exclusiveMinimum=bounds, exclusiveMaximum=bounds),
    with_type("boolean"),
    with_type("null"),
    st.builds(lambda them: {"enum": them}, st.lists(scalars, min_size=1, max_size=3)),
    st.builds(lambda value: {"const": value}, values),
    st.builds(
        lambda kinds: {"type": kinds},
        st.lists(
            st.sampled_from(
                ["string", "integer", "number", "boolean", "null", "array"]
            ),
            min_size=1,
            max_size=3,
            unique=True,
        ),
    ),
    st.builds(
        lambda kind, them: {"type": kind, "enum": them},
        st.sampled_from(["string", "integer", "number", "boolean"]),
        st.lists(scalars, min_size=1, max_size=4),
    ),
    some_of(minimum=bounds, minLength=counts, required=st.just(["a"])),
    st.just({}),
)


def containers(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """Return schemas that hold others."""
    options = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        with_type("array", items=inner, minItems=counts, maxItems=counts),
        objects(inner),
        options.map(lambda them: {"anyOf": them}),
        options.map(lambda them: {"allOf": them}),
        st.builds(lambda own, them: {**own, "anyOf": them}, inner, options),
    )


def objects(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """Return schemas of objects."""
    return with_type(
        "object",
        properties=st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
        required=st.lists(st.sampled_from(KEYS), max_size=2, unique=True),
        additionalProperties=st.booleans() | inner,
        patternProperties=st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=1),
    )


schemas = st.recursive(leaves, containers, max_leaves=5)
parameters = st.one_of(objects(schemas), objects(leaves))

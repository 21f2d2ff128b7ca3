"""What holds for the checker whatever the schema and the arguments are.

The oracle is jsonschema, which knows nothing of lenient forms.
"""

from copy import deepcopy

from hypothesis import HealthCheck, given, settings, strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.json_text import same_json
from custom_components.homeagent.kernel.lenient_schema import publish
from custom_components.homeagent.kernel.validation import compile_schema

from .schemas import Schema, arguments, parameters

many = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

garbage = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type enum const items properties required anyOf allOf minimum pattern"
                " additionalProperties patternProperties minLength prefixItems".split()
            )
            | st.text(max_size=2),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def strictly(schema: object, value: object) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


@many
@given(parameters, arguments)
def test_what_passes_is_right_by_the_letter(schema: Schema, given: Schema) -> None:
    checked = compile_schema(schema)(given)
    assert checked.problems or strictly(schema, checked.arguments)


@many
@given(parameters, arguments)
def test_what_is_right_by_the_letter_passes_unchanged(
    schema: Schema, given: Schema
) -> None:
    if strictly(schema, given):
        checked = compile_schema(schema)(given)
        assert not checked.problems
        assert same_json(checked.arguments, given)


@many
@given(parameters, arguments)
def test_what_passes_passes_the_published_schema(schema: Schema, given: Schema) -> None:
    published = publish(schema)
    Draft202012Validator.check_schema(published)
    if not compile_schema(schema)(given).problems:
        assert strictly(published, given), published


@many
@given(parameters, arguments)
def test_checking_twice_is_checking_once_and_changes_nothing(
    schema: Schema, given: Schema
) -> None:
    check, before = compile_schema(schema), deepcopy(given)
    first = check(given)
    assert same_json(given, before)
    if not first.problems:
        assert check(first.arguments) == first


@many
@given(garbage, garbage)
def test_garbage_never_raises(schema: object, given: object) -> None:
    checked = compile_schema(schema)(given)  # type: ignore[arg-type]
    assert isinstance(checked.arguments, dict)
    Draft202012Validator.check_schema(publish(schema))  # type: ignore[arg-type]

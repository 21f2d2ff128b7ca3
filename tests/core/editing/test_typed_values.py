"""What people type as the value of a type, and what is shown of a value."""

from contextlib import suppress
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.editing.faults import FormFault
from custom_components.homeagent.editing.typed_values import text_of, value_of
from custom_components.homeagent.kernel.json_text import encode_json
from custom_components.homeagent.sequence.model import SlotType


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "kitchen", "kitchen"),
        ("string", "5", "5"),
        ("string", "yes", "yes"),
        ("string", '"hello" she said', '"hello" she said'),
        ("string", '" kept "', " kept "),
        ("string", "{{ x }}", "{{ x }}"),
        ("integer", "5", 5),
        ("integer", "+5", 5),
        ("integer", "05", 5),
        ("number", "1.5", 1.5),
        ("number", "1,5", 1.5),
        ("number", "-0,125", -0.125),
        ("number", "\uff11，\uff15", 1.5),
        ("number", "\u22123", -3),
        ("number", "1e3", 1000.0),
        ("boolean", "yes", True),
        ("boolean", "On", True),
        ("boolean", "TRUE", True),
        ("boolean", "是", True),
        ("boolean", "开", True),
        ("boolean", "no", False),
        ("boolean", "off", False),
        ("boolean", "false", False),
        ("boolean", "否", False),
        ("boolean", "关", False),
        ("array", "kitchen", ["kitchen"]),
        ("array", "kitchen, hall", ["kitchen", "hall"]),
        ("array", "厨房，客厅、卧室", ["厨房", "客厅", "卧室"]),
        ("array", "[kitchen, 5]", ["kitchen", 5]),
        ("array", '"a, b", c', ["a, b", "c"]),
        ("array", '[{"a": [1]}]', [{"a": [1]}]),
        ("array", "[]", []),
        ("object", "lamp: desk, level: 5", {"lamp": "desk", "level": 5}),
        ("object", "灯：台灯", {"灯": "台灯"}),
        ("object", "url: http://nas:80", {"url": "http://nas:80"}),
        ("object", '{"a": {"b": 1}}', {"a": {"b": 1}}),
        ("any", "kitchen", "kitchen"),
        ("any", "off", "off"),
        ("any", "1,5", "1,5"),
        ("any", "5", 5),
        ("any", '"5"', "5"),
        ("any", "null", None),
    ],
)
def test_value(kind: str, text: str, value: object) -> None:
    """As people write it; blanks around it are a slip."""
    assert encode_json(value_of(f" {text} ", kind, "f")) == encode_json(value)


@pytest.mark.parametrize(
    ("kind", "text", "word", "more"),
    [
        ("number", "1,500", "row_number_unclear", {"whole": "1500", "point": "1.500"}),
        ("integer", "12,500,000", "row_number_unclear", {"whole": "12500000"}),
        ("number", "warm", "row_no_number", {"text": "warm"}),
        ("number", "21 °C", "row_no_number", {}),
        ("number", "1" * 301 + ",0", "row_no_number", {}),
        ("number", "1e999", "row_no_number", {}),
        ("number", "true", "row_no_number", {}),
        ("boolean", "maybe", "row_no_flag", {}),
        ("boolean", "1", "row_no_flag", {}),
        ("array", "a,,b", "row_no_list", {}),
        ("array", "a,", "row_no_list", {}),
        ("array", '["a"', "row_no_list", {}),
        ("array", '{"a": 1}', "row_no_list", {}),
        ("object", "kitchen", "row_no_object", {}),
        ("object", "a: 1, a: 2", "row_no_object", {}),
        ("object", "a: [1", "row_no_object", {}),
        ("any", '{"a": 1', "row_no_value", {}),
    ],
)
def test_fault(kind: str, text: str, word: str, more: dict[str, Any]) -> None:
    """The words say what is expected, and what was found."""
    with pytest.raises(FormFault) as told:
        value_of(text, kind, "f")
    fault = told.value.fault
    assert (fault.word, fault.placeholders["field"]) == (word, "f")
    assert fault.placeholders.items() >= more.items()


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("string", "kitchen", "kitchen"),
        ("string", "", '""'),
        ("string", " x", '" x"'),
        ("number", 17, "17"),
        ("boolean", True, "yes"),
        ("array", ["light.a", "light.b"], "light.a, light.b"),
        ("array", ["5"], '["5"]'),
        ("object", {"lamp": "desk", "on": True}, "lamp: desk, on: true"),
        ("object", {"a": {"b": 1}}, '{"a":{"b":1}}'),
        ("any", "5", '"5"'),
        ("any", "kitchen", "kitchen"),
    ],
)
def test_shown(kind: str, value: object, text: str) -> None:
    """As people would type it, in JSON where that would be read otherwise."""
    assert text_of(value, kind) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
VALUES = {
    SlotType.STRING: st.text(),
    SlotType.INTEGER: st.integers(),
    SlotType.NUMBER: st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    SlotType.BOOLEAN: st.booleans(),
    SlotType.ARRAY: st.lists(JSON),
    SlotType.OBJECT: st.dictionaries(st.text(), JSON),
    SlotType.ANY: JSON,
}


@given(st.data())
def test_both_ways(data: st.DataObject) -> None:
    """Whatever a type holds is shown so that the same is read again."""
    kind = data.draw(st.sampled_from(SlotType))
    value = data.draw(VALUES[kind].filter(_is_json))
    words = data.draw(st.sampled_from([("yes", "no"), ("是", "否")]))
    assert encode_json(value_of(text_of(value, kind, words), kind, "")) == (
        encode_json(value)
    )


def _is_json(value: object) -> bool:
    try:
        encode_json(value).encode()
    except ValueError:
        return False
    return True


@given(st.sampled_from(SlotType), st.text(alphabet='ab1, "[]{}:.：，-+\\'))
def test_total(kind: SlotType, text: str) -> None:
    """Any text is a value, or a fault."""
    with suppress(FormFault):
        value_of(text, kind, "")

"""Text -> AST -> text -> AST is the identity on the AST, and so is storing (§2.3)."""

from collections.abc import Callable
from contextlib import suppress
import copy
import json
from pathlib import Path

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.sequence.ast_encoder import encode_sequence
from custom_components.homeagent.sequence.codec import content_hash, dump, load
from custom_components.homeagent.sequence.document import parse_sequence, read_sequence
from custom_components.homeagent.sequence.failures import DamagedSequence
from custom_components.homeagent.sequence.limits import MAX_BYTES
from custom_components.homeagent.sequence.model import (
    Group,
    Reference,
    Sequence,
    Template,
    ToolEntry,
)
from custom_components.homeagent.sequence.writer import (
    entry_text,
    to_arguments,
    to_document,
    to_text,
)

from .ast_strategies import sequences
from .test_document import INSPECTION
from .texts import call, legal, one_group, sequence_text

CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "sequence-check.json").read_text("utf-8")
)


def exact(sequence: Sequence) -> str:
    """Return a form in which 1, 1.0 and true differ, and the order of keys counts."""
    return json.dumps(encode_sequence(sequence))


@settings(max_examples=40)
@given(sequences())
def test_identity(sequence: Sequence) -> None:
    """Every way out and in again gives the same AST."""
    text = to_text(sequence)
    for again in (
        legal(text),
        legal(json.dumps(to_arguments(sequence))),
        read_sequence(to_document(sequence)).sequence,
        read_sequence(to_arguments(sequence)).sequence,
        load(dump(sequence)),
        load(json.loads(json.dumps(dump(sequence), sort_keys=True))),
    ):
        assert again == sequence
    assert exact(legal(text)) == exact(sequence)
    assert to_text(legal(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        INSPECTION,
        *(case["text"] for case in CASES if case["ok"]),
        one_group(
            '{"tool":"t","args":{"a":"x${args}y $$out $args.k[0]. z"}} ;',
            in_={"k": "any"},
        ),
        one_group(call("g1").replace("g1", "#other") + call("#o/g")),
        one_group(
            '{"tool":"seq_when_call","args":{"when":"!($args.k == 1) && (1 == 1 || $args.k)",'
            '"target":"#x"}} ;',
            in_={"k": {"type": "bool", "required": False}},
        ),
        one_group(timeout="90s", when="true"),
        sequence_text(
            {"name": "g", "tools": [{"tool": "t", "args": {"x": [1, 1.0, True]}}]}
        ),
    ],
    ids=lambda text: text[-40:],
)
def test_identity_of_texts(text: str) -> None:
    """However a text is written, what it means is kept."""
    sequence = legal(text)
    assert exact(legal(to_text(sequence))) == exact(sequence)
    assert load(dump(sequence)) == sequence


MUTATED = st.sampled_from(
    ['"', "$", "{", "}", ";", ",", "\\", "a", "1", " ", "é", "args", "."]
)


@settings(max_examples=200)
@given(st.sampled_from(CASES), st.integers(0, 400), st.integers(0, 2), MUTATED)
def test_changed_texts(case: dict[str, str], at: int, cut: int, put: str) -> None:
    """A text with one change has errors, or a meaning that is kept."""
    text = case["text"]
    at %= len(text)
    parsed = parse_sequence(text[:at] + put + text[at + cut :])
    assert (parsed.sequence is None) is bool(parsed.errors)
    if parsed.sequence is not None:
        assert exact(legal(to_text(parsed.sequence))) == exact(parsed.sequence)
        assert load(dump(parsed.sequence)) == parsed.sequence


def test_what_is_written() -> None:
    """Defaults are left out, tools are the text, references are texts."""
    document = to_document(legal(INSPECTION))
    assert list(document) == ["name", "description", "groups"]
    groups = document["groups"]
    assert isinstance(groups, list)
    single = groups[0]
    assert list(single) == [
        "name",
        "description",
        "in",
        "out",
        "when",
        "call_only",
        "tools",
    ]
    assert single["in"]["verbose"] == {"type": "boolean", "default": True}
    assert single["tools"].startswith('{"tool":"host_run","args":{"host":"$args.host",')
    assert single["tools"].endswith("} ;")
    assert to_text(legal(INSPECTION)).startswith('{\n  "name": "巡检三节点"')


def test_one_entry() -> None:
    """An entry is written as it stands in tools."""
    entry = ToolEntry(tool="t", args={"x": ("a", Reference(root="out", steps=("r",)))})
    assert entry_text(entry) == '{"tool":"t","args":{"x":["a","$out.r"]}} ;'


def test_long_texts_stay_legal() -> None:
    """What is legal stays so when written, if need be without indentation."""
    groups = [{"name": f"g{n}", "tools": [{"tool": "t"}] * 40} for n in range(200)]
    sequence = legal(sequence_text(*groups, description="x" * 70_000))
    text = to_text(sequence)
    assert len(text.encode()) <= MAX_BYTES
    assert legal(text) == sequence


STORED = dump(legal(INSPECTION))


def changed(change: Callable[[dict[str, object]], object]) -> dict[str, object]:
    """Return a stored form with a change under a right hash."""
    data = copy.deepcopy(STORED)
    content = data["sequence"]
    assert isinstance(content, dict)
    change(content)
    data["hash"] = content_hash(content)
    return data


def first_group(content: dict[str, object]) -> dict[str, object]:
    groups = content["groups"]
    assert isinstance(groups, list)
    group: dict[str, object] = groups[0]
    return group


def first_entry(content: dict[str, object]) -> dict[str, object]:
    tools = first_group(content)["tools"]
    assert isinstance(tools, list)
    entry: dict[str, object] = tools[0]
    return entry


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (None, ""),
        ({}, ""),
        (STORED | {"more": 1}, ""),
        (STORED | {"version": 2}, "version"),
        (STORED | {"version": True}, "version"),
        (STORED | {"hash": "0"}, "hash"),
        (STORED | {"sequence": []}, "sequence"),
        (changed(lambda s: s.update(name=1)), "sequence.name"),
        (changed(lambda s: s.update(name="a/b")), "name"),
        (changed(lambda s: s.update(groups={})), "sequence.groups"),
        (changed(lambda s: s.update(groups=[])), "groups"),
        (changed(lambda s: s.pop("description")), "sequence"),
        (changed(lambda s: first_group(s).update(paralell=True)), "sequence.groups[0]"),
        (
            changed(lambda s: first_group(s).update(parallel=1)),
            "sequence.groups[0].parallel",
        ),
        (
            changed(lambda s: first_group(s).update(on_error="x")),
            "sequence.groups[0].on_error",
        ),
        (
            changed(lambda s: first_group(s).update(retries=1.5)),
            "sequence.groups[0].retries",
        ),
        (changed(lambda s: first_group(s).update(retries=3)), "groups[0].retries"),
        (changed(lambda s: first_group(s).update(timeout=0.0)), "groups[0].timeout"),
        (
            changed(lambda s: first_group(s).update(timeout=float("nan"))),
            "sequence.groups[0].timeout",
        ),
        (changed(lambda s: first_group(s).update(timeout=0.00051)), "sequence"),
        (changed(lambda s: first_group(s).update(outputs=[])), "groups[0].tools[0].as"),
        (
            changed(lambda s: first_group(s).update(when={"not": 1})),
            "sequence.groups[0].when.not",
        ),
        (changed(lambda s: first_group(s).update(when={"constant": True})), "sequence"),
        (
            changed(lambda s: first_entry(s).update(tool="seq_run")),
            "groups[0].tools[0].tool",
        ),
        (
            changed(lambda s: first_entry(s).update(args=[])),
            "sequence.groups[0].tools[0].args",
        ),
        (
            changed(lambda s: first_entry(s).update(args={"x": {"y": 1}})),
            "sequence.groups[0].tools[0].args.x",
        ),
        (
            changed(lambda s: first_entry(s).update(args={"x": "$0"})),
            "groups[0].tools[0].args.x",
        ),
        (
            changed(
                lambda s: first_entry(s).update(args={"x": {"template": ["a", "b"]}})
            ),
            "sequence",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damage(data: object, path: str) -> None:
    """Loading is as strict as creating, and says where the damage is."""
    with pytest.raises(DamagedSequence) as caught:
        load(data)
    assert caught.value.path == path
    assert caught.value.reason


def test_a_dollar_before_a_reference_cannot_be_stored() -> None:
    """No text says a dollar right before a reference, so no stored form may."""
    reference = Reference(root="args")
    entry = ToolEntry(tool="t", args={"x": Template(parts=("$", reference))})
    sequence = Sequence(name="s", groups=(Group(name="g", tools=(entry,)),))
    with pytest.raises(DamagedSequence):
        load(dump(sequence))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "groups", "not", "object", "x"]), inner
        )
    ),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["sequence", "name", "groups", "tools", "args", "when"]))
def test_any_damage(value: object, where: str) -> None:
    """Whatever is stored, it is loaded or refused with a path."""
    data: dict[str, object] = STORED | {"sequence": value, "hash": ""}
    if where in {"tools", "when"}:
        data = changed(lambda content: first_group(content).update({where: value}))
    elif where == "args":
        data = changed(lambda content: first_entry(content).update({where: value}))
    elif where != "sequence":
        data = changed(lambda content: content.update({where: value}))
    with suppress(DamagedSequence):
        assert load(data).groups


def test_depth_of_damage() -> None:
    """Nesting without end is damage too."""
    value: object = None
    for _ in range(5000):
        value = {"object": {"x": value}}
    data = copy.copy(STORED)
    content = copy.deepcopy(data["sequence"])
    assert isinstance(content, dict)
    first_entry(content)["args"] = {"x": value}
    with pytest.raises(DamagedSequence, match="nested too deeply"):
        load(data | {"sequence": content})

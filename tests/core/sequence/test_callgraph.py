"""Cycles and depth of calls, over groups and sequences together (§8.3)."""

import pytest

from custom_components.homeagent.sequence.callgraph import (
    CallGraph,
    count_calls,
    deepest,
    find_cycles,
)
from custom_components.homeagent.sequence.checks import check_sequence
from custom_components.homeagent.sequence.model import Sequence

from .texts import Sequences, Tools, call, codes, group_text, lookup, named


def calling(name: str, *targets: str) -> Sequence:
    """Return a sequence whose one group calls these."""
    tools = "".join(map(call, targets)) or '{"tool":"t"} ;'
    return named(name, group_text(tools))


def groups(name: str, **targets: str) -> Sequence:
    """Return a sequence whose groups call one target each, or none."""
    return named(
        name,
        *(
            group_text(call(target) if target else '{"tool":"t"} ;') | {"name": group}
            for group, target in targets.items()
        ),
    )


def cycles(own: Sequence, *others: Sequence) -> list[str]:
    """Return the shown cycles that saving a sequence closes."""
    graph = CallGraph(own, lookup(*others))
    return [graph.shown(walk) for walk in find_cycles(graph)]


@pytest.mark.parametrize(
    ("own", "others", "expected"),
    [
        (calling("A"), (), []),
        (calling("A", "#B"), (), []),
        (calling("A", "#B"), (calling("B", "#C"), calling("C")), []),
        (calling("A", "#A"), (), ["#A → #A"]),
        (calling("A", "#a"), (), ["#A → #A"]),
        (calling("A", "#B"), (calling("B", "#A"),), ["#A → #B → #A"]),
        (
            calling("A", "#B"),
            (calling("B", "#C"), calling("C", "#A")),
            ["#A → #B → #C → #A"],
        ),
        (groups("A", g1="g1"), (), ["#A/g1 → #A/g1"]),
        (groups("A", g1="g2", g2="g1"), (), ["#A/g1 → #A/g2 → #A/g1"]),
        (groups("A", g1="g2", g2="g3", g3=""), (), []),
        (
            groups("A", g1="#B", g2=""),
            (groups("B", h="#A/g1"),),
            ["#A/g1 → #B → #A/g1"],
        ),
        (groups("A", g1="#B", g2=""), (groups("B", h="#A/g2"),), []),
        (groups("A", g1="#B/h", g2=""), (groups("B", h="", k="#A/g1"),), []),
        (calling("A", "#A/nope"), (), []),
    ],
)
def test_cycles(
    own: Sequence, others: tuple[Sequence, ...], expected: list[str]
) -> None:
    """The whole path is shown; a call of another group of the caller is no cycle."""
    assert cycles(own, *others) == expected


def test_a_call_only_group_is_not_run() -> None:
    """A sequence as a whole does not lead into its call-only groups."""
    calls = group_text(call("#B"), call_only=True) | {"name": "h"}
    other = named("B", group_text(), calls)
    assert cycles(calling("A", "#B"), other) == []
    assert cycles(named("A", calls), calling("B", "#A")) == []
    assert cycles(named("A", calls), calling("B", "#A/h")) == ["#A/h → #B → #A/h"]


def test_the_refusal() -> None:
    """A cycle is an error at the call that closes it, whatever the store holds."""
    other = calling("B", "#A")
    report = check_sequence(calling("A", "#B"), Tools(), lookup(other, calling("A")))
    (problem,) = report.errors
    assert (problem.code, problem.path) == ("cycle", "groups[0].tools[0].args.target")
    assert "#A → #B → #A" in problem.message


def chain(length: int) -> list[Sequence]:
    """Return sequences that call one another in a row, S0 the first."""
    links = [calling(f"S{n}", f"#S{n + 1}") for n in range(length)]
    return [*links, calling(f"S{length}")]


@pytest.mark.parametrize(
    ("length", "expected"), [(0, []), (1, []), (4, []), (5, ["depth"]), (9, ["depth"])]
)
@pytest.mark.parametrize("which", ["first", "middle", "last"])
def test_depth(length: int, which: str, expected: list[str]) -> None:
    """Four calls within each other are legal, seen from wherever the change is."""
    links = chain(length)
    own = links[{"first": 0, "middle": length // 2, "last": length}[which]]
    others = [link for link in links if link is not own]
    report = check_sequence(own, Tools(), lookup(*others))
    assert codes(report.errors) == expected
    if expected and which == "first":
        walk = " → ".join(f"#S{n}" for n in range(length + 1))
        assert f"each other: {walk}; at most 4" in report.errors[0].message


def test_calls_within_a_sequence_do_not_count() -> None:
    """Calls of groups of the same sequence add nothing to the depth (§8.3)."""
    own = groups("A", a="b", b="c", c="d", d="e", e="f", f="#B")
    graph = CallGraph(own, lookup(calling("B")))
    walk = deepest(graph, graph.own_nodes())
    assert count_calls(graph, walk) == 1


def test_long_chains_do_not_recurse() -> None:
    """Two hundred groups in a row, through many sequences, are no trouble."""
    names = [f"g{n}" for n in range(200)]
    rows = [
        groups(
            f"S{k}",
            **dict(
                zip(names, [*names[1:], f"#S{k + 1}/g0" if k < 9 else ""], strict=True)
            ),
        )
        for k in range(10)
    ]
    graph = CallGraph(rows[0], lookup(*rows[1:]))
    assert find_cycles(graph) == []
    assert count_calls(graph, deepest(graph, graph.own_nodes())) == 9


def test_foreign_cycles_do_not_hang() -> None:
    """Cycles that are in the store already are told, and nothing runs for ever."""
    others = lookup(calling("B", "#C"), calling("C", "#B"))
    assert codes(check_sequence(calling("A"), Tools(), others).errors) == []
    assert codes(check_sequence(calling("A", "#B"), Tools(), others).errors) == [
        "cycle"
    ]
    assert codes(check_sequence(calling("A"), Tools(), Sequences()).errors) == []

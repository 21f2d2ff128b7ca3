"""Wrong arguments that name something: who learns what may be meant (page 1 §1.1)."""

from dataclasses import dataclass, field
from typing import override

import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Checked,
    Tool,
    ToolCall,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.masking import NOT_ALLOWED

from ..virtual_time import run_virtual
from .fakes import ANYONE, FakePolicy, FakeTool, Home

WRONG = ToolError(reason=Reason.TYPE, field="n", detail="no number")


def unknown(*candidates: str, field: str = "lamp") -> ToolError:
    """Return the problem of a name that was not found."""
    return ToolError(
        reason=Reason.VALUE, field=field, detail="not found", candidates=candidates
    )


class SameCaller(FakePolicy):
    """Sees that nobody else is asked about."""

    @override
    def sees_everything(self, caller: Caller) -> bool:
        """Tell what the test says."""
        assert caller is ANYONE
        return super().sees_everything(caller)


@dataclass
class Granting(Home):
    """A home whose callers may name what is granted."""

    granted: frozenset[str] = frozenset()
    asked_about: list[tuple[Caller, Tool]] = field(default_factory=list)

    @override
    def __post_init__(self) -> None:
        """Build a door that asks what may be named."""
        self.door = Door(
            registry=self.registry, policy=self.policy, may_name=self.may_name
        )

    def may_name(self, caller: Caller, tool: Tool, name: str) -> bool:
        """Tell what the test says."""
        self.asked_about.append((caller, tool))
        return name in self.granted


def wrong(home: Home, *problems: ToolError) -> FakeTool:
    """Add a tool that has these problems with whatever it is called with."""
    tool = home.tool("t")

    def check(arguments: Arguments) -> Checked:
        return Checked(arguments={}, problems=problems)

    tool.check = check  # type: ignore[method-assign]
    return tool


@pytest.mark.parametrize(
    ("admin", "problems", "said"),
    [
        (True, [WRONG], ["n: no number"]),
        (True, [unknown()], ["lamp: not found"]),
        (True, [unknown("a", "b")], ["lamp: not found: a, b"]),
        (False, [WRONG], ["n: no number"]),
        (False, [unknown("a", "b")], ["lamp: not found: a"]),
        (False, [unknown("c", "b", "a")], ["lamp: not found: c, a"]),
        (
            False,
            [WRONG, unknown("a"), unknown("c", field="x")],
            ["n: no number", "lamp: not found: a", "x: not found: c"],
        ),
        (False, [unknown("b")], None),
        (False, [unknown()], None),
        (False, [unknown("a"), unknown("b")], None),
        (False, [WRONG, unknown()], None),
    ],
)
def test_candidates_are_told_to_those_who_may_use_them(
    admin: bool, problems: list[ToolError], said: list[str] | None
) -> None:
    """A name without any looks like one that stands for something hidden."""
    home = Granting(policy=SameCaller(admin=admin), granted=frozenset({"a", "c"}))
    tool = wrong(home, *problems)
    result = run_virtual(home.run(ToolCall(tool="t"))).results[0]
    error = result.error
    assert error is not None
    if said is None:
        assert error == NOT_ALLOWED
    else:
        told = [error, *error.also]
        assert [f"{one.field}: {one.detail}" for one in told] == said
        assert {one.candidates for one in told} == {None}
    assert all(asked == (ANYONE, tool) for asked in home.asked_about)
    assert not (admin and home.asked_about)


def test_journal_knows_why_a_name_was_refused() -> None:
    """It has the words that the answer leaves out."""
    home = Granting(policy=FakePolicy(admin=False))
    wrong(home, unknown("b"))
    run_virtual(home.run("t"))
    assert [record.result.error for record in home.records] == [
        ToolError(
            reason=Reason.UNAUTHORIZED,
            detail="what it names is not there, or not granted",
            hint="Ask an administrator of this home for access.",
        )
    ]


@pytest.mark.parametrize("admin", [True, False])
def test_refused_names_decide_like_tools_that_are_not_there(admin: bool) -> None:
    """How the batch runs tells nothing either."""
    home = Granting(policy=FakePolicy(admin=admin))
    wrong(home, unknown("b"))
    assert home.batch("t", "t").decide().parallel is admin


def test_nothing_may_be_named_where_nobody_says_so() -> None:
    """A door that was given no answer tells no names."""
    home = Home(policy=FakePolicy(admin=False))
    wrong(home, unknown("a"))
    assert run_virtual(home.run("t")).results[0].error == NOT_ALLOWED

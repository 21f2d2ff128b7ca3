"""A run for which a person said yes: once, for all its steps that ask (page 1 §1.6)."""

from dataclasses import replace

import pytest

from custom_components.homeagent.kernel.agreements import AgreementPolicy, agreed_call
from custom_components.homeagent.kernel.contract import Agreed
from custom_components.homeagent.sequence.outputs import call_output, run_output
from custom_components.homeagent.sequence.report import RunReport

from ..kernel.fakes import ANYONE
from ..virtual_time import run_virtual
from .engine_home import Home, Json, call, group, serial, shape


def asking_home() -> Home:
    """Return a home in which `t.ask` needs a yes, and agreements count."""
    home = Home()
    home.tool("t.a", {"value": 1})
    home.tool("t.ask")
    home.policy.asks.add("t.ask")
    policy = AgreementPolicy(home.policy)
    home.door.policy = policy
    home.engine.ports = replace(home.engine.ports, can_use=policy.can_use)
    return home


def step(**args: object) -> Json:
    """Write a step that asks."""
    return {"tool": "t.ask", "args": args}


def run(home: Home, *groups: Json, agreed: frozenset[Agreed]) -> RunReport:
    """Run groups for a caller whose person agreed to something."""
    caller = replace(ANYONE, agreed=agreed)
    return run_virtual(home.started(*groups, caller=caller))


GROUPS = (group("t.a", step(v=1)), group(step(v=2), name="g2"))


def test_run_tells_what_it_asks_for() -> None:
    """Nothing ran; the outcome has the steps with their arguments."""
    home = asking_home()
    report = run(home, *GROUPS, agreed=frozenset())
    assert report.asks == {
        agreed_call("t.ask", {"v": 1}),
        agreed_call("t.ask", {"v": 2}),
    }
    assert home.calls("t.a") == 0
    for output in (
        run_output(report.masked()),
        call_output(report.masked(), inside=False),
    ):
        assert output.asks == report.asks
        assert output.error is not None
        assert output.error.reason == "unconfirmed"


def test_agreed_run_runs_all_its_steps() -> None:
    """One yes for all of them."""
    home = asking_home()
    asks = run(home, *GROUPS, agreed=frozenset()).asks
    report = run(home, *GROUPS, agreed=asks)
    assert shape(report) == [("ok", ["ok", "ok"]), ("ok", ["ok"])]
    assert home.calls("t.ask") == 2
    assert not report.asks


def test_steps_added_meanwhile_are_asked_for() -> None:
    """A yes is for the steps that were told, not for what the sequence is by now."""
    home = asking_home()
    asks = run(home, *GROUPS, agreed=frozenset()).asks
    report = run(home, *GROUPS, group(step(v=3), name="g3"), agreed=asks)
    assert report.asks == {agreed_call("t.ask", {"v": 3})}
    assert home.calls("t.ask") == 0


def test_arguments_out_of_results_are_agreed_to_as_such() -> None:
    """What is known only then is released for whatever it will be."""
    home = asking_home()
    groups = serial({"tool": "t.a", "as": "x"}, step(v="$out.x"), out={"x": "any"})
    asks = run(home, groups, agreed=frozenset()).asks
    assert asks == {agreed_call("t.ask", None)}
    assert shape(run(home, groups, agreed=asks)) == [("ok", ["ok", "ok"])]


@pytest.mark.parametrize("when", [None, "$out.x == 1"])
def test_steps_behind_doors_are_asked_for_too(when: str | None) -> None:
    """A nested call, and one that may not be made, are part of the one question."""
    home = asking_home()
    home.add("inner", group(step(v="$args.v"), inputs={"v": "integer"}))
    nested = call("#inner", v=7)
    if when is not None:
        nested = {"tool": "seq_when_call", "args": {**nested["args"], "when": when}}
    outer = serial({"tool": "t.a", "as": "x"}, nested, out={"x": "any"})
    asks = run(home, outer, agreed=frozenset()).asks
    assert asks == {agreed_call("t.ask", {"v": 7})}
    assert run(home, outer, agreed=asks).success
    assert home.calls("t.ask") == 1


def test_wrong_arguments_are_not_asked_for() -> None:
    """The call fails whoever agrees; a yes for it would be one for any arguments."""
    home = asking_home()
    home.tool("t.strict", parameters={"properties": {"v": {"type": "integer"}}})
    home.policy.asks.add("t.strict")
    wrong: Json = {"tool": "t.strict", "args": {"v": "much"}}
    report = run(home, group(wrong, on_error="continue"), agreed=frozenset())
    assert not report.asks
    assert [each.reason for each in report.tool_errors()] == ["type"]


def test_refusals_are_told_before_anybody_is_asked() -> None:
    """Nobody is asked for a run that cannot be."""
    home = asking_home()
    home.tool("t.no")
    home.policy.refused.add("t.no")
    report = run(home, *GROUPS, group("t.no", name="g3"), agreed=frozenset())
    assert [each.error.reason for each in report.errors] == ["unauthorized"]
    assert not report.asks

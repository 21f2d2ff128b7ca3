"""The soak's books, and the soak itself for some seconds: what is wrong is found."""

from collections.abc import Callable
import json

import pytest

from benchmarks.soak_ledger import REMEMBERED, Absences, Faults, Ledger

from .test_benchmarks import bench


def books() -> Ledger:
    return Ledger(Faults())


def test_soak_is_one_line_of_json() -> None:
    """A few seconds of it: everything is answered, and nothing is wrong."""
    done = bench("--only", "soak", "--minutes", "0.15")
    (printed,) = done.stdout.splitlines()
    line = json.loads(printed)
    detail = line["detail"]
    assert "faults" not in detail, detail
    assert detail["asked"] == detail["answered"] > 0
    assert detail["executed"] == detail["expected"] > 0
    assert (detail["unhandled"], detail["tasks_left"]) == (0, 0)
    assert all(count > 0 for count in detail["steps"].values()), detail["steps"]


@pytest.mark.parametrize(
    ("ran", "at_most", "faults"),
    [
        ([("m", 0), ("m", 1)], False, 0),
        ([("m", 0)], False, 1),
        ([("m", 0)], True, 0),
        ([("m", 0), ("m", 1), ("m", 1)], False, 1),
        ([("m", 0), ("m", 0)], True, 1),
        ([("m", 0), ("m", 1), ("m", 2)], True, 1),
        ([("m", 0), ("m", 1), ("other", 0)], False, 1),
    ],
)
def test_each_call_runs_once(
    ran: list[tuple[str, int]], at_most: bool, faults: int
) -> None:
    ledger = books()
    ledger.ask("m")
    ledger.take(ran)
    ledger.close("m", range(2), at_most=at_most)
    assert ran == []
    assert ledger.faults.count == faults


def late(ledger: Ledger) -> None:
    ledger.ask("m")
    ledger.close("m", range(0))
    ledger.take([("m", 0)])


def unanswered(ledger: Ledger) -> None:
    ledger.ask("m")
    ledger.end()


def told_twice(ledger: Ledger) -> None:
    ledger.tell(("b", 0))
    ledger.tell(("b", 0))


@pytest.mark.parametrize("story", [late, unanswered, told_twice])
def test_faults_are_found(story: Callable[[Ledger], None]) -> None:
    ledger = books()
    story(ledger)
    assert ledger.faults.count == 1


def test_books_stay_small() -> None:
    ledger = books()
    for number in range(REMEMBERED + 1):
        ledger.tell(number)
    ledger.tell(0)
    assert ledger.faults.count == 0


@pytest.mark.parametrize(
    ("story", "touched"),
    [("look", False), ("look away back", True), ("away look back", True)],
)
def test_what_is_away_excuses(story: str, touched: bool) -> None:
    """Before, meanwhile, or at the end; what is long back does not."""
    absences = Absences()
    with absences.of("x"):
        pass
    steps = story.split()
    if steps[0] == "away":
        with absences.of("x"):
            earlier = absences.look("x")
    else:
        earlier = absences.look("x")
        if "away" in steps:
            with absences.of("x"):
                pass
    assert absences.touched(earlier) is touched

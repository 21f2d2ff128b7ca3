"""ps: no accepted line shows an environment, asked of the real program."""

from __future__ import annotations

from collections.abc import Iterator
import os
import subprocess

from conftest import EVERYTHING
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from homeagent_waiter.gate import Plan, decide
from homeagent_waiter.gate.grammars.ps import PS_BUSYBOX
from homeagent_waiter.gate.refused import RefusedError

MARK = "environment-of-another"
LETTERS = "eAadFfjlLTmwyMZHNcoOpqsuUgGCtxXhkSrnv"
WORDS = st.one_of(
    st.text(LETTERS, min_size=1, max_size=3).map("-".__add__),
    st.text(LETTERS, min_size=1, max_size=3),
    st.sampled_from(
        "root xe nosuch axe pid pid,args 1 0 xew args --sort=pid --no-headers --forest"
        " --user --user=xe --group=e --ppid=1 --deselect --width=4000 -aux -u -o -C".split()
    ),
)


@pytest.fixture(scope="module")
def process() -> Iterator[int]:
    """A process whose environment must stay its own."""
    with subprocess.Popen(["sleep", "600"], env={"HIDDEN": MARK}) as running:
        yield running.pid
        running.kill()


def shows(args: list[str]) -> bool:
    """Return whether ps shows the environment."""
    env = {"PATH": os.environ["PATH"], "COLUMNS": "4000"}
    ran = subprocess.run(["ps", *args], capture_output=True, env=env, check=False)
    return MARK.encode() in ran.stdout


def test_ps_would_show_it(process: int) -> None:
    """It is there to be found."""
    assert shows(["auxe"])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(args=st.lists(WORDS, min_size=1, max_size=4))
def test_no_accepted_line_shows_it(process: int, args: list[str]) -> None:
    """Whatever way ps takes the words."""
    decision = decide("ps " + " ".join(args), EVERYTHING)
    if isinstance(decision, Plan):
        assert not shows(args)


@pytest.mark.parametrize("word", ["-z", "e", "-o environ"])
def test_ps_of_busybox_takes_few_words(word: str) -> None:
    """And says which."""
    with pytest.raises(RefusedError) as refused:
        PS_BUSYBOX.parse(word.split())
    hint = "allowed are -T -l -w and -o with columns"
    assert (refused.value.refusal.hint == hint) is (word != "-o environ")

"""Feeds the gate with mutated lines for some seconds: python fuzz_gate.py SECONDS.

Where atheris is installed, it finds its way by coverage; else lines are mutated blindly.
Ends with an error as soon as the gate raises or answers what it must not.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
import random
import sys
import tempfile
import time

HERE = Path(__file__).parent
SEEDS = [
    line.split("\t", 1)[-1].encode()
    for name in ("own-accepted.txt", "own-refused.txt")
    for line in (HERE / "cases" / name).read_text().splitlines()
]


def judge(data: bytes) -> None:
    """Decide one line, and look at the answer."""
    line = data.decode("utf-8", "surrogateescape")
    decision = decide(line, POLICY)
    if isinstance(decision, Refusal):
        assert decision.token.isprintable(), line
        assert decision.hint, line
        return
    assert line.isprintable(), line
    for stage in decision.stages:
        assert stage.argv[0] in GRAMMARS, line
        assert "\0" not in "".join(stage.argv), line


def mutated(chance: random.Random) -> bytes:
    """Return two seeds, cut and glued, with some bytes changed."""
    first, second = chance.choice(SEEDS), chance.choice(SEEDS)
    data = bytearray(
        first[: chance.randint(0, len(first))]
        + second[chance.randint(0, len(second)) :]
    )
    for _ in range(chance.randint(0, 3)):
        data.insert(chance.randint(0, len(data)), chance.randrange(256))
    return bytes(data)


def main(seconds: int) -> None:
    """Fuzz for some seconds."""
    if importlib.util.find_spec("atheris") is None:
        chance, end = random.Random(), time.monotonic() + seconds
        while time.monotonic() < end:
            judge(mutated(chance))
        return
    import atheris

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(SEEDS):
            Path(corpus, str(number)).write_bytes(seed)
        options = [f"-max_total_time={seconds}", "-max_len=300", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *options, corpus], judge)
        atheris.Fuzz()


if importlib.util.find_spec("atheris") is None:
    from homeagent_waiter.gate import Policy, Refusal, decide
    from homeagent_waiter.gate.grammars import GRAMMARS
else:
    import atheris

    with atheris.instrument_imports(include=["homeagent_waiter.gate"]):
        from homeagent_waiter.gate import Policy, Refusal, decide
        from homeagent_waiter.gate.grammars import GRAMMARS

POLICY = Policy(allowed=frozenset(GRAMMARS))
if __name__ == "__main__":
    main(int(sys.argv[1]))

"""The gate: decides what a command line may do. Runs nothing, writes nothing.

``decide(line, policy)`` is the one way in; the daemon, ``once``, ``check`` and the tests
share it (design page 4, §4.3).
"""

from __future__ import annotations

from .decide import decide
from .plan import Code, Plan, Refusal, Stage, Stderr, Step
from .policy import Policy

__all__ = [
    "Code",
    "Plan",
    "Policy",
    "Refusal",
    "Stage",
    "Stderr",
    "Step",
    "decide",
]

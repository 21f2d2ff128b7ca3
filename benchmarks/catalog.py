"""All figures, in the order in which they are measured and printed."""

from . import access, agent, batches, call_tools, checking, sequences, soak, starting
from .figure import Figure

FIGURES: tuple[Figure, ...] = (
    *batches.FIGURES,
    *call_tools.FIGURES,
    *sequences.FIGURES,
    *checking.FIGURES,
    *access.FIGURES,
    *agent.FIGURES,
    *starting.FIGURES,
    *soak.FIGURES,
)

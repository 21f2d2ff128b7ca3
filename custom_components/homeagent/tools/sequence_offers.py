"""Exposed sequences as tools of their own, `homeagent__run_<slug>`, inputs typed.

Other names of `seq_run`, for models only. Above `sequence_presence` and `input_fields`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant

from ..const import CONF_SLUG, DOMAIN
from ..kernel.contract import Caller
from ..sequence.library import Library
from ..sequence.model import Sequence
from ..sequence.signature import run_inputs
from .input_fields import input_json_schema
from .model_schema import shown_schema
from .offered_tools import OfferedTool
from .sequence_presence import SequencePresence

RUN_PREFIX: Final = f"{DOMAIN}__run_"
_RUN: Final = "seq_run"


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceOffer:
    """Chooses the sequences that a caller is offered as tools."""

    hass: HomeAssistant
    library: Library
    presence: SequencePresence
    may_run: Callable[[Caller, str], bool]

    def tools_for(self, caller: Caller) -> Iterator[OfferedTool]:
        """Go through the sequences that are exposed and that the caller may run."""
        for key, sequence in self.library.items():
            if self.presence.exposed(key) and self.may_run(caller, sequence.name):
                slug = self._slug(key)
                if slug is not None:
                    yield _offered(f"{RUN_PREFIX}{slug}", sequence)

    def functions(self) -> list[str]:
        """Return the function names of all sequences that are exposed."""
        slugs = (
            self._slug(key)
            for key, _ in self.library.items()
            if self.presence.exposed(key)
        )
        return [f"{RUN_PREFIX}{slug}" for slug in slugs if slug is not None]

    def _slug(self, key: str) -> str | None:
        """Return the slug, which is chosen when the sequence is loaded."""
        entry = self.hass.config_entries.async_get_entry(key)
        slug = None if entry is None else entry.data.get(CONF_SLUG)
        return slug if isinstance(slug, str) else None


def _offered(function: str, sequence: Sequence) -> OfferedTool:
    about = f" {sequence.description}" if sequence.description else ""
    return OfferedTool(
        function=function,
        tool=_RUN,
        title=sequence.name,
        description=f"Run the sequence {sequence.name}.{about}",
        shown=shown_schema(input_json_schema(run_inputs(sequence))),
        inputs_of=sequence.name,
    )

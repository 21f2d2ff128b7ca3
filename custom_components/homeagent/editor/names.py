"""What is wrong with a name that somebody typed for a sequence, in words.

Beside the steps; used when a sequence is added, too.
"""

from homeassistant.config_entries import ConfigEntry

from ..editing.wording import Wording
from ..runtime import Runtime
from ..sequence.document import read_sequence
from ..sequence.names import folded
from ..tools.sequence_entries import MOST


def name_text(
    runtime: Runtime, word: Wording, name: str, of: ConfigEntry | None = None
) -> str:
    """Return why a sequence cannot have a name, or nothing; `of` has one already."""
    for problem in read_sequence({"name": name, "groups": []}).errors:
        if problem.path == "name":
            return word.problem(problem)
    entries = runtime.entries
    if of is not None:
        return word("name_taken", name=name) if entries.is_taken(name, of) else ""
    if folded(name) in (stored := entries.stored_names()):
        return word("name_taken", name=name)
    return word("too_many", count=str(MOST)) if len(stored) >= MOST else ""

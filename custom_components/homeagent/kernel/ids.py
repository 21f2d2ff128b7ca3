"""Call ids that tell every call of a batch from every other.

Lowest layer of the kernel; imports nothing of this integration. Models send ids that are
missing, blank or the same for two calls; results are paired by id, so inside a batch each
call gets an id of its own (page 1 §1.3).
"""

from collections.abc import Sequence


class UniqueIds:
    """Gives ids that are all different, for one list of them after the other.

    Takes time in proportion to their number, also where they all come as one.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._used: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, ids: Sequence[str | None]) -> tuple[str, ...]:
        """Return one id for each, in order, none of which was returned before."""
        taken = {each for each in ids if each}
        unique = []
        for given in ids:
            chosen = given if given and given.strip() else f"call_{len(self._used)}"
            # A made-up id must hit neither one used before nor one that comes later.
            if chosen in self._used or (chosen != given and chosen in taken):
                chosen = self._free(chosen, taken)
            self._used.add(chosen)
            unique.append(chosen)
        return tuple(unique)

    def _free(self, base: str, taken: set[str]) -> str:
        number = self._next.get(base, 2)
        while (candidate := f"{base}_{number}") in taken or candidate in self._used:
            number += 1
        self._next[base] = number + 1
        return candidate


def unique_ids(ids: Sequence[str | None]) -> tuple[str, ...]:
    """Return one id for each, in order, all different and none blank.

    An id that is there and first of its kind stays as it is. The same input gives the
    same ids. `originals` leads back.
    """
    return UniqueIds().take(ids)


def originals(ids: Sequence[str | None]) -> dict[str, str]:
    """Return the way back: unique id -> the id that the call came with."""
    return {
        unique: given or "" for unique, given in zip(unique_ids(ids), ids, strict=True)
    }

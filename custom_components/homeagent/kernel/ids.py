"""Call ids that tell every call of a batch from every other.

Lowest layer of the kernel; imports nothing of this integration. Models send ids that are
missing, blank or the same for two calls; results are paired by id, so inside a batch each
call gets an id of its own (page 1 §1.3).
"""

from collections.abc import Sequence


def unique_ids(ids: Sequence[str | None]) -> tuple[str, ...]:
    """Return one id for each, in order, all different and none blank.

    An id that is there and first of its kind stays as it is. The same input gives the
    same ids. `originals` leads back.
    """
    taken = {each for each in ids if each}
    used: set[str] = set()
    unique = []
    for index, given in enumerate(ids):
        chosen = given if given and given.strip() else f"call_{index}"
        # A made-up id must hit neither one used before nor one that comes later.
        if chosen in used or (chosen != given and chosen in taken):
            chosen = _free(chosen, taken | used)
        used.add(chosen)
        unique.append(chosen)
    return tuple(unique)


def originals(ids: Sequence[str | None]) -> dict[str, str]:
    """Return the way back: unique id -> the id that the call came with."""
    return {
        unique: given or "" for unique, given in zip(unique_ids(ids), ids, strict=True)
    }


def _free(base: str, taken: set[str]) -> str:
    number = 2
    while (candidate := f"{base}_{number}") in taken:
        number += 1
    return candidate

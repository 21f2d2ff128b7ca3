"""Records of which every call makes several: frozen for the type checker alone.

Lowest layer of the kernel; imports nothing of this integration. Python freezes an object
by a detour for each of its fields, which took longer than the call's whole way through
the door. What is made once and shared (callers, definitions) is frozen for good.
"""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(field,)
)
def record[T](cls: type[T]) -> type[T]:
    """Make a slotted, keyword-only dataclass to which nobody may assign."""
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)

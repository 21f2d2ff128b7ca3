"""The integration's core without the integration: no Home Assistant is imported.

Lowest module; imports nothing of ours. `custom_components.homeagent` itself imports Home
Assistant, so a bare package takes its place before any part of the core is imported.
"""

from pathlib import Path
import sys
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_PARENTS: Final = ("custom_components", "custom_components.homeagent")


def use_bare_parents() -> None:
    """Put the bare packages in their places, unless something stands there already."""
    for name in _PARENTS:
        if name in sys.modules:
            continue
        package = ModuleType(name)
        package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
        sys.modules[name] = package
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, package)

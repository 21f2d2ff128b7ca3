"""Tests of the parts that know nothing of Home Assistant run without it.

Importing ``custom_components.homeagent.kernel`` would run the integration's own
``__init__``, which imports Home Assistant. So bare packages take the place of the
integration's, and Home Assistant cannot be imported at all; a part that needs it
fails here. In a process where Home Assistant is loaded already (pytest started by
hand for several folders) everything stays as it is, and only the tests of the
house plan watch the imports.
"""

from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
import os
from pathlib import Path
import sys
from types import ModuleType
from typing import override

from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
# The command scripts/seq is tested here too, and lends its clock that jumps.
sys.path.insert(0, str(ROOT / "scripts"))
FORBIDDEN = "homeassistant"


class WithoutHomeAssistant(MetaPathFinder):
    """Refuses every import of Home Assistant."""

    @override
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Raise for Home Assistant; leave everything else to other finders."""
        if fullname.partition(".")[0] == FORBIDDEN:
            raise ImportError(
                f"{fullname} was imported, but this part must work without"
                " Home Assistant"
            )
        return None


def put_bare_package(name: str, folder: Path) -> None:
    """Put a package in place that has modules but no code of its own."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)


# What lands must not depend on luck: the same examples every time. New ones are tried by
# whoever develops, and by the long tests.
settings.register_profile("same-examples", derandomize=True, deadline=None)
settings.register_profile("new-examples", deadline=None)
settings.load_profile("same-examples" if os.environ.get("CI") else "new-examples")

if FORBIDDEN not in sys.modules:
    sys.meta_path.insert(0, WithoutHomeAssistant())
    put_bare_package("custom_components", ROOT / "custom_components")
    put_bare_package(
        "custom_components.homeagent", ROOT / "custom_components" / "homeagent"
    )

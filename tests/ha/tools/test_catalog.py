"""Our own tools and other registries under one roof."""

from collections.abc import Iterable
from typing import Any

from custom_components.homeagent.tools.catalog import Catalog


class Source:
    """A registry of names; what it gives is the name itself."""

    def __init__(self, *names: str) -> None:
        self.known = dict.fromkeys(names)

    def find(self, name: str) -> Any:
        return self if name in self.known else None

    def names(self) -> Iterable[str]:
        return self.known


def look(catalog: Catalog, name: str) -> object:
    return catalog.find(name)


def test_order_and_names() -> None:
    """Own tools first, then the sources as they stand."""
    own: dict[str, Any] = {"seq_run": "own"}
    one, two = Source("a", "seq_run"), Source("a", "b")
    catalog = Catalog(own, (one, two))

    assert look(catalog, "seq_run") == "own"
    assert [look(catalog, "a"), look(catalog, "b")] == [one, two]
    assert look(catalog, "c") is None
    assert list(catalog.names()) == ["seq_run", "a", "b"]


def test_aliases_reach_the_one_tool() -> None:
    """Actions and functions of ours are other names, not other tools."""
    own: dict[str, Any] = {"seq_run": "own"}
    catalog = Catalog(own, (Source("homeagent.x"),))

    assert look(catalog, "homeagent.seq_run") == "own"
    assert look(catalog, "homeagent__seq_run") == "own"
    assert look(catalog, "homeagent.call_tools") is None


def test_nothing_is_kept() -> None:
    """Tools come and go."""
    own: dict[str, Any] = {}
    catalog = Catalog(own)
    own["late"] = "tool"

    assert look(catalog, "late") == "tool"
    del own["late"]
    assert look(catalog, "late") is None
    assert list(catalog.names()) == []

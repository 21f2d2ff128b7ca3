"""Tools as the choices of a form.

Labels are Home Assistant's own texts for actions; for our own tools the frontend puts
the translated ones in their place.
"""

from collections.abc import Iterable
from typing import Final

from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from ..kernel.contract import ToolRegistry

TRANSLATIONS: Final = "tool"
"""Translation key of the selector."""


def tool_selector(
    registry: ToolRegistry, first: Iterable[str], sequences: Iterable[str] = ()
) -> SelectSelector:
    """Return the choice among all tools: some first, then the others by name.

    `sequences` are function names of sequences that can be offered as tools.
    """
    names = dict.fromkeys([*first, *sequences, *sorted(registry.names())])
    options = [
        SelectOptionDict(value=name, label=_label(registry, name)) for name in names
    ]
    return SelectSelector(
        SelectSelectorConfig(
            options=options,
            multiple=True,
            mode=SelectSelectorMode.DROPDOWN,
            translation_key=TRANSLATIONS,
        )
    )


def _label(registry: ToolRegistry, name: str) -> str:
    tool = registry.find(name)
    title = "" if tool is None else tool.definition.title
    return f"{title} ({name})" if title else name

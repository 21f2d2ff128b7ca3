"""The forms of the HomeAgent entry's options, and what is wrong in what was filled in.

Between Home Assistant's selectors and the options as they are kept; never imports an
entrance.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.helpers import selector
import probatio

from ..const import (
    CONF_ASK_FIRST,
    CONF_BATCHES_KEPT,
    CONF_NOT_PARALLEL_SAFE,
    CONF_PARALLEL_SAFE,
    CONF_PROMPT,
    CONF_RUNS_KEPT,
    CONF_TOOLS_ADDED,
    CONF_TOOLS_OFF,
)
from .action_names import split_name
from .default_set import choice_of
from .history import MOST_BATCHES, MOST_RUNS

CONF_OFFERED: Final = "offered"
"""Field of the form: the tools that are switched on, of which options keep the changes."""

LONGEST_PROMPT: Final = 4000

PROMPT_SCHEMA: Final = probatio.Schema(
    {
        probatio.Optional(CONF_PROMPT, default=""): selector.TextSelector(
            selector.TextSelectorConfig(multiline=True)
        )
    }
)


def _number(most: int) -> selector.NumberSelector:
    return selector.NumberSelector(
        selector.NumberSelectorConfig(
            min=1, max=most, step=1, mode=selector.NumberSelectorMode.BOX
        )
    )


HISTORY_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required(CONF_RUNS_KEPT, default=MOST_RUNS): _number(MOST_RUNS),
        probatio.Required(CONF_BATCHES_KEPT, default=MOST_BATCHES): _number(
            MOST_BATCHES
        ),
    }
)


def tools_schema(tools: selector.SelectSelector) -> probatio.Schema:
    """Return the form of what models are offered, and of what is asked for."""
    return probatio.Schema(
        {
            probatio.Optional(CONF_OFFERED, default=list): tools,
            probatio.Optional(CONF_ASK_FIRST, default=list): tools,
        }
    )


def tools_options(filled_in: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of that form: the changes, so that later tools are on."""
    chosen = choice_of(filled_in[CONF_OFFERED])
    return {
        CONF_TOOLS_OFF: sorted(chosen.off),
        CONF_TOOLS_ADDED: list(chosen.added),
        CONF_ASK_FIRST: filled_in[CONF_ASK_FIRST],
    }


def parallel_schema(names: list[str]) -> probatio.Schema:
    """Return the form of the user's own declarations."""
    actions = selector.SelectSelector(
        selector.SelectSelectorConfig(options=names, multiple=True, custom_value=True)
    )
    return probatio.Schema(
        {
            probatio.Optional(CONF_PARALLEL_SAFE, default=list): actions,
            probatio.Optional(CONF_NOT_PARALLEL_SAFE, default=list): actions,
        }
    )


def parallel_problem(
    filled_in: Mapping[str, Sequence[str]],
) -> tuple[str | None, str, list[str]]:
    """Return the field that is wrong, the error's key, and the names it concerns."""
    for field, names in filled_in.items():
        if wrong := [name for name in names if split_name(name) is None]:
            return field, "no_action", wrong
    both = set(filled_in[CONF_PARALLEL_SAFE]) & set(filled_in[CONF_NOT_PARALLEL_SAFE])
    if both:
        return CONF_NOT_PARALLEL_SAFE, "declared_both", sorted(both)
    return None, "", []

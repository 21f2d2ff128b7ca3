"""The forms in which an agent is set up: its server, its model, and how it is used.

Beside `settings`, whose names the fields have; nothing of the flow is here.
"""

from collections.abc import Sequence
from typing import Any

from homeassistant.helpers import selector
import probatio

from .settings import (
    CONF_CONTEXT,
    CONF_KEY,
    CONF_MODEL,
    CONF_PROMPT,
    CONF_SIMPLE,
    CONF_TOOL_CHOICE,
    CONF_URL,
    CONF_VISION,
    DEFAULT_CONTEXT,
    DEFAULT_URL,
    LARGEST_CONTEXT,
    SMALLEST_CONTEXT,
    TOOL_CHOICES,
)

CONF_NAME = "name"

_SECRET = selector.TextSelector(
    selector.TextSelectorConfig(type=selector.TextSelectorType.PASSWORD)
)
CONNECTION = probatio.Schema(
    {
        probatio.Required(CONF_URL, default=DEFAULT_URL): selector.TextSelector(
            selector.TextSelectorConfig(type=selector.TextSelectorType.URL)
        ),
        probatio.Optional(CONF_KEY): _SECRET,
    }
)
NEW_KEY = probatio.Schema({probatio.Required(CONF_KEY): _SECRET})


def model_form(models: Sequence[str]) -> probatio.Schema:
    """Return the form of a model; `models` are those that the server names."""
    model: selector.Selector[Any] = selector.TextSelector()
    if models:
        config = selector.SelectSelectorConfig(
            options=list(models),
            custom_value=True,
            mode=selector.SelectSelectorMode.DROPDOWN,
        )
        model = selector.SelectSelector(config)
    tokens = selector.NumberSelectorConfig(
        min=SMALLEST_CONTEXT,
        max=LARGEST_CONTEXT,
        step=1,
        mode=selector.NumberSelectorMode.BOX,
    )
    choices = selector.SelectSelectorConfig(
        options=list(TOOL_CHOICES), translation_key=CONF_TOOL_CHOICE
    )
    return probatio.Schema(
        {
            probatio.Optional(CONF_NAME): selector.TextSelector(),
            probatio.Required(CONF_MODEL): model,
            probatio.Optional(CONF_PROMPT): selector.TemplateSelector(),
            probatio.Required(
                CONF_TOOL_CHOICE, default=TOOL_CHOICES[0]
            ): selector.SelectSelector(choices),
            probatio.Required(
                CONF_CONTEXT, default=DEFAULT_CONTEXT
            ): selector.NumberSelector(tokens),
            probatio.Required(CONF_SIMPLE, default=False): selector.BooleanSelector(),
            probatio.Required(CONF_VISION, default=False): selector.BooleanSelector(),
        }
    )

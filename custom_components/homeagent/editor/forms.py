"""The schemas of the editor's forms.

Beside the steps; data only. The labels stand in the translations.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.helpers import selector
import probatio

from ..editing.templates import TEMPLATES
from ..sequence.limits import MAX_RETRIES
from ..sequence.model import Missing, OnError, SlotType

TEXT: Final = selector.TextSelector()
TEXTS: Final = selector.TextSelector(selector.TextSelectorConfig(multiple=True))
LONG_TEXT: Final = selector.TextSelector(selector.TextSelectorConfig(multiline=True))
FLAG: Final = selector.BooleanSelector()


def choice(options: Iterable[str], words: str) -> selector.SelectSelector:
    """Return a list to choose one of, with its words under `selector.<words>`."""
    return selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=list(map(str, options)),
            mode=selector.SelectSelectorMode.DROPDOWN,
            translation_key=words,
        )
    )


type Fields = Mapping[str, tuple[selector.Selector[Any], bool]]


def rows(
    words: str, fields: Fields, *, titled: bool = False
) -> selector.ObjectSelector:
    """Return a list of rows, each a small form of fields: (selector, required).

    A row that is `titled` shows its key, and below it its description.
    """
    config = selector.ObjectSelectorConfig(
        multiple=True,
        translation_key=words,
        fields={
            name: selector.ObjectSelectorField(selector=kind, required=required)
            for name, (kind, required) in fields.items()
        },
    )
    if titled:
        config["label_field"], config["description_field"] = "key", "description"
    return selector.ObjectSelector(config)


_TYPE: Final = choice(SlotType, "slot_type")

_INPUT_FIELDS: Final[Fields] = {
    "key": (TEXT, True),
    "type": (_TYPE, True),
    "description": (TEXT, False),
    "default": (TEXT, False),
    "optional": (FLAG, False),
    "choices": (TEXTS, False),
}

_OUTPUT_FIELDS: Final[Fields] = {
    "key": (TEXT, True),
    "type": (_TYPE, True),
    "description": (TEXT, False),
}

_TOOL_FIELDS: Final[Fields] = {
    "summary": (
        selector.TextSelector(selector.TextSelectorConfig(read_only=True)),
        False,
    ),
    "action": (selector.ActionSelector(), False),
    "tool": (TEXT, False),
    "args": (selector.ObjectSelector(), False),
    "as": (TEXT, False),
    "select": (TEXT, False),
    "fallback": (TEXT, False),
    "unsafe_serial": (FLAG, False),
}

GROUP_FORM: Final = probatio.Schema(
    {
        probatio.Required("name"): TEXT,
        probatio.Optional("description"): TEXT,
        probatio.Optional("tools"): rows("tool_row", _TOOL_FIELDS),
        probatio.Required("parallel", default=True): FLAG,
        probatio.Optional("when"): TEXT,
        probatio.Optional("inputs"): rows("input_row", _INPUT_FIELDS, titled=True),
        probatio.Optional("outputs"): rows("output_row", _OUTPUT_FIELDS, titled=True),
        probatio.Required("timeout", default="30s"): TEXT,
        probatio.Required("on_error", default="abort"): choice(OnError, "on_error"),
        probatio.Required("retries", default=0): selector.NumberSelector(
            selector.NumberSelectorConfig(
                min=0, max=MAX_RETRIES, mode=selector.NumberSelectorMode.BOX
            )
        ),
        probatio.Required("missing", default="fail"): choice(Missing, "missing"),
        probatio.Required("call_only", default=False): FLAG,
    }
)

JSON_FORM: Final = probatio.Schema({probatio.Optional("document"): LONG_TEXT})
NAME_FORM: Final = probatio.Schema({probatio.Required("name"): TEXT})
PASTE_FORM: Final = probatio.Schema(
    {probatio.Required("name"): TEXT, probatio.Required("document"): LONG_TEXT}
)
TEMPLATE_FORM: Final = probatio.Schema(
    {
        probatio.Required("template"): selector.SelectSelector(
            selector.SelectSelectorConfig(
                options=list(TEMPLATES),
                mode=selector.SelectSelectorMode.LIST,
                translation_key="template",
            )
        ),
        probatio.Optional("name"): TEXT,
    }
)


def details_form(groups: list[str]) -> probatio.Schema:
    """Return the form of the details; inputs only where there are groups for them."""
    schema: dict[probatio.Marker, object] = {
        probatio.Optional("description"): TEXT,
        probatio.Optional("sentences"): TEXTS,
    }
    if groups:
        which = selector.SelectSelector(
            selector.SelectSelectorConfig(options=groups, multiple=True)
        )
        schema[probatio.Optional("inputs")] = rows(
            "input_row", {**_INPUT_FIELDS, "groups": (which, True)}, titled=True
        )
    return probatio.Schema(schema)

"""The schemas of the editor's forms.

Beside the steps; data only. The labels stand in the translations.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, override

from homeassistant.helpers import selector
import probatio

from ..editing.templates import TEMPLATES
from ..editing.wording import Wording
from ..flow_menus import LISTS
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


class _NamedAction(selector.ActionSelector):
    """Home Assistant's action editor, in a list that shows actions by name.

    The first key says which editor opens. A list shows each value by whichever key it
    knows how to put into words: with `object` that is the action and its target, where
    it would show JSON otherwise.
    """

    @override
    def serialize(self) -> dict[str, Any]:
        """Return the selector with both keys."""
        target: dict[str, Any] = {
            f"{kind}_id": {"selector": {kind: {}}}
            for kind in ("entity", "device", "area", "floor", "label")
        }
        words = {
            "action": {"selector": {"text": {}}},
            "target": {"selector": {"object": {"fields": target}}},
        }
        return {"selector": {"action": {}, "object": {"fields": words}}}


class _Arguments(selector.ObjectSelector):
    """Home Assistant's YAML editor, in a list that does not show what is in it.

    The list would show JSON; with `media` it looks for the title of a medium only.
    """

    @override
    def serialize(self) -> dict[str, Any]:
        """Return the selector with both keys."""
        return {"selector": {"object": {}, "media": {}}}


class _Summary(selector.ConstantSelector):
    """What the list shows of a row below its name; in the row's form it is a remark."""

    @override
    def __call__(self, data: Any) -> Any:
        """Take any text: it is ours, and never read."""
        return str(data)


type Fields = Mapping[str, tuple[selector.Selector[Any], bool]]


def rows(
    words: str, fields: Fields, *, title: str = "", about: str = "description"
) -> selector.ObjectSelector:
    """Return a list of rows, each a small form of fields: (selector, required).

    A row shows its field `title`, or all of them, and below that its field `about`.
    """
    config = selector.ObjectSelectorConfig(
        multiple=True,
        translation_key=words,
        fields={
            name: selector.ObjectSelectorField(selector=kind, required=required)
            for name, (kind, required) in fields.items()
        },
    )
    config["description_field"] = about
    if title:
        config["label_field"] = title
    return selector.ObjectSelector(config)


def _declaration(word: Wording) -> Fields:
    """Return what inputs and outputs have in common.

    Inside of rows Home Assistant does not look translations of options up.
    """
    kinds = [(str(kind), word(f"type_{kind}")) for kind in SlotType]
    options = [
        selector.SelectOptionDict(value=kind, label=label[:1].upper() + label[1:])
        for kind, label in kinds
    ]
    kind = selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=options, mode=selector.SelectSelectorMode.DROPDOWN
        )
    )
    return {"key": (TEXT, True), "type": (kind, True), "description": (TEXT, False)}


def _input(word: Wording) -> Fields:
    return {
        **_declaration(word),
        "default": (TEXT, False),
        "optional": (FLAG, False),
        "choices": (TEXTS, False),
    }


_RETRIES: Final = selector.NumberSelector(
    selector.NumberSelectorConfig(
        min=0, max=MAX_RETRIES, mode=selector.NumberSelectorMode.BOX
    )
)

_TOOL_FIELDS: Final[Fields] = {
    "action": (_NamedAction(), False),
    "tool": (TEXT, False),
    "args": (_Arguments(), False),
    "as": (TEXT, False),
    "select": (TEXT, False),
    "fallback": (TEXT, False),
    "unsafe_serial": (FLAG, False),
}


def _tool(word: Wording) -> Fields:
    remark = selector.ConstantSelectorConfig(value="", label=word("summary_remark"))
    return {**_TOOL_FIELDS, "summary": (_Summary(remark), False)}


def group_form(word: Wording) -> probatio.Schema:
    """Return the form of a group."""
    inputs, outputs = _input(word), _declaration(word)
    return probatio.Schema(
        {
            probatio.Required("name"): TEXT,
            probatio.Optional("description"): TEXT,
            probatio.Optional("tools"): rows("tool_row", _tool(word), about="summary"),
            probatio.Required("parallel", default=True): FLAG,
            probatio.Optional("when"): TEXT,
            probatio.Optional("inputs"): rows("input_row", inputs, title="key"),
            probatio.Optional("outputs"): rows("output_row", outputs, title="key"),
            probatio.Required("timeout", default="30s"): TEXT,
            probatio.Required("on_error", default="abort"): choice(OnError, "on_error"),
            probatio.Required("retries", default=0): _RETRIES,
            probatio.Required("missing", default="fail"): choice(Missing, "missing"),
            probatio.Required("call_only", default=False): FLAG,
        }
    )


JSON_FORM: Final = probatio.Schema({probatio.Optional("document"): LONG_TEXT})
NAME_FORM: Final = probatio.Schema({probatio.Required("name"): TEXT})
HOMEAGENT_FORM: Final = NAME_FORM.extend({probatio.Optional(LISTS): FLAG})
PASTE_FORM: Final = probatio.Schema(
    {probatio.Optional("name"): TEXT, probatio.Required("document"): LONG_TEXT}
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


def details_form(groups: list[str], word: Wording) -> probatio.Schema:
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
            "input_row", {**_input(word), "groups": (which, True)}, title="key"
        )
    return probatio.Schema(schema)

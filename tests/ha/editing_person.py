"""Somebody at the editor of a sequence: chooses in menus and submits forms."""

from collections.abc import Mapping
import re
from typing import Any, Self

from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from .flow_words import check_words


def call_row(switch: str, action: str = "turn_on", **more: object) -> dict[str, object]:
    """Return a row as Home Assistant's visual action editor makes it."""
    call = {
        "action": f"input_boolean.{action}",
        "metadata": {},
        "data": {},
        "target": {"entity_id": [f"input_boolean.{switch}"]},
    }
    return {"action": [call], **more}


class Editor:
    """The options flow of one sequence, as the frontend goes through it."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry, shown: Any) -> None:
        """Take the flow where it stands."""
        self._hass = hass
        self.entry = entry
        self.shown = shown

    @classmethod
    async def open(cls, hass: HomeAssistant, entry: ConfigEntry) -> Self:
        """Open the options of an entry."""
        flow = await hass.config_entries.options.async_init(entry.entry_id)
        check_words(flow, "options")
        return cls(hass, entry, flow)

    async def choose(self, *steps: str) -> Any:
        """Choose in the menus that come one after the other."""
        for step in steps:
            assert self.shown["type"] is FlowResultType.MENU, self.shown
            assert step in self.shown["menu_options"], self.shown["menu_options"]
            self.shown = await self._hass.config_entries.options.async_configure(
                self.shown["flow_id"], {"next_step_id": step}
            )
            check_words(self.shown, "options")
        return self.shown

    async def submit(self, values: Mapping[str, object]) -> Any:
        """Submit the form with what is typed, the rest as it was shown."""
        assert self.shown["type"] is FlowResultType.FORM, self.shown
        typed = {**self.values(), **values}
        self.shown = await self._hass.config_entries.options.async_configure(
            self.shown["flow_id"], typed
        )
        check_words(self.shown, "options")
        return self.shown

    def values(self) -> dict[str, object]:
        """Return what the form shows."""
        schema = self.shown["data_schema"]
        return {
            str(key): key.description["suggested_value"]
            for key in schema.schema
            if key.description is not None
        }

    def told(self, name: str) -> str:
        """Return what is told in a description or at a field, without escapes."""
        placeholders = self.shown["description_placeholders"] or {}
        return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", placeholders[name])

    def errors(self) -> dict[str, str]:
        """Return the texts at the fields."""
        found = self.shown.get("errors") or {}
        return {name: self.told(key) for name, key in found.items()}

    async def leave(self) -> None:
        """Close the dialog."""
        self._hass.config_entries.options.async_abort(self.shown["flow_id"])


async def add(hass: HomeAssistant, step: str, values: Mapping[str, object]) -> Any:
    """Add a sequence in the given way; return where the flow ends."""
    flows = hass.config_entries.flow
    shown: Any = await flows.async_init("homeagent", context={"source": SOURCE_USER})
    check_words(shown, "config")
    chosen = {"next_step_id": "sequence"}
    shown = await flows.async_configure(shown["flow_id"], chosen)
    path = ["begin", step]
    while path:
        choice = path.pop(0)
        if choice in shown["menu_options"]:
            shown = await flows.async_configure(
                shown["flow_id"], {"next_step_id": choice}
            )
            check_words(shown, "config")
    shown = await flows.async_configure(shown["flow_id"], dict(values))
    check_words(shown, "config")
    return shown


async def editor_of(hass: HomeAssistant, made: Any) -> Editor:
    """Return the editor that opened when a sequence was added."""
    assert made["type"] is FlowResultType.CREATE_ENTRY, made
    kind, flow_id = made["next_flow"]
    assert kind == "options_flow"
    shown = await hass.config_entries.options.async_configure(flow_id, None)
    return Editor(hass, made["result"], shown)


async def add_draft(hass: HomeAssistant, name: str) -> Editor:
    """Add an empty draft; its editor is open then."""
    return await editor_of(hass, await add(hass, "draft", {"name": name}))


async def add_pasted(hass: HomeAssistant, name: str, document: str) -> Editor:
    """Add a sequence from its text; its editor is open then."""
    typed = {"name": name, "document": document}
    return await editor_of(hass, await add(hass, "paste", typed))

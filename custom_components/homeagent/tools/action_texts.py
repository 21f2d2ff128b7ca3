"""The words of an action, in the user's language.

Pure: Home Assistant's description of the action and its flat translations in, texts out.
Scripts and other actions described at run time carry their texts in the description;
those of integrations stand in the translations, English where a language has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .selectors_schema import select_options


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTexts:
    """Looks up what is said of one action and of its fields.

    `services` and `selectors` are Home Assistant's flat translations of the domain, in
    the categories of those names.
    """

    domain: str
    action: str
    description: Mapping[str, object]
    services: Mapping[str, str]
    selectors: Mapping[str, str]

    def title(self) -> str:
        """Return the action's name, empty where it has none."""
        return self._own("name") or self._translated("name")

    def text(self) -> str:
        """Return what the action does: its description, else its name."""
        return (
            self._own("description") or self._translated("description") or self.title()
        )

    def field(self, name: str, field: Mapping[str, object]) -> str:
        """Return what a field means, with its unit and the labels of its options."""
        said = [
            _plain(field.get("description"))
            or self._translated(f"fields.{name}.description")
            or _plain(field.get("name"))
            or self._translated(f"fields.{name}.name")
        ]
        selector = field.get("selector")
        for kind, config in selector.items() if isinstance(selector, Mapping) else ():
            if isinstance(config, Mapping):
                said.append(self._of_selector(kind, config))
        return sentences(*said)

    def _of_selector(self, kind: str, config: Mapping[str, object]) -> str:
        if kind == "number" and (unit := config.get("unit_of_measurement")):
            return f"Unit: {unit}."
        if kind == "select":
            return self._labels(config)
        return ""

    def _labels(self, config: Mapping[str, object]) -> str:
        """Name the options whose label says more than the value itself."""
        prefix = (
            f"component.{self.domain}.selector.{config.get('translation_key')}.options."
        )
        labels = []
        for value, given in select_options(config):
            label = given or self.selectors.get(f"{prefix}{value}", "")
            if label and _bare(label) != _bare(value):
                labels.append(f"{value} ({_plain(label)})")
        return f"Options: {', '.join(labels)}." if labels else ""

    def _own(self, key: str) -> str:
        return self._filled(_plain(self.description.get(key)))

    def _translated(self, key: str) -> str:
        path = f"component.{self.domain}.services.{self.action}.{key}"
        return self._filled(_plain(self.services.get(path)))

    def _filled(self, text: str) -> str:
        placeholders = self.description.get("description_placeholders")
        if isinstance(placeholders, Mapping):
            for name, value in placeholders.items():
                text = text.replace(f"{{{name}}}", str(value))
        return text


def sentences(*parts: object) -> str:
    """Join texts, each ended like a sentence if another one follows."""
    said = [part for part in parts if isinstance(part, str) and part]
    ended = [part if part[-1] in ".!?:" else f"{part}." for part in said[:-1]]
    return " ".join((*ended, *said[-1:]))


def _plain(text: object) -> str:
    """Return text on one line; what is no text gives none."""
    return " ".join(text.split()) if isinstance(text, str) else ""


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))

"""Whether all that a step of a flow shows has words, in every language.

Home Assistant's frontend shows a raw key, or an error of its formatter, where a text or
one of its placeholders is missing. It has no placeholders for titles and for the texts
of fields.
"""

from collections.abc import Iterator
import json
from pathlib import Path
import re
from typing import Any, Final

FOLDER = Path(__file__).parents[2] / "custom_components/homeagent/translations"
LANGUAGES: Final = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.json"))
}
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


def check_words(shown: Any, flow: str) -> None:
    """Assert that a step (`flow`: config or options) can be shown as it is meant."""
    for language, texts in LANGUAGES.items():
        missing = list(_missing(shown, texts[flow]))
        assert missing == [], f"{language}: {shown.get('step_id')}: {missing}"


def _missing(shown: Any, texts: Any) -> Iterator[str]:
    given = set(shown.get("description_placeholders") or {})
    match str(shown["type"]):
        case "abort" if shown.get("translation_domain") is None:
            yield from _lacks(texts["abort"], shown["reason"], given)
        case "progress":
            yield from _lacks(texts["progress"], shown["progress_action"], given)
        case "menu" | "form":
            step = texts["step"].get(shown["step_id"], {})
            yield from _lacks(step, "title", set())
            yield from _lacks(step, "description", given)
            yield from _of_options(shown, step, given)
            yield from _of_fields(shown, step)
            for error in (shown.get("errors") or {}).values():
                yield from _lacks(texts["error"], error, given)
        case _:
            return


def _of_options(shown: Any, step: Any, given: set[str]) -> Iterator[str]:
    options = shown.get("menu_options")
    for option in options if isinstance(options, list) else []:
        yield from _lacks(step.get("menu_options", {}), option, given)


def _of_fields(shown: Any, step: Any) -> Iterator[str]:
    # The inputs of a run are fields, too; their names are the person's own.
    schema = shown.get("data_schema")
    if shown["type"] != "form" or schema is None or shown["step_id"] == "run":
        return
    for field in map(str, schema.schema):
        yield from _lacks(step.get("data", {}), field, set())
        yield from _lacks(step.get("data_description", {}), field, set())


def _lacks(texts: Any, key: str, given: set[str]) -> Iterator[str]:
    text = texts.get(key)
    if not isinstance(text, str):
        yield key
    elif lost := set(_PLACEHOLDER.findall(text)) - given:
        yield f"{key}: {', '.join(lost)}"

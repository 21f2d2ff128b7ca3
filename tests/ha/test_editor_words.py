"""Every text of the editor is there, and the words of the core are told in Chinese."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
import re
from string import Formatter
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import selector
import pytest

from custom_components.homeagent.editing.templates import TEMPLATES
from custom_components.homeagent.editor.forms import details_form, group_form
from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.sequence.model import Missing, OnError, SlotType
from custom_components.homeagent.sequence.report import Status
from custom_components.homeagent.sequence.words import CATALOGUE
from custom_components.homeagent.tools.person_language import async_wording

from .flow_words import LANGUAGES

INTEGRATION = Path(__file__).parents[2] / "custom_components/homeagent"
ADDING = {"adding.py", "reconfiguring.py"}
SHOWS = {"async_show_form", "async_show_menu", "async_show_progress"}
MODULES = [*sorted((INTEGRATION / "editor").glob("*.py"))]
MODULES.append(INTEGRATION / "sequence_options.py")
WORDS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in [*MODULES, *sorted((INTEGRATION / "editing").glob("*.py"))]
)


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _constants(node: ast.expr) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _shown() -> Iterator[tuple[str, str, list[str]]]:
    """Yield flow, step and literal menu options of every call that shows a step."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(
                node.func, ast.Attribute
            ):
                continue
            if node.func.attr not in SHOWS:
                continue
            members = {each.arg: each.value for each in node.keywords}
            step = members["step_id"]
            options = members.get("menu_options")
            literal = isinstance(options, ast.List)
            flow = "config" if path.name in ADDING else "options"
            if isinstance(step, ast.Constant):
                listed = list(_constants(options)) if options and literal else []
                yield flow, str(step.value), listed


STEPS = sorted(_shown())


def test_steps_were_found() -> None:
    """The search itself works."""
    assert len(STEPS) >= 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("flow", "step", "options"), STEPS)
def test_step_has_words(
    language: str, flow: str, step: str, options: list[str]
) -> None:
    """Title, description, and each option of a menu."""
    texts = LANGUAGES[language][flow]
    if step == "running":
        assert texts["progress"][step]
        return
    told = texts["step"][step]
    assert told["title"]
    assert told["description"]
    assert [each for each in options if not told["menu_options"].get(each)] == []


def _rows(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield the words key and each field of the rows in a form."""
    for field in schema.schema.values():
        if isinstance(field, selector.ObjectSelector) and "fields" in field.config:
            words = field.config["translation_key"]
            yield from ((words, name) for name in field.config["fields"])


def _choices(schema: Any) -> Iterator[tuple[str, str]]:
    for field in schema.schema.values():
        if isinstance(field, selector.SelectSelector):
            words = field.config.get("translation_key")
            if words:
                yield from ((words, str(each)) for each in field.config["options"])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_rows_and_choices_have_words(hass: HomeAssistant, language: str) -> None:
    """What stands inside of fields."""
    word = await async_wording(hass, language)
    texts = LANGUAGES[language]["selector"]
    for form in (group_form(word), details_form(["g"], word)):
        for words, name in _rows(form):
            assert texts[words]["fields"][name]["name"]
            assert texts[words]["fields"][name]["description"]
        for words, option in _choices(form):
            assert texts[words]["options"][option]
    assert set(texts["template"]["options"]) == set(TEMPLATES)


PARTS = (
    *("args", "as", "fallback", "missing", "on_error", "parallel", "retries", "select"),
    *("timeout", "unsafe_serial", "when"),
)
"""What a group and a call have in JSON, and a field has in the forms."""


def _used() -> set[str]:
    """Return the keys of all words that the code names, or puts together."""
    used = set(re.findall(r'word(?:ing)?\(\s*["\']+(\w+)["\']', WORDS))
    used |= set(re.findall(r'"(row_\w+)"', WORDS))
    used |= set(re.findall(r'wording\.join\(\s*"(\w+)"', WORDS))
    for counted in re.findall(r'\.count\(\s*"(\w+)"', WORDS):
        used |= {counted, f"{counted}_many"}
    made: dict[str, Iterable[str]] = {
        "type": SlotType,
        "status": Status,
        "missing": set(Missing) - {Missing.FAIL},
        "row": ("enabled", "continue_on_error", "response_variable", "alias"),
        "template": TEMPLATES,
        "written": ("array", "object"),
        "place": ("call", "input", "output"),
        "part": PARTS,
        "kind": ("area", "device", "entity", "floor", "label"),
    }
    used |= {f"{key}_{each}" for key, parts in made.items() for each in parts}
    used |= {f"template_{each}_about" for each in TEMPLATES}
    return used | {
        "row",
        "row_data_template",
        "calls_at_once",
        "no_calls",
        "calls_in_order",
        "input_optional",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_that_are_used(language: str) -> None:
    """None is missing, and none is left from earlier."""
    assert set(LANGUAGES[language]["selector"]["editor"]["options"]) == _used()
    assert OnError.RETRY in LANGUAGES[language]["selector"]["on_error"]["options"]


def test_problems_are_those_of_the_core() -> None:
    """English is told in the core's own words; every code has them in the others."""
    texts = LANGUAGES["en"]["exceptions"]
    prefix = "sequence_text_"
    expected = {}
    for code, words in CATALOGUE.items():
        expected[prefix + code] = f"{words.message}."
        expected[f"{prefix}{code}_hint"] = words.hint
        if words.otherwise:
            expected[f"{prefix}{code}_otherwise"] = words.otherwise
    found = {key: each["message"] for key, each in texts.items() if prefix in key}
    assert found == expected


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_problems_can_be_told(language: str) -> None:
    """The same placeholders, and texts that can be filled in."""
    texts = LANGUAGES[language]["exceptions"]
    for code, words in CATALOGUE.items():
        for end, core in (
            ("", words.message),
            ("_hint", words.hint),
            ("_otherwise", words.otherwise),
        ):
            if not core:
                continue
            text = texts[f"sequence_text_{code}{end}"]["message"]
            assert _placeholders(text) <= _placeholders(core)
            text.format_map(dict.fromkeys(_placeholders(core), "x"))


async def test_problem_is_told_in_chinese(hass: HomeAssistant) -> None:
    """With what the core puts in for placeholders."""
    word = await async_wording(hass, "zh-Hans")
    told = [word.problem(each) for each in read_sequence({"name": 1}).errors]
    assert told == [
        '"name" 是 数字；必须是 文本。请写 "1"。',
        '缺少键 "groups"。请补上 "groups"。',
    ]

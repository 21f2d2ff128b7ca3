"""An access rule as a form: fields, what is shown in them, what was filled in.

Between Home Assistant's selectors and `access.rule_data`; never imports an entrance.
What names single things stands in sections, which open where something is in them or
wrong with them. Home Assistant shows errors at fields of the outermost level only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.data_entry_flow import section
from homeassistant.helpers import selector
import probatio

from ..access.model import ENTRANCES, AccessRule, How, What, Where, Who
from ..access.rule_data import read_rule
from ..access.rule_problems import Problem, RuleError
from .rule_names import RuleNames, sequence_names

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "callers": ("users", "devices"),
    "things": ("tools", "entities", "sequences"),
    "places": ("areas", "floors"),
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "who": tuple(Who),
    "through": ENTRANCES,
    "what": tuple(What),
    "where": tuple(Where),
}
_ORDER: Final = ("who", "callers", "through", "what", "things", "where", "places")
_SECTION_OF: Final = {
    field: name for name, inside in SECTIONS.items() for field in inside
}

TOLD_CODES: Final = frozenset(
    "nobody no_entrance nowhere nothing other_entrance automations_not_asked"
    " nobody_speaks area_does_not_reach no_pattern no_entity_id".split()
)
"""Problems that a person can make in the form, each with a text of its own."""

OTHER_PROBLEM: Final = "invalid_rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormErrors:
    """What stands at which field, and the placeholders of the texts."""

    errors: Mapping[str, str]
    placeholders: Mapping[str, str]


def rule_schema(
    names: RuleNames, shown: Mapping[str, Any], wrong: Iterable[str] = ()
) -> probatio.Schema:
    """Return the form's fields for the values that it will show.

    `wrong` are the places that have errors.
    """
    open_ones = {_SECTION_OF[field] for field in _SECTION_OF if shown.get(field)}
    fields: dict[Any, Any] = {}
    for field in _ORDER:
        if inside := SECTIONS.get(field):
            listed = {
                probatio.Optional(one): found
                for one in inside
                if (found := _single(one, names, shown)) is not None
            }
            collapsed = field not in open_ones and field not in wrong
            fields[probatio.Required(field)] = section(
                probatio.Schema(listed), {"collapsed": collapsed}
            )
        else:
            fields[probatio.Optional(field)] = _choice(field)
    fields[probatio.Required("how", default=How.ALLOW.value)] = selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=[how.value for how in How],
            mode=selector.SelectSelectorMode.LIST,
            translation_key="access_how",
        )
    )
    fields[probatio.Required("enabled", default=True)] = selector.BooleanSelector()
    return probatio.Schema(fields)


def _choice(field: str) -> selector.SelectSelector:
    """Return the checkboxes of a closed set of words."""
    return selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=[str(word) for word in _WORDS[field]],
            multiple=True,
            mode=selector.SelectSelectorMode.LIST,
            translation_key=f"access_{field}",
        )
    )


def _single(
    field: str, names: RuleNames, shown: Mapping[str, Any]
) -> selector.Selector[Any] | None:
    """Return what chooses single things of a kind; None where there are none."""
    match field:
        case "users":
            return _by_name(names.users, shown.get(field))
        case "sequences":
            return _by_name(sequence_names(names.hass), shown.get(field))
        case "devices":
            speaks = selector.EntityFilterSelectorConfig(domain="assist_satellite")
            return selector.DeviceSelector(
                selector.DeviceSelectorConfig(entity=[speaks], multiple=True)
            )
        case "entities":
            return selector.EntitySelector(selector.EntitySelectorConfig(multiple=True))
        case "areas":
            return selector.AreaSelector(selector.AreaSelectorConfig(multiple=True))
        case "floors":
            return selector.FloorSelector(selector.FloorSelectorConfig(multiple=True))
        case _:
            return selector.TextSelector(selector.TextSelectorConfig(multiple=True))


def _by_name(
    known: Mapping[str, str], stored: list[str] | None
) -> selector.SelectSelector | None:
    """Return a choice of ids by their names; stored ids that are gone stay choices."""
    choices = {one: one for one in stored or ()} | dict(known)
    if not choices:
        return None
    return selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=[
                selector.SelectOptionDict(value=identifier, label=name)
                for identifier, name in choices.items()
            ],
            multiple=True,
            sort=True,
            mode=selector.SelectSelectorMode.DROPDOWN,
        )
    )


def form_values(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored data as the form shows it; what is no list cannot be shown."""
    lists = {
        field: value
        for field in (*_WORDS, *_SECTION_OF)
        if isinstance(value := data.get(field), list)
        and all(isinstance(one, str) for one in value)
    }
    values: dict[str, Any] = {field: lists[field] for field in _WORDS if field in lists}
    for name, inside in SECTIONS.items():
        values[name] = {field: lists[field] for field in inside if field in lists}
    if data.get("how") in tuple(How):
        values["how"] = data["how"]
    if isinstance(data.get("enabled"), bool):
        values["enabled"] = data["enabled"]
    return values


def filled_in(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a person filled in as the data of a rule; blank lines do not count."""
    flat = {key: value for key, value in user_input.items() if key not in SECTIONS}
    for name in SECTIONS:
        flat |= user_input.get(name, {})
    if "tools" in flat:
        flat["tools"] = [tool.strip() for tool in flat["tools"] if tool.strip()]
    for field in (*_WORDS, *_SECTION_OF):
        if field != "through" and not flat.get(field, True):
            del flat[field]
    return {"through": [], **flat}


def rule_of_form(data: Mapping[str, Any], key: object) -> AccessRule | FormErrors:
    """Return the rule that was filled in, or what is wrong with it.

    `key` is that of a rule which is ready-made or a default, and was changed.
    """
    keyed = {"key": key} if key else {}
    try:
        return read_rule("new", {**data, **keyed, "name": "new"})
    except RuleError as err:
        return form_errors(err.problems)


def form_errors(problems: Iterable[Problem]) -> FormErrors:
    """Return the first error of each place in the form, with all that it is about."""
    errors: dict[str, str] = {}
    placeholders: dict[str, list[str]] = {}
    for problem in problems:
        field = problem.field.partition("[")[0]
        if problem.code in TOLD_CODES:
            place, code, told = (
                _SECTION_OF.get(field, field),
                problem.code,
                problem.found,
            )
        else:
            place, code, told = "base", OTHER_PROBLEM, str(problem)
        if errors.setdefault(place, code) == code:
            placeholders.setdefault(code, []).append(told)
    return FormErrors(
        errors=errors,
        placeholders={code: ", ".join(told) for code, told in placeholders.items()},
    )

"""Menus that everybody can use: for those who want it, a menu is a list in a form.

Home Assistant's menus take no focus from the Tab key, its forms do. Below all flows; a
step shows its menu as ever, and `menu` around it makes the list and takes the answer.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import wraps
from typing import Any, Final, cast

from homeassistant.components.repairs import RepairsFlow
from homeassistant.config_entries import ConfigSubentryFlow, OptionsFlow
from homeassistant.data_entry_flow import FlowHandler, FlowResult, FlowResultType
from homeassistant.helpers import issue_registry as ir, selector
from homeassistant.helpers.translation import async_get_translations
import probatio

from .const import DOMAIN
from .runtime import async_get_runtime
from .tools.person_language import async_language, current_user_id

CHOICE: Final = "next_step_id"
"""The field of a list, and what Home Assistant calls the answer to a menu."""

LISTS: Final = "lists"
"""The field that asks whether menus are to be lists."""

ACTS: Final = frozenset(
    "accept enable rotate run run_again run_anew save save_anyway with_homeagent".split()
)
"""Steps that do something at once, as those whose names begin with `do_`."""

BETWEEN: Final = " · "
"""Stands between an option and what is told of it."""

type Input = dict[str, Any] | None
type Options = Sequence[str] | Mapping[str, str]
"""Steps; with their words, or those of the translations."""

type Flow[R: FlowResult[Any, Any]] = FlowHandler[Any, R, Any]


def menu[S: Callable[..., Coroutine[Any, Any, Any]]](step: S) -> S:
    """Let a step that shows a menu show a list to those who want it."""

    @wraps(step)
    async def shown(flow: Flow[Any], user_input: Input = None) -> Any:
        if (chosen := _chosen(flow, user_input)) is not None:
            return await getattr(flow, f"async_step_{chosen}")()
        return await _reachable(flow, await step(flow, user_input))

    return cast(S, shown)


def _chosen(flow: Flow[Any], user_input: Input) -> str | None:
    """Return what was chosen in a list that is shown.

    Home Assistant gives the answer to a menu once more to the step that follows a
    progress which ended at once.
    """
    shown = flow.cur_step
    if user_input is None or shown is None or shown["type"] is not FlowResultType.FORM:
        return None
    return user_input.get(CHOICE)


async def _reachable(flow: Flow[Any], shown: Any) -> Any:
    """Return a menu as a list where the person wants that; all else as it is."""
    if shown["type"] is not FlowResultType.MENU:
        return shown
    lists = (await async_get_runtime(flow.hass)).menu_lists
    if not lists.wanted(current_user_id()):
        return shown
    step, given = shown["step_id"], shown["description_placeholders"]
    options: Options = shown["menu_options"]
    marked = {"suggested_value": marked_of(list(options))}
    field = probatio.Required(CHOICE, description=marked)
    choice = await async_choice(flow, step, options, given or {})
    return flow.async_show_form(
        step_id=step,
        data_schema=probatio.Schema({field: choice}),
        description_placeholders=given,
        last_step=False,
    )


def marked_of(steps: Sequence[str]) -> str:
    """Return the step that is marked in advance, which Enter takes: one that leads on.

    Only where every step does something is it one of those.
    """
    leading = (each for each in steps if not _acts(each))
    return next(leading, steps[-1])


def _acts(step: str) -> bool:
    return step.startswith("do_") or step in ACTS


async def async_choice(
    flow: Flow[Any], step_id: str, options: Options, given: Mapping[str, str]
) -> selector.SelectSelector:
    """Return the field of a list: the options, with what a menu says of each."""
    language = await async_language(flow.hass, current_user_id())
    place = _place(flow)
    category = place.partition(".")[0]
    texts = await async_get_translations(flow.hass, language, category, {DOMAIN})
    step = f"component.{DOMAIN}.{place}.step.{step_id}"

    def words(option: str) -> str:
        if isinstance(options, Mapping):
            name = options[option]
        else:
            name = texts[f"{step}.menu_options.{option}"].format_map(given)
        about = texts.get(f"{step}.menu_option_descriptions.{option}", "")
        return BETWEEN.join(filter(None, (name, about.format_map(given))))

    return selector.SelectSelector(
        selector.SelectSelectorConfig(
            options=[
                selector.SelectOptionDict(value=option, label=words(option))
                for option in options
            ],
            mode=selector.SelectSelectorMode.LIST,
        )
    )


def _place(flow: Flow[Any]) -> str:
    """Return where the translations of a flow's steps are."""
    if isinstance(flow, OptionsFlow):
        return "options"
    if isinstance(flow, ConfigSubentryFlow):
        return f"config_subentries.{flow.handler[1]}"
    if isinstance(flow, RepairsFlow):
        issue = ir.async_get(flow.hass).async_get_issue(DOMAIN, flow.issue_id)
        return f"issues.{issue and issue.translation_key}.fix_flow"
    return "config"

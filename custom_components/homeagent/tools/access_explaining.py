"""Explains to administrators who may do what, and which rule says so (page 3 §3.2).

Between Home Assistant's users and devices and `access.explaining`; never imports an
entrance, which has to make sure that an administrator asks. Nothing is called.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from ..access.explained_text import explained_lines
from ..access.explaining import Explanation
from ..access.model import AccessRule
from ..kernel.arguments import parse_arguments
from ..kernel.contract import (
    Arguments,
    Caller,
    Entrance,
    Tool,
    ToolRegistry,
    UnparsedArguments,
)
from ..kernel.errors import Reason, ToolError, combine
from ..kernel.names import nearest
from .rule_names import RuleNames, async_rule_names
from .tool_call import ToolCalling

_NOBODY_BEHIND = frozenset({Entrance.AUTOMATION, Entrance.UNKNOWN})


class Explains(Protocol):
    """A policy that can say why; the policy by rules is one."""

    def explain(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Explanation:
        """Tell which rule grants what of a call, and what is missing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What an administrator asks: `user` is an id or an exact name, `device` an id.

    Without arguments: could any call of the tool succeed?
    """

    entrance: Entrance
    tool: str
    user: str | None = None
    device: str | None = None
    arguments: Mapping[str, object] | UnparsedArguments | None = None


def question_of(data: Mapping[str, Any]) -> Question:
    """Return the question of checked data: the fields of the action or the form."""
    given, target = data.get("arguments"), data.get("target")
    arguments = None if given is None else parse_arguments(given)
    if target and not isinstance(arguments, UnparsedArguments):
        arguments = {**(arguments or {}), "target": target}
    return Question(
        entrance=Entrance(data["entrance"]),
        tool=data["tool"].strip(),
        user=data.get("user"),
        device=data.get("voice_device"),
        arguments=arguments,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The answer in words, line by line, and as data."""

    lines: tuple[str, ...]
    caller: Caller
    explanation: Explanation


class AccessExplainer:
    """Answers questions about what somebody may do."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        registry: ToolRegistry,
        policy: Explains,
        rules: Callable[[], tuple[AccessRule, ...]],
        prepare: Callable[[], Coroutine[object, object, None]],
    ) -> None:
        """Take the tools and the policy; `prepare` reads the descriptions of actions."""
        self._hass = hass
        self._registry = registry
        self._policy = policy
        self._rules = rules
        self._prepare = prepare

    async def explain(self, question: Question, language: str) -> Told | ToolError:
        """Answer a question, or tell what in it cannot be found."""
        await self._prepare()
        names = await async_rule_names(self._hass)
        caller = self._caller(question, names)
        if isinstance(caller, ToolError):
            return caller
        tool = self._registry.find(question.tool)
        if tool is None:
            return _unknown("tool", question.tool, self._registry.names())
        if isinstance(question.arguments, UnparsedArguments):
            return question.arguments.error
        arguments: Arguments | None = None
        if question.arguments is not None:
            checked = tool.check(question.arguments)
            if checked.problems:
                return combine(checked.problems)
            arguments = checked.arguments
            if isinstance(tool, ToolCalling) and (inner := tool.stands_for(arguments)):
                tool, arguments = inner.tool, inner.arguments
        explanation = self._policy.explain(caller, tool, arguments)
        rules = {rule.id: rule.name for rule in self._rules()}

        def name_of(field: str, identifier: str) -> str:
            if field == "rules":
                return rules.get(identifier, identifier)
            return names(field, identifier)

        lines = explained_lines(
            explanation,
            caller,
            with_arguments=arguments is not None,
            name_of=name_of,
            language=language,
        )
        return Told(lines=lines, caller=caller, explanation=explanation)

    def _caller(self, question: Question, names: RuleNames) -> Caller | ToolError:
        """Make the caller that would come in that way."""
        if question.entrance in _NOBODY_BEHIND:
            return Caller(entrance=question.entrance)
        user = _found(question.user, names.users)
        if user is None and question.user is not None:
            return _unknown("user", question.user, names.users.values())
        device = area = None
        if question.device is not None:
            entry = dr.async_get(self._hass).async_get(question.device)
            if entry is None:
                return _unknown("device", question.device, ())
            device = entry.id
            area = dr.async_get_effective_area_id(self._hass, entry)
        return Caller(
            entrance=question.entrance, user_id=user, device_id=device, area_id=area
        )


def _found(wanted: str | None, names: Mapping[str, str]) -> str | None:
    """Return the id that is meant by an id, or by a name that only one has."""
    if wanted is None or wanted in names:
        return wanted
    plain = wanted.strip().casefold()
    found = [one for one, name in names.items() if name.strip().casefold() == plain]
    return found[0] if len(found) == 1 else None


def _unknown(field: str, found: str, known: Iterable[str]) -> ToolError:
    near = nearest(found, known)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    return ToolError(
        reason=Reason.VALUE,
        field=field,
        detail=f"there is no {field} {found!r}, or more than one",
        hint=f"{meant}Give the id of a {field}, or the exact name of just one.",
    )

"""What a rule risks, for the person who is about to save it (page 3 §3.2).

Above `model` and `patterns`; decides from the rule alone. Text from outside reaches
models, and anybody can speak to a voice device: what goes beyond exposed entities there
is told before it is saved. What is asked for first is not told.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from ..kernel.contract import Entrance
from .model import AccessRule, How, What, Where, Who
from .patterns import matches


class Risk(StrEnum):
    """A kind of risk; the words are in `rule_words`."""

    EVERYTHING = "everything"
    HOSTS = "hosts"
    MESSAGES = "messages"
    EDITING = "editing"
    CODE = "code"
    HIDDEN = "hidden"
    ANYONE_NEAR = "anyone_near"
    UNKNOWN = "unknown"
    HOUSEHOLD = "household"


_TALKING: Final = frozenset({Entrance.CONVERSATION, Entrance.MCP})
_SPOKEN: Final = frozenset({Entrance.CONVERSATION, Entrance.SENTENCE})

_MESSAGES: Final = frozenset({"notify", "tts", "assist_satellite"})
_CODE: Final = frozenset(
    "command_line hassio homeassistant mqtt pyscript python_script rest_command"
    " shell_command ssh_command".split()
)
_HARMLESS: Final = frozenset(
    {What.READING, What.RUNNING_SEQUENCES, What.PROPOSING_SEQUENCES}
)


def risks(rule: AccessRule) -> tuple[Risk, ...]:
    """Return what a rule risks, the worst first; nothing for one that asks."""
    if rule.how is How.ASK:
        return ()
    return (*_of_models(rule), *_of_callers(rule))


def _of_models(rule: AccessRule) -> Iterator[Risk]:
    if rule.through.isdisjoint(_TALKING):
        return
    if rule.grants_everything:
        yield Risk.EVERYTHING
        return
    if What.HOSTS in rule.what or matches(rule.tools, "host_run"):
        yield Risk.HOSTS
    if What.EDITING_SEQUENCES in rule.what or matches(rule.tools, "seq_create"):
        yield Risk.EDITING
    if _names_domain(rule, _MESSAGES):
        yield Risk.MESSAGES
    if _names_domain(rule, _CODE):
        yield Risk.CODE
    if _acts_beyond_exposed(rule):
        yield Risk.HIDDEN


def _of_callers(rule: AccessRule) -> Iterator[Risk]:
    speaks = rule.devices or Who.VOICE_DEVICES in rule.who
    if speaks and not rule.through.isdisjoint(_SPOKEN) and _goes_beyond(rule):
        yield Risk.ANYONE_NEAR
    if Who.UNKNOWN in rule.who and (rule.what - {What.READING} or _names_some(rule)):
        yield Risk.UNKNOWN
    everyone = Who.SIGNED_IN in rule.who and Entrance.DIRECT in rule.through
    if everyone and (rule.grants_everything or _names_domain(rule, _CODE)):
        yield Risk.HOUSEHOLD


def _names_domain(rule: AccessRule, domains: frozenset[str]) -> bool:
    """Whether a tool pattern can name an action of one of the domains."""
    named = {pattern.partition(".")[0] for pattern in rule.tools if "." in pattern}
    return any(matches(named, domain) for domain in domains)


def _acts_beyond_exposed(rule: AccessRule) -> bool:
    acts = not rule.what.isdisjoint({What.ENTITY_ACTIONS, What.EVERYTHING})
    return acts and not _is_exposed_only(rule)


def _goes_beyond(rule: AccessRule) -> bool:
    """Whether a rule grants more than working and reading what is exposed."""
    if rule.what - _HARMLESS - {What.ENTITY_ACTIONS}:
        return True
    return bool(rule.tools) or _acts_beyond_exposed(rule)


def _is_exposed_only(rule: AccessRule) -> bool:
    return rule.where == {Where.EXPOSED} and not (rule.areas or rule.floors)


def _names_some(rule: AccessRule) -> bool:
    return bool(rule.tools or rule.entities or rule.sequences)

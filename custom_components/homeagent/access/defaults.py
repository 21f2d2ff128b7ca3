"""The rules of a fresh HomeAgent entry, and the ready-made ones (page 3 §3.2).

Above `model`. Each has a stable key, which is its translation key, too, and says in one
plain sentence what it does. Ready-made rules are off until a person chooses them, and say
their risk in one sentence.
"""

from dataclasses import dataclass, replace
from typing import Final

from ..kernel.contract import Entrance
from .model import AccessRule, What, Where, Who

_TALKING: Final = frozenset({Entrance.CONVERSATION, Entrance.MCP})
_ORDINARY: Final = frozenset(
    {What.ENTITY_ACTIONS, What.READING, What.RUNNING_SEQUENCES}
)
_EVERYWHERE: Final = frozenset({Where.EVERYWHERE})
_EXPOSED: Final = frozenset({Where.EXPOSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyRule:
    """A rule to begin with: its data, one sentence, and its risk if it has one.

    The rule's id is its key; whoever stores it gives it an id of its own.
    """

    rule: AccessRule
    sentence: str
    risk: str = ""

    @property
    def key(self) -> str:
        """The stable key, which is the translation key, too."""
        return self.rule.key


DEFAULTS: Final = (
    ReadyRule(
        rule=AccessRule(
            id="administrators_directly",
            key="administrators_directly",
            name="Administrators, directly",
            who=frozenset({Who.ADMINISTRATORS}),
            through=frozenset({Entrance.DIRECT}),
            what=frozenset({What.EVERYTHING}),
            where=_EVERYWHERE,
        ),
        sentence=(
            "Administrators may do everything when they act themselves: with an action,"
            " a button or the panel."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="people_directly",
            key="people_directly",
            name="Everyone signed in, directly",
            who=frozenset({Who.SIGNED_IN}),
            through=frozenset({Entrance.DIRECT}),
            what=_ORDINARY,
            where=_EVERYWHERE,
        ),
        sentence=(
            "Everyone who is signed in may switch and read what Home Assistant lets them"
            " control, and run any sequence, when they act themselves."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="people_talking",
            key="people_talking",
            name="Everyone signed in, by conversation",
            who=frozenset({Who.SIGNED_IN}),
            through=_TALKING,
            what=_ORDINARY,
            where=_EXPOSED,
        ),
        sentence=(
            "Everyone who is signed in, administrators too, may switch and read what is"
            " exposed to Assist, and run exposed sequences, through a conversation or an"
            " MCP client."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="voice_devices",
            key="voice_devices",
            name="Voice devices",
            who=frozenset({Who.VOICE_DEVICES}),
            through=frozenset({Entrance.CONVERSATION}),
            what=_ORDINARY,
            where=_EXPOSED,
        ),
        sentence=(
            "Everyone who speaks to a voice device may switch and read what is exposed"
            " to Assist, and run exposed sequences."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="administrators_propose",
            key="administrators_propose",
            name="Administrators propose sequences",
            who=frozenset({Who.ADMINISTRATORS}),
            through=_TALKING,
            what=frozenset({What.PROPOSING_SEQUENCES}),
            where=_EVERYWHERE,
        ),
        sentence=(
            "Administrators may have a conversation or an MCP client write drafts of"
            " sequences, which do nothing until an administrator confirms them."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="sentences",
            key="sentences",
            name="Sentences",
            who=frozenset({Who.VOICE_DEVICES, Who.SIGNED_IN}),
            through=frozenset({Entrance.SENTENCE}),
            what=frozenset({What.RUNNING_SEQUENCES}),
            where=_EVERYWHERE,
        ),
        sentence=(
            "Whoever says a sentence of a sequence may run that sequence; each of its"
            " steps needs the rights of the device or person that said it."
        ),
    ),
    ReadyRule(
        rule=AccessRule(
            id="automations",
            key="automations",
            name="Automations",
            who=frozenset({Who.AUTOMATIONS}),
            through=frozenset({Entrance.AUTOMATION}),
            what=frozenset({What.EVERYTHING}),
            where=_EVERYWHERE,
        ),
        sentence="Automations may do everything: an administrator wrote them.",
    ),
    ReadyRule(
        rule=AccessRule(
            id="unknown",
            key="unknown",
            name="Unknown callers",
            who=frozenset({Who.UNKNOWN}),
            through=frozenset({Entrance.UNKNOWN}),
            what=frozenset({What.READING}),
            where=_EXPOSED,
        ),
        sentence=(
            "Whatever acts by itself, such as a template or a device, may read what is"
            " exposed to Assist."
        ),
    ),
)
"""The rules of a fresh entry, all enabled."""


def _ready(
    key: str,
    name: str,
    entrance: Entrance,
    sentence: str,
    risk: str,
    *,
    what: frozenset[What] = frozenset(),
    tools: frozenset[str] = frozenset(),
) -> ReadyRule:
    """Return a ready-made rule for administrators through one entrance."""
    by = "an MCP client" if entrance is Entrance.MCP else "a conversation"
    rule = AccessRule(
        id=f"{key}_{entrance.value}",
        key=f"{key}_{entrance.value}",
        name=f"{name}, by {by}",
        who=frozenset({Who.ADMINISTRATORS}),
        through=frozenset({entrance}),
        what=what,
        tools=tools,
        where=_EVERYWHERE,
    )
    return ReadyRule(
        rule=replace(rule, enabled=False),
        sentence=sentence.format(by=by),
        risk=risk.format(by=by),
    )


READY_MADE: Final = tuple(
    ready
    for entrance in (Entrance.CONVERSATION, Entrance.MCP)
    for ready in (
        _ready(
            "hosts",
            "Hosts",
            entrance,
            "Administrators may run commands on their hosts through {by}.",
            "A text that reaches {by}, such as a web page, can make it read whatever the"
            " host lets be read.",
            what=frozenset({What.HOSTS}),
        ),
        _ready(
            "messages",
            "Messages",
            entrance,
            "Administrators may send messages to any receiver through {by}.",
            "A text that reaches {by} can make it send what it knows of your home to"
            " someone else.",
            tools=frozenset({"notify.*"}),
        ),
        _ready(
            "editing",
            "Editing sequences",
            entrance,
            "Administrators may create, change and delete sequences through {by}.",
            "A text that reaches {by} can write a sequence that an automation runs later"
            " with all rights.",
            what=frozenset({What.EDITING_SEQUENCES}),
        ),
        _ready(
            "everything",
            "Everything",
            entrance,
            "Administrators may do everything through {by}.",
            "A text that reaches {by} can do whatever you can: unlock doors, run shell"
            " commands, restart Home Assistant.",
            what=frozenset({What.EVERYTHING}),
        ),
    )
)
"""Rules to switch on, each with its risk."""


def defaults() -> tuple[AccessRule, ...]:
    """Return the rules of a fresh entry."""
    return tuple(ready.rule for ready in DEFAULTS)


def ready_rule(key: str) -> ReadyRule | None:
    """Return the default or ready-made rule of a key."""
    return next((one for one in (*DEFAULTS, *READY_MADE) if one.key == key), None)

"""Who a caller is, for the rules (page 3 §3.1).

Above `model` and `ports`; imports the kernel's contract. A device id counts only where no
person's login stands behind the call: what a client supplies never adds rights to a user.
"""

from dataclasses import dataclass

from ..kernel.contract import Caller, Entrance
from .model import AccessRule, How, Who
from .ports import HomeView, UserKind

_SPOKEN = frozenset({Entrance.CONVERSATION, Entrance.SENTENCE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A caller as the `who` and `through` of rules name it.

    `user` and `device` are the ids that rules may name; `device` is a voice device that
    spoke, in `area`. `checked` is the user whose permissions in Home Assistant come on
    top. `entrances` are the ways that count as the caller's own: a sentence's steps are
    judged as said in a conversation, too.
    """

    who: frozenset[Who] = frozenset()
    entrances: frozenset[Entrance] = frozenset()
    user: str | None = None
    device: str | None = None
    area: str | None = None
    checked: str | None = None

    def is_concerned_by(self, rule: AccessRule) -> bool:
        """Whether a rule is for this caller; automations are never asked."""
        if not rule.enabled or self.entrances.isdisjoint(rule.through):
            return False
        if Who.AUTOMATIONS in self.who and rule.how is How.ASK:
            return False
        return (
            not self.who.isdisjoint(rule.who)
            or self.user in rule.users
            or self.device in rule.devices
        )

    def only_by_sentence(self, rule: AccessRule) -> bool:
        """Whether the rule concerns the caller as one who said a sentence only."""
        return self.entrances.isdisjoint(rule.through - {Entrance.SENTENCE})


NOBODY = Identity()
"""No rule concerns it."""


def identify(caller: Caller, home: HomeView) -> Identity:
    """Return who a caller is; `NOBODY` for users that do not exist or are not active."""
    entrance = caller.entrance
    if entrance is Entrance.SYSTEM:
        return NOBODY
    if entrance is Entrance.AUTOMATION:
        return _identity(caller, Who.AUTOMATIONS)
    if entrance is Entrance.UNKNOWN:
        return _identity(caller, Who.UNKNOWN)
    kind = None if caller.user_id is None else home.user(caller.user_id)
    if kind is UserKind.NOBODY:
        return NOBODY
    if kind is UserKind.ADMINISTRATOR:
        return _identity(caller, Who.ADMINISTRATORS, Who.SIGNED_IN, user=True)
    if kind is UserKind.PERSON:
        return _identity(caller, Who.SIGNED_IN, user=True)
    if caller.device_id is not None and entrance in _SPOKEN:
        return _identity(caller, Who.VOICE_DEVICES, user=True, device=True)
    if kind is UserKind.SYSTEM:
        return _identity(caller, user=True)
    return _identity(caller, Who.UNKNOWN)


def _identity(
    caller: Caller, *who: Who, user: bool = False, device: bool = False
) -> Identity:
    entrances = {caller.entrance}
    if caller.entrance is Entrance.SENTENCE:
        entrances.add(Entrance.CONVERSATION)
    return Identity(
        who=frozenset(who),
        entrances=frozenset(entrances),
        user=caller.user_id if user else None,
        device=caller.device_id if device else None,
        area=caller.area_id if device else None,
        checked=caller.user_id,
    )

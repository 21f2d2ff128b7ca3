"""Whose yes counts for which request (page 1 §1.6).

Above `ports`; imports the kernel's requests. The kernel has seen already that somebody
with a login acts directly; here is whether this person may speak for the caller.
"""

from dataclasses import dataclass

from ..kernel.contract import Caller
from ..kernel.requests import Request
from .ports import HomeView, UserKind

_PEOPLE = frozenset({UserKind.ADMINISTRATOR, UserKind.PERSON})


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """Decides from the users alone; call it with the answering and the request."""

    home: HomeView

    def __call__(self, by: Caller, request: Request) -> bool:
        """Whether a person may answer a request.

        Administrators may answer all. What a user asked for, that user may; what came
        without any person's login, such as from a voice device, everyone signed in may.
        """
        if by.user_id is None:
            return False
        kind = self.home.user(by.user_id)
        if kind is UserKind.ADMINISTRATOR:
            return True
        if kind not in _PEOPLE:
            return False
        asked = request.caller.user_id
        if asked is None or self.home.user(asked) is UserKind.SYSTEM:
            return True
        return asked == by.user_id

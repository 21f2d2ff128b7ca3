"""The ids of the buttons of a notification that asks a person (page 1 §1.6).

Lowest layer of the tools; imports nothing of this integration. They stand in the event
`homeagent_request`, for automations that notify, and come back from the phone's app.
"""

from typing import Final

_YES: Final = "HOMEAGENT_YES_"
_NO: Final = "HOMEAGENT_NO_"


def buttons(request_id: str) -> dict[str, str]:
    """Return the ids of both buttons, as they stand in the event."""
    return {
        "yes_action": f"{_YES}{request_id}",
        "no_action": f"{_NO}{request_id}",
    }


def pressed(action: object) -> tuple[str, bool] | None:
    """Return which request a button answers, and how; None for any other button."""
    if not isinstance(action, str):
        return None
    for prefix, yes in ((_YES, True), (_NO, False)):
        if action.startswith(prefix):
            return action.removeprefix(prefix), yes
    return None

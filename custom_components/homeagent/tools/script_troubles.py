"""What can be wrong with a script or automation that a call started: the words.

One catalogue for `script_runs`; decides nothing.
"""

from homeassistant.core import State

from ..kernel.errors import Reason, ToolError


def busy(entity_id: str, state: State | None) -> ToolError:
    """Return the error of a start that was dropped because earlier runs go on."""
    mode, runs = "single", 1
    if state is not None:
        mode = str(state.attributes.get("mode", mode))
        runs = state.attributes.get("current") or runs
    already = "is already running" if runs == 1 else f"already has {runs} runs"
    return ToolError(
        reason=Reason.BUSY,
        detail=f"{entity_id} {already} and takes no further run (mode {mode}): "
        "this call did nothing",
        hint="Try again when the earlier run has ended.",
    )


def stopped(entity_id: str) -> ToolError:
    """Return the error of a run that somebody else ended."""
    return ToolError(
        reason=Reason.CANCELLED,
        detail=f"{entity_id} was stopped before its end",
        hint="It was turned off or started anew meanwhile; check what it has done "
        "before trying again.",
    )


def failed(entity_id: str, why: str = "") -> ToolError:
    """Return the error of a run that ended with an error nobody was told."""
    told = f": {why}" if why else ""
    return ToolError(
        reason=Reason.FAILED,
        detail=f"{entity_id} ran into an error and ended{told}",
        hint="Its trace and Home Assistant's log say which; check what it has done "
        "before trying again.",
    )


def not_started(entity_id: str) -> ToolError:
    """Return the error of a start of which nothing came, whatever the cause."""
    return ToolError(
        reason=Reason.FAILED,
        detail=f"{entity_id} did not run",
        hint="Its own conditions may not be met; its trace and Home Assistant's log "
        "say more.",
    )

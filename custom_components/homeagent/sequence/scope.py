"""Where in a run a call is made: what travels with the caller through the door.

Data of the engine; imports the kernel's caller, the AST and the table of runs.
"""

from functools import lru_cache
from typing import Final

from ..kernel.contract import Caller
from ..kernel.errors import Reason, ToolError
from ..kernel.records import record
from .limits import MAX_CALL_DEPTH
from .model import Group, Sequence
from .names import folded
from .run_words import say
from .runs import Run

MAX_FRAMES: Final = 32
"""How deep groups may call groups: what a nested report can still show as JSON."""

_FRAMES_KEPT: Final = 1024


@record
class Frame:
    """A sequence or one of its groups that is being run; `sequence` is folded."""

    sequence: str
    group: str | None
    shown: str


@record
class Place:
    """A place among the calls by name.

    `sequence` is the AST that this part executes to its end, whatever is edited
    meanwhile. `frames` are all that is being run, outermost first; `depth` counts the
    `#` calls among them.
    """

    sequence: Sequence
    frames: tuple[Frame, ...] = ()
    depth: int = 0

    def inside(self, group: Group) -> Place:
        """Return the place of the calls of a group."""
        frames = (*self.frames, frame_of(self.sequence, group))
        return Place(sequence=self.sequence, frames=frames, depth=self.depth)


@record
class RunScope:
    """What a call inside a run belongs to; stands in `Caller.run`."""

    run: Run
    place: Place


@record
class Callee:
    """What is to be run: a whole sequence, or one of its groups.

    `crosses` tells a `#` call, which counts for the depth.
    """

    sequence: Sequence
    group: Group | None = None
    crosses: bool = True

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the groups that are run, or passed by."""
        return self.sequence.groups if self.group is None else (self.group,)

    def runs(self, group: Group) -> bool:
        """Whether a group takes part: a call-only one must be called by its name."""
        return self.group is not None or not group.call_only


def acting_in(caller: Caller, scope: RunScope) -> Caller:
    """Return the caller as the one who makes the calls of a part of a run."""
    return Caller(
        entrance=caller.entrance,
        user_id=caller.user_id,
        device_id=caller.device_id,
        area_id=caller.area_id,
        context=caller.context,
        run=scope,
        agreed=caller.agreed,
    )


def scope_of(caller: Caller) -> RunScope | None:
    """Return the scope of the run that a caller acts in, if any."""
    return caller.run if isinstance(caller.run, RunScope) else None


def frame_of(sequence: Sequence, group: Group | None) -> Frame:
    """Return the frame of a sequence or group."""
    return _frame(sequence.name, None if group is None else group.name)


@lru_cache(maxsize=_FRAMES_KEPT)
def _frame(sequence: str, group: str | None) -> Frame:
    shown = f"#{sequence}" if group is None else f"#{sequence}/{group}"
    return Frame(sequence=folded(sequence), group=group, shown=shown)


def enter(callee: Callee, outer: Place | None) -> Place | ToolError:
    """Return the place inside a callee, or why it must not be entered (§8.3)."""
    frame = frame_of(callee.sequence, callee.group)
    # A group's own frame is added where its calls are made.
    inner_frames = (frame,) if callee.group is None else ()
    if outer is None:
        return Place(sequence=callee.sequence, frames=inner_frames)
    if any(_comes_back(each, callee, frame) for each in outer.frames):
        return _cycle((*outer.frames, frame))
    depth = outer.depth + callee.crosses
    if depth > MAX_CALL_DEPTH or len(outer.frames) >= MAX_FRAMES:
        return _too_deep((*outer.frames, frame), crosses=depth > MAX_CALL_DEPTH)
    frames = (*outer.frames, *inner_frames)
    return Place(sequence=callee.sequence, frames=frames, depth=depth)


def _comes_back(outer: Frame, callee: Callee, frame: Frame) -> bool:
    if outer.sequence != frame.sequence:
        return False
    if callee.group is not None:
        return outer.group == callee.group.name
    if outer.group is None:
        return True
    group = callee.sequence.group(outer.group)
    return group is not None and callee.runs(group)


def _cycle(frames: tuple[Frame, ...]) -> ToolError:
    return ToolError(
        reason=Reason.CYCLE,
        field="target",
        detail=say("calls_itself", name=frames[-1].shown, path=_path(frames)),
        hint="Break the circle: nothing can call itself, directly or through others.",
    )


def _too_deep(frames: tuple[Frame, ...], *, crosses: bool) -> ToolError:
    code, most = (
        ("sequences_too_deep", MAX_CALL_DEPTH)
        if crosses
        else ("groups_too_deep", MAX_FRAMES)
    )
    return ToolError(
        reason=Reason.DEPTH,
        field="target",
        detail=say(code, most=str(most), name=frames[-1].shown, path=_path(frames)),
        hint="Call it from further outside.",
    )


def _path(frames: tuple[Frame, ...]) -> str:
    """Return the way as `#A/g1 → #B → #A`, a sequence and its own group as one."""
    shown = [
        frame.shown
        for frame, inner in zip(frames, (*frames[1:], None), strict=True)
        if inner is None
        or frame.group is not None
        or inner.group is None
        or inner.sequence != frame.sequence
    ]
    return " → ".join(shown)

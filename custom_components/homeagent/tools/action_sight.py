"""Looks, before an action is called, at what it is called for.

Between `outcomes`, which judges entities, and `action_tool`: knows which of the entities
that a call names must be there for the call to make sense.
"""

from dataclasses import dataclass

from homeassistant.core import HomeAssistant

from ..kernel.contract import Arguments
from ..kernel.errors import ToolError
from .action_schema import ActionShape, Form
from .declarations import Row
from .ordering import output_targets
from .outcomes import Standing, nothing_ready, standing_by_state, standing_of
from .reach import Reach
from .targets import Resolved

_ACTS_ON_ENTITIES = frozenset({"homeassistant.update_entity"})
"""Actions that do nothing but act on entities, though they are no entity services."""

_CHANGES_FIELDS = frozenset({"scene.apply", "media_player.join"})
"""Actions that change the entities named in other arguments than the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one action is called for, as it stands when it is called."""

    hass: HomeAssistant
    name: str
    shape: ActionShape
    reach: Reach
    row: Row

    @property
    def is_strict(self) -> bool:
        """Whether the action does nothing without an entity that it can act on."""
        return self.shape.needs_target or self.name in _ACTS_ON_ENTITIES

    def look(self, arguments: Arguments, resolved: Resolved) -> Standing | ToolError:
        """Look at all that the call names; an error if nothing can come of it."""
        standing = self.of_targets(arguments, resolved)
        if beside := self._named_beside(arguments, resolved):
            others = standing_by_state(self.hass, beside)
            if not others.ready:
                return nothing_ready(self.name, others)
            standing = standing.with_trouble_of(others)
        # What is no entity service may bring an unavailable entity back.
        hopeless = self.reach.is_exact or not standing.unavailable
        if hopeless and not standing.ready and self.is_strict:
            return nothing_ready(self.name, standing)
        if resolved.members:
            others = standing_by_state(self.hass, resolved.members)
            standing = standing.with_trouble_of(others)
        return standing

    def look_again(self, resolved: Resolved, before: Standing) -> ToolError | None:
        """Look whether what was all unavailable before the call came back by it."""
        if before.ready or not self.is_strict:
            return None
        now = standing_of(self.hass, self.reach, resolved, resolved.acted_on)
        return None if now.ready else nothing_ready(self.name, now)

    def changed_by(self, resolved: Resolved) -> frozenset[str]:
        """Return all entities that the call may change."""
        changed = resolved.acted_on | resolved.members
        if self.name in _CHANGES_FIELDS:
            return changed | resolved.fields
        return changed

    def of_targets(self, arguments: Arguments, resolved: Resolved) -> Standing:
        """Look at what is targeted; ids that may be none are not judged."""
        keys = self.shape.target_keys
        named = [keys[key] for key in arguments if key in keys]
        if named and all(field.form is Form.MAYBE for field in named):
            return Standing()
        return standing_of(self.hass, self.reach, resolved, resolved.acted_on)

    def _named_beside(
        self, arguments: Arguments, resolved: Resolved
    ) -> frozenset[str] | None:
        """Return the entities that the call works on without targeting them."""
        if self.name in _CHANGES_FIELDS:
            return resolved.fields
        if self.row.output in arguments:
            return output_targets(self.hass, self.row, arguments, resolved)
        return None

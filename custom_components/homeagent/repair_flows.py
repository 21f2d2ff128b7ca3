"""Flows of repair issues that tell of one matter: explain it, then open its editor.

Below the entrance `repairs`; `tools.mending` finds the editor. An issue stays until what
it tells of is mended; only what there is nothing to mend in goes away once it was read.
"""

from typing import Any, override

from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.helpers import issue_registry as ir
import probatio

from .const import DOMAIN
from .tools import mending

type Input = dict[str, Any] | None


class Explained(RepairsFlow):
    """A flow whose first step says what is wrong."""

    @property
    def about(self) -> dict[str, str]:
        """What is told of the matter, as Markdown."""
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return mending.told(None if issue is None else issue.translation_placeholders)

    def explain(self, schema: probatio.Schema | None = None) -> RepairsFlowResult:
        """Show what is wrong."""
        return self.async_show_form(
            step_id="confirm",
            data_schema=schema or probatio.Schema({}),
            description_placeholders=self.about,
        )

    def opened(self, editor: mending.Editor | None) -> RepairsFlowResult:
        """End with an editor, if there is still something to edit."""
        if editor is None:
            return self.async_abort(reason="gone")
        return self.async_abort(reason="opened", next_flow=_next(editor))

    async def async_step_init(self, user_input: Input = None) -> RepairsFlowResult:
        """Begin; Home Assistant gives the data of the issue, not an answer."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain."""
        raise NotImplementedError


class OpenEditor(Explained):
    """Opens the editor of what is damaged, broken, proposed or out of reach."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, then open it."""
        if user_input is None:
            return self.explain()
        return self.opened(await mending.async_open_editor(self.hass, self.data or {}))


class Outdated(Explained):
    """Tells how to update a waiter, and whether it has come back as a newer one."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, and look whether the issue is over."""
        if user_input is None:
            return self.explain()
        issues = ir.async_get(self.hass)
        if (issue := issues.async_get_issue(DOMAIN, self.issue_id)) is None:
            return self.async_create_entry(data={})
        return self.async_show_form(
            step_id="confirm",
            data_schema=probatio.Schema({}),
            errors={"base": "not_yet"},
            description_placeholders=mending.told(issue.translation_placeholders),
        )


class NotRenamed(Explained):
    """Asks for another name; the issue is over when it was read."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, then ask."""
        if user_input is None:
            return self.explain()
        editor = await mending.async_open_name(self.hass, self.data or {})
        following = None if editor is None else _next(editor)
        return self.async_create_entry(data={}, next_flow=following)


class Renamed(Explained):
    """Tells what was changed; there is nothing to mend."""

    @override
    async def async_step_confirm(self, user_input: Input = None) -> RepairsFlowResult:
        """Explain, and that is all."""
        if user_input is None:
            return self.explain()
        return self.async_create_entry(data={})


def _next(editor: mending.Editor) -> tuple[FlowType, str]:
    """Return an editor with the kind of its flow as repairs name it."""
    kind, flow_id = editor
    return FlowType(kind.value), flow_id

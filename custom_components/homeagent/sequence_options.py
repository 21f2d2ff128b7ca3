"""The editor of a sequence: an options flow made of the steps in `editor`.

A thin entrance; the menu stands here, and what ends where.
"""

from dataclasses import replace
from typing import override

from homeassistant.config_entries import ConfigFlowResult

from .editing.markdown import alert, escaped
from .editing.plan_text import plan_markdown
from .editing.problem_lines import problem_boxes
from .editor.base import Input
from .editor.group_steps import GroupSteps
from .editor.manage_steps import ManageSteps
from .editor.run_steps import RunSteps
from .editor.text_steps import TextSteps
from .flow_menus import menu


class SequenceOptionsFlow(GroupSteps, TextSteps, RunSteps, ManageSteps):
    """Edits one sequence, or a draft of one."""

    async def async_step_init(self, user_input: Input = None) -> ConfigFlowResult:
        """Open the editor."""
        await self._async_open()
        return await self.async_step_editor()

    @override
    @menu
    async def async_step_editor(self, user_input: Input = None) -> ConfigFlowResult:
        """Show what the sequence is, what is wrong with it now, and what can be done."""
        self._follow()
        if self.work.proposed is not None:
            return await self.async_step_proposal()
        return self.async_show_menu(
            step_id="editor",
            menu_options=self._options(),
            description_placeholders={
                "name": escaped(self.work.name),
                "state": self._state(),
                "notes": self._draft_note(),
                "problems": await self._async_problems(),
            },
        )

    def _options(self) -> list[str]:
        options = ["details", "groups", "json", "check"]
        if self._stored() is not None:
            if self._is_enabled():
                options.append("run")
            if self._is_changed():
                options.append("discard")
        return [*options, "duplicate", "rename", "delete"]

    def _draft_note(self) -> str:
        notes = [self._told_elsewhere()]
        if self._stored() is None:
            notes.append(self.word("is_draft"))
        elif self._is_changed():
            notes.append(self.word("is_changed"))
        if self._stored() is not None and not self._is_enabled():
            notes.append(self.word("is_disabled"))
        boxes = [alert("note", escaped(note), []) for note in notes if note]
        if self.work.text is not None:
            boxes.append(alert("caution", escaped(self.word("text_unread")), []))
        return "\n\n".join(boxes)

    async def _async_problems(self) -> str:
        """Check again what may have changed since: tools come and go."""
        if not self.work.groups:
            return ""
        _, report = await self._async_check()
        return problem_boxes(
            report.errors, report.warnings, list(self.work.groups), self.word
        )

    @menu
    async def async_step_proposal(self, user_input: Input = None) -> ConfigFlowResult:
        """Show the whole of what a model proposes; one click confirms it."""
        sequence, report = await self._async_check()
        stored = self._stored()
        options = ["accept"] if sequence is not None else []
        options += ["take_over", "delete" if stored is None else "discard"]
        return self.async_show_menu(
            step_id="proposal",
            menu_options=options,
            description_placeholders={
                "name": escaped(self.work.name),
                "who": escaped(self._proposer()),
                "state": self._state(),
                "problems": problem_boxes(
                    report.errors, report.warnings, list(self.work.groups), self.word
                ),
                "plan": plan_markdown(self._shown(self.work), self.word, self._named),
            },
        )

    async def async_step_take_over(self, user_input: Input = None) -> ConfigFlowResult:
        """Edit what was proposed as if it were one's own."""
        mine = replace(self.work, proposed=None)
        return await self._async_keep(mine, self.async_step_editor)

    def _proposer(self) -> str:
        proposed = self.work.proposed or {}
        entrance = str(proposed.get("entrance", ""))
        user_id = proposed.get("user_id")
        name = self.runtime.users.name(user_id) if isinstance(user_id, str) else None
        who = name or self.word("somebody")
        return self.word("proposed", who=who, entrance=entrance)

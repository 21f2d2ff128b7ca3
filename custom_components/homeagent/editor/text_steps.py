"""A sequence as JSON text, and the whole of it checked, shown and saved.

Beside the other steps. Text and forms give the same AST and can be mixed.
"""

from dataclasses import replace
from functools import partial

from homeassistant.config_entries import ConfigFlowResult

from ..editing.markdown import alert, escaped
from ..editing.plan_text import plan_markdown
from ..editing.problem_lines import problem_boxes, text_problems
from ..editing.work import called_groups, made_of, version_of
from ..flow_menus import menu
from ..sequence.checks import Report
from ..sequence.model import Sequence
from .base import EditorFlow, Input
from .forms import JSON_FORM


class TextSteps(EditorFlow):
    """Edits the text, checks and saves."""

    _why_not = ""

    async def async_step_json(self, user_input: Input = None) -> ConfigFlowResult:
        """Show the text, and take over one that is right; an emptied one is left."""
        if user_input is None:
            self._follow()
            return self._show_text(self.work.json_text())
        text = str(user_input.get("document", ""))
        if not text.strip():
            emptied = replace(self.work, text=None)
            return await self._async_keep(emptied, self.async_step_editor, typed=True)
        draft = await self.runtime.author.from_text(text, name=self.work.name)
        if draft.sequence is None:
            problems = text_problems(draft.errors, text, self.word)
            wrong = replace(self.work, text=text)
            return await self._async_keep(
                wrong, partial(self._async_show_text, text, problems)
            )
        made = made_of(draft.sequence)
        changed = replace(
            self.work, groups=made.groups, description=made.description, text=None
        )
        return await self._async_keep(changed, self.async_step_check, typed=True)

    async def _async_show_text(self, text: str, problems: str) -> ConfigFlowResult:
        return self._show_text(text, problems)

    def _show_text(self, text: str, problems: str = "") -> ConfigFlowResult:
        return self.async_show_form(
            step_id="json",
            data_schema=self.add_suggested_values_to_schema(
                JSON_FORM, {"document": text}
            ),
            errors={"document": "problems"} if problems else {},
            description_placeholders={
                "problems": problems,
                "note": self.word("kept_unread") if problems else "",
            },
            last_step=False,
        )

    @menu
    async def async_step_check(self, user_input: Input = None) -> ConfigFlowResult:
        """Show the whole plan with all that is wrong, and offer to save it."""
        self._follow()
        sequence, report = await self._async_check()
        options = ["editor"]
        if sequence is not None and self.work.text is None:
            warned = bool(report.warnings or self._notes(sequence))
            options.insert(0, "save_anyway" if warned else "save")
        return self.async_show_menu(
            step_id="check",
            menu_options=options,
            description_placeholders={
                "name": escaped(self.work.name),
                "state": self._state(),
                "problems": self._problems(sequence, report),
                "plan": plan_markdown(self._shown(self.work), self.word, self._named),
            },
        )

    def _problems(self, sequence: Sequence | None, report: Report) -> str:
        boxes = [
            problem_boxes(
                report.errors, report.warnings, list(self.work.groups), self.word
            )
        ]
        notes = [self._told_elsewhere()]
        if self._stored() is None and report.errors:
            notes.append(self.word("is_draft"))
        boxes[:0] = [alert("note", escaped(note), []) for note in notes if note]
        if self.work.text is not None:
            boxes.insert(0, alert("caution", escaped(self.word("text_unread")), []))
        if effects := self._notes(sequence):
            boxes.append(alert("warning", escaped(self.word("notes")), effects))
        return "\n\n".join(filter(None, boxes))

    def _notes(self, sequence: Sequence | None) -> list[str]:
        """Return what saving would do to others, and to what others did meanwhile."""
        notes = []
        stored = self._stored()
        if stored is not None and self.work.base not in {None, version_of(stored)}:
            notes.append(escaped(self.word("changed_meanwhile")))
        if stored is None or sequence is None:
            return notes
        gone = {group.name for group in stored.groups} - {
            group.name for group in sequence.groups
        }
        for caller in self.runtime.library:
            for group in sorted(called_groups(caller, stored.name) & gone):
                text = self.word("group_gone", caller=caller.name, group=group)
                notes.append(escaped(text))
        return notes

    async def async_step_save(self, user_input: Input = None) -> ConfigFlowResult:
        """Save what has no errors, or show what has come up meanwhile."""
        entries, entry = self.runtime.entries, self.config_entry
        async with entries.lock:
            if self._follow():
                # It was not shown what would be saved.
                return await self.async_step_editor()
            sequence, _ = await self._async_check()
            if sequence is None or self.work.text is not None:
                return await self.async_step_check()
            if entries.is_taken(sequence.name, entry):
                return await self._async_cannot_save("name_taken", name=sequence.name)
            if entries.cannot_store(sequence) is not None:
                return await self._async_cannot_save("no_room")
            entries.async_save(entry, sequence, self.work.sentences)
        # Nothing is left to change: this ends the flow.
        return self.async_create_entry(data=dict(self.config_entry.options))

    async def async_step_save_anyway(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Save in spite of the warnings that were shown."""
        return await self.async_step_save()

    async def async_step_accept(self, user_input: Input = None) -> ConfigFlowResult:
        """Confirm a proposal as it was shown."""
        return await self.async_step_save()

    async def _async_cannot_save(
        self, word: str, **placeholders: str
    ) -> ConfigFlowResult:
        self._why_not = self.word(word, **placeholders)
        return await self.async_step_not_saved()

    @menu
    async def async_step_not_saved(self, user_input: Input = None) -> ConfigFlowResult:
        """Show why what is right in itself was not saved."""
        return self.async_show_menu(
            step_id="not_saved",
            menu_options=["editor"],
            description_placeholders={"problems": escaped(self._why_not)},
        )

"""What is done to a sequence as a whole: details, new name, copy, going back, removal.

Beside the other steps.
"""

from dataclasses import replace

from homeassistant.config_entries import ConfigFlowResult

from ..editing.faults import Fault
from ..editing.group_list import free_name, name_of
from ..editing.markdown import bullets, escaped
from ..editing.problem_lines import (
    Told,
    fault_lines,
    field_text,
    place_of,
    sentence_row,
)
from ..editing.shared_inputs import Placed, details_problems, input_rows, with_inputs
from ..editing.signature_rows import row_keys
from ..editing.work import Work
from ..flow_menus import menu
from ..sequence.names import normal_name
from .base import EditorFlow, Input
from .forms import NAME_FORM, details_form
from .names import name_text


class ManageSteps(EditorFlow):
    """Details, rename, duplicate, discard, delete."""

    _new_name = ""

    async def async_step_details(self, user_input: Input = None) -> ConfigFlowResult:
        """Show description, sentences and inputs, and take over what is right."""
        if user_input is None:
            self._follow()
            return self._show_details(
                {
                    "description": self.work.description,
                    "sentences": list(self.work.sentences),
                    "inputs": input_rows(self.work.groups, self._yes_no()),
                }
            )
        sentences = user_input.get("sentences")
        spoken = tuple(map(str, sentences)) if isinstance(sentences, list) else ()
        rows = user_input.get("inputs", [])
        groups, faults = with_inputs(self.work.groups, rows)
        work = replace(
            self.work.with_groups(groups) if self.work.groups else self.work,
            description=str(user_input.get("description", "")),
            sentences=tuple(each for each in spoken if each.strip()),
        )
        texts = await self._async_details_texts(work, rows, faults)
        if texts:
            return self._show_details(user_input, texts)
        return await self._async_keep(work, self.async_step_editor)

    async def _async_details_texts(
        self, work: Work, rows: object, faults: list[Fault]
    ) -> dict[str, str]:
        """Return what is wrong at each field, out of what the form can have caused."""
        lines: dict[str, list[Told]] = {}
        if faults:
            lines["inputs"] = fault_lines(faults, self.word)
        for problem in self._check_sentences(work).errors:
            told = (sentence_row(problem), self.word.problem(problem))
            lines.setdefault("sentences", []).append(told)
        before = (await self._async_draft(self.work)).errors
        after = (await self._async_draft(work)).errors
        for each in details_problems(before, after, work.groups, rows):
            if each.row is None and each.field == "inputs" and faults:
                # It may only follow from a row that could not be read.
                continue
            text = self._placed_text(each, work)
            lines.setdefault(each.field, []).append((each.row, text))
        names = {"inputs": row_keys(rows), "sentences": work.sentences}
        return {
            field: field_text(told, names.get(field, ()), self.word)
            for field, told in lines.items()
        }

    def _placed_text(self, placed: Placed, work: Work) -> str:
        """Return a problem in words; one that is in no row tells where it is."""
        text = self.word.problem_in_form(placed.problem)
        if placed.row is not None or placed.field != "inputs":
            return text
        place = place_of(placed.problem, work.groups, self.word)
        if placed.problem.code == "arg_undeclared":
            key = placed.problem.placeholders["key"]
            return self.word("input_in_use", key=key, place=place)
        return self.word("at_place", place=place, text=text)

    def _show_details(
        self, values: dict[str, object], texts: dict[str, str] | None = None
    ) -> ConfigFlowResult:
        told = texts or {}
        groups = [name_of(group) for group in self.work.groups]
        return self.async_show_form(
            step_id="details",
            data_schema=self.add_suggested_values_to_schema(
                details_form(groups, self.word), values
            ),
            errors={name: f"at_{name}" for name in told},
            description_placeholders={
                "slot": "{host}",
                "note": self.word("form_not_kept") if told else "",
                **{f"at_{name}": text for name, text in told.items()},
            },
            last_step=False,
        )

    async def async_step_rename(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask for another name; who calls the sequence is shown before anything is."""
        if user_input is None:
            self._follow()
            return self._show_name("rename", self.work.name)
        name = normal_name(str(user_input["name"]))
        if text := name_text(self.runtime, self.word, name, self.config_entry):
            return self._show_name("rename", name, text)
        self._new_name = name
        if self._stored() is None or not self._callers():
            return await self.async_step_do_rename()
        return await self.async_step_confirm_rename()

    def _callers(self) -> list[str]:
        return self.runtime.library.callers_of(self._present_name())

    @menu
    async def async_step_confirm_rename(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Show who calls the sequence, before anything is rewritten."""
        return self.async_show_menu(
            step_id="confirm_rename",
            menu_options=["do_rename", "editor"],
            description_placeholders={
                "old": escaped(self.work.name),
                "new": escaped(self._new_name),
                "callers": bullets(self._callers()),
            },
        )

    async def async_step_do_rename(self, user_input: Input = None) -> ConfigFlowResult:
        """Rename the sequence, also in those that call it."""
        self.runtime.entries.async_rename(self.config_entry, self._new_name)
        return await self.async_step_editor()

    def _show_name(self, step: str, name: str, text: str = "") -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(NAME_FORM, {"name": name}),
            errors={"name": "at_name"} if text else {},
            description_placeholders={"at_name": text, "old": escaped(self.work.name)},
            last_step=False,
        )

    async def async_step_duplicate(self, user_input: Input = None) -> ConfigFlowResult:
        """Add a copy under another name: a sequence, or a draft of what is in work."""
        entries = self.runtime.entries
        if user_input is None:
            name = free_name(self.work.name, entries.stored_names())
            return self._show_name("duplicate", name)
        name = normal_name(str(user_input["name"]))
        if text := name_text(self.runtime, self.word, name):
            return self._show_name("duplicate", name, text)
        stored = self._stored()
        async with entries.lock:
            if stored is not None and not self._is_changed():
                await entries.async_create(replace(stored, name=name))
            else:
                copy = replace(self.work, name=name, base=None, proposed=None)
                await entries.async_create_draft(replace(copy, sentences=()))
        return self.async_abort(
            reason="duplicated", description_placeholders={"name": escaped(name)}
        )

    @menu
    async def async_step_discard(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask whether to go back to what is saved."""
        return self.async_show_menu(
            step_id="discard", menu_options=["do_discard", "editor"]
        )

    async def async_step_do_discard(self, user_input: Input = None) -> ConfigFlowResult:
        """Go back to what is saved."""
        self.runtime.entries.keep_draft(self.config_entry, None)
        self.work = self._stored_work()
        return await self.async_step_editor()

    @menu
    async def async_step_delete(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask whether to delete the sequence; who calls it is shown."""
        callers = self._callers()
        text = escaped(self.word("called_by"))
        return self.async_show_menu(
            step_id="delete",
            menu_options=["do_delete", "editor"],
            description_placeholders={
                "name": escaped(self.work.name),
                "callers": f"{text}\n\n{bullets(callers)}" if callers else "",
            },
        )

    async def async_step_do_delete(self, user_input: Input = None) -> ConfigFlowResult:
        """Delete the sequence, once this flow has ended."""
        config_entries, entry_id = self.hass.config_entries, self.config_entry.entry_id
        self.hass.async_create_task(
            config_entries.async_remove(entry_id), eager_start=False
        )
        return self.async_abort(
            reason="deleted",
            description_placeholders={"name": escaped(self.work.name)},
        )

"""The groups of a sequence: their list, and each as a form.

Beside the other steps. A form is checked with the other groups beside it; what is wrong
stands at its field, warnings stand on the page that follows.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
import re
from typing import Any, Final

from homeassistant.config_entries import ConfigFlowResult

from ..editing import group_list
from ..editing.group_form import (
    FORM_FIELDS,
    NOTHING,
    GroupDocument,
    ReadForm,
    form_values,
    problems_by_field,
    problems_left,
    read_form,
    row_in_form,
)
from ..editing.markdown import bullets, escaped
from ..editing.plan_text import (
    full_name,
    group_line,
    group_markdown,
    state_line,
    understood,
)
from ..editing.problem_lines import (
    fault_lines,
    field_text,
    problem_boxes,
    problems_of_group,
    problems_of_whole,
)
from ..editing.rows import Showing
from ..editing.shared_inputs import new_problems
from ..flow_menus import menu
from ..sequence.limits import MAX_GROUPS
from ..sequence.problems import Problem
from ..tools.sequence_author import Draft
from .base import EditorFlow, Input
from .forms import group_form
from .preview import show_preview

NAMED_LINES: Final = 40
"""Lines of the list that can show a long name below: their texts are translations."""

_GROUP_STEP: Final = re.compile(r"async_step_group_(\d+)")

type Step = Callable[..., Coroutine[Any, Any, ConfigFlowResult]]


class GroupSteps(EditorFlow):
    """Lists groups, and edits one."""

    _index = 0

    def __getattr__(self, name: str) -> Step:
        """Return the step that opens the group of that number: `group_0` and so on."""
        if match := _GROUP_STEP.fullmatch(name):
            return partial(self._async_open_group, int(match[1]))
        raise AttributeError(name)

    @menu
    async def async_step_groups(self, user_input: Input = None) -> ConfigFlowResult:
        """List the groups."""
        self._follow()
        groups = self._shown(self.work).groups
        options = {
            f"group_{index}": group_line(group, index, self.word)
            for index, group in enumerate(groups)
        }
        if not self._is_full():
            options["add_group"] = self.word("add_group")
        options["editor"] = self.word("back")
        names = [
            full_name(group, index, self.word) for index, group in enumerate(groups)
        ]
        beyond = [name for name in names[NAMED_LINES:] if name]
        lines = [*names, *[""] * NAMED_LINES][:NAMED_LINES]
        return self.async_show_menu(
            step_id="groups",
            menu_options=options,
            description_placeholders={
                "state": f"{self._state()}{self._full_note()}",
                "names": bullets(beyond),
                **{f"group_{index}": name for index, name in enumerate(lines)},
            },
        )

    def _is_full(self) -> bool:
        """Whether there are as many groups as a sequence can have."""
        return len(self.work.groups) >= MAX_GROUPS

    def _full_note(self) -> str:
        if not self._is_full():
            return ""
        return f"\n\n{escaped(self.word('groups_full', count=str(MAX_GROUPS)))}"

    async def async_step_add_group(self, user_input: Input = None) -> ConfigFlowResult:
        """Open the form of a new group."""
        self._index = len(self.work.groups)
        return await self.async_step_group_form()

    async def _async_open_group(
        self, index: int, user_input: Input = None
    ) -> ConfigFlowResult:
        self._index = index
        return await self.async_step_group()

    @menu
    async def async_step_group(self, user_input: Input = None) -> ConfigFlowResult:
        """Show one group as it was understood, and what can be done with it."""
        groups = self.work.groups
        if self._index >= len(groups):
            return await self.async_step_groups()
        group = self._shown(self.work).groups[self._index]
        draft = await self._async_check_group(self._index, groups)
        options = ["edit_group", "delete_group", "groups"]
        if not self._is_full():
            options.insert(1, "copy_group")
        if self._index + 1 < len(groups):
            options.insert(1, "move_down")
        if self._index:
            options.insert(1, "move_up")
        word = self.word
        return self.async_show_menu(
            step_id="group",
            menu_options=options,
            description_placeholders={
                "name": escaped(group.name),
                "plan": group_markdown(group, self._index + 1, word, self._named),
                "understood": understood(groups[self._index], self._actions, word),
                "problems": problem_boxes(
                    draft.errors, draft.warnings, [groups[self._index]], word
                ),
            },
        )

    async def async_step_edit_group(self, user_input: Input = None) -> ConfigFlowResult:
        """Open the form of the group."""
        return await self.async_step_group_form()

    async def async_step_group_form(self, user_input: Input = None) -> ConfigFlowResult:
        """Show the form of a group, and take over what is right."""
        groups = self.work.groups
        before = groups[self._index] if self._index < len(groups) else NOTHING
        if user_input is None:
            showing = Showing(
                actions=self._actions, named=self._named, yes_no=self._yes_no()
            )
            return self._show_group(form_values(before, showing))
        read = read_form(user_input, before, self._actions)
        changed = group_list.put(groups, self._index, read.document)
        draft = await self._async_check_group(self._index, changed)
        texts = self._field_texts(read, draft.errors)
        if texts:
            return self._show_group(user_input, texts)
        return await self._async_keep(
            self.work.with_groups(changed), self.async_step_group
        )

    def _field_texts(
        self, read: ReadForm, problems: tuple[Problem, ...]
    ) -> dict[str, str]:
        """Return what is wrong at each field; a row that cannot be read has one text."""
        found = problems_by_field(problems_left(read, problems))
        texts = {}
        for name in (*FORM_FIELDS, "base"):
            lines = fault_lines(read.faults.get(name, ()), self.word)
            lines += [
                (row_in_form(problem, read.names), self.word.problem_in_form(problem))
                for problem in found.get(name, ())
            ]
            if lines:
                texts[name] = field_text(lines, read.names.get(name, ()), self.word)
        return texts

    def _show_group(
        self, values: Mapping[str, object], texts: Mapping[str, str] | None = None
    ) -> ConfigFlowResult:
        show_preview(self.hass, self.flow_id, self._preview)
        told = texts or {}
        return self.async_show_form(
            step_id="group_form",
            data_schema=self.add_suggested_values_to_schema(
                group_form(self.word), values
            ),
            errors={name: f"at_{name}" for name in told},
            description_placeholders={
                "note": self.word("form_not_kept") if told else "",
                **{f"at_{name}": text for name, text in told.items()},
            },
            preview="homeagent",
            last_step=False,
        )

    def _preview(self, typed: Mapping[str, object]) -> tuple[str, str]:
        """Return the live line: the whole sequence, with the group as it is typed."""
        group = read_form(typed).document
        work = self.work.with_groups(
            group_list.put(self.work.groups, self._index, group)
        )
        return self.word("preview"), state_line(self._shown(work), self.word)

    async def _async_check_group(
        self, index: int, groups: tuple[GroupDocument, ...] | list[GroupDocument]
    ) -> Draft:
        """Check one group among the others; paths begin in the group.

        It is checked as the last one, so that a name given twice is told of this one.
        What is wrong with the whole since then is told, too: it has become too large,
        or calls itself.
        """
        ordered = [*groups[:index], *groups[index + 1 :], groups[index]]
        draft = await self._async_draft(replace(self.work, groups=tuple(ordered)))
        last = len(ordered) - 1
        whole = problems_of_whole(last, draft.errors)
        if whole:
            before = await self._async_draft(self.work)
            known = problems_of_whole(index, before.errors)
            whole = list(new_problems(known, whole))
        return replace(
            draft,
            errors=(*whole, *problems_of_group(last, draft.errors)),
            warnings=problems_of_group(last, draft.warnings),
        )

    async def async_step_move_up(self, user_input: Input = None) -> ConfigFlowResult:
        """Let the group run before the one above it."""
        return await self._async_move(-1)

    async def async_step_move_down(self, user_input: Input = None) -> ConfigFlowResult:
        """Let the group run after the one below it."""
        return await self._async_move(1)

    async def _async_move(self, by: int) -> ConfigFlowResult:
        moved = group_list.move(self.work.groups, self._index, by)
        return await self._async_keep(
            self.work.with_groups(moved), self.async_step_groups
        )

    async def async_step_copy_group(self, user_input: Input = None) -> ConfigFlowResult:
        """Put a copy of the group behind it.

        It leads to the list, where there is nothing to copy: one answer is one copy.
        """
        copied = group_list.copy(self.work.groups, self._index)
        return await self._async_keep(
            self.work.with_groups(copied), self.async_step_groups
        )

    @menu
    async def async_step_delete_group(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Ask whether to take the group out."""
        name = group_list.name_of(self.work.groups[self._index])
        return self.async_show_menu(
            step_id="delete_group",
            menu_options=["do_delete_group", "group"],
            description_placeholders={"name": escaped(name)},
        )

    async def async_step_do_delete_group(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Take the group out."""
        left = group_list.take_out(self.work.groups, self._index)
        return await self._async_keep(
            self.work.with_groups(left), self.async_step_groups
        )

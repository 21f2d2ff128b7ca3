"""A run out of the editor: its inputs as a form, its progress, its report.

Beside the other steps; an entrance to the kernel's door. What runs is what is saved. The
run goes on when the editor is left.
"""

import asyncio
from collections.abc import Collection, Mapping
import re
from typing import Final

from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import Context
import probatio

from ..editing.error_text import error_text, together
from ..editing.markdown import escaped
from ..editing.problem_lines import fault_lines
from ..editing.report_text import result_markdown
from ..editing.typed_inputs import is_written, read_inputs, written_default
from ..editing.typed_values import YesNo
from ..editing.wording import Wording
from ..flow_menus import BETWEEN, menu
from ..flow_progress import Progress
from ..kernel.contract import Caller, Entrance, ToolCall, ToolResult
from ..sequence.model import ABSENT, Parameter, Sequence
from ..sequence.report import RunReport
from ..sequence.signature import run_inputs
from ..tools.input_fields import input_selector
from ..tools.person_language import current_user_id
from .base import EditorFlow, Input
from .forms import TEXT

AGAIN: Final = ("run_again", "run_anew")
"""Offered in turn where a run has ended: an answer that comes twice is one run."""


class RunSteps(EditorFlow):
    """Runs the sequence that is saved."""

    _count = 0
    _typed: dict[str, object]
    _args: dict[str, object]
    _run: asyncio.Task[ToolResult] | None = None
    _progress: Progress

    async def async_step_run(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask for the inputs, if there are any."""
        if self._run is not None and not self._run.done():
            # The same answer came twice; it is one run.
            return await self.async_step_running()
        stored = self._stored()
        if stored is None or not self._is_enabled():
            return await self.async_step_editor()
        inputs = run_inputs(stored)
        if user_input is None and inputs:
            return self._show_inputs(stored, inputs, {})
        self._typed = dict(user_input or {})
        self._args, faults = read_inputs(self._typed, inputs)
        if faults:
            texts = {
                key: text
                for key, fault in faults.items()
                for _, text in fault_lines([fault], self.word)
            }
            return self._show_inputs(stored, inputs, self._typed, texts)
        self._run, self._progress = None, Progress()
        self._count += 1
        return await self.async_step_running()

    def _show_inputs(
        self,
        sequence: Sequence,
        inputs: Mapping[str, Parameter],
        values: Mapping[str, object],
        errors: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        schema = {
            _marker(key, each, self._yes_no()): (
                TEXT if is_written(each) else input_selector(each)
            )
            for key, each in inputs.items()
        }
        about = [
            f"- **{escaped(key)}**: {escaped(text)}"
            for key, each in inputs.items()
            if (text := self._about(each))
        ]
        return self.async_show_form(
            step_id="run",
            data_schema=self.add_suggested_values_to_schema(
                probatio.Schema(schema), values
            ),
            errors=errors or {},
            description_placeholders={
                "name": escaped(sequence.name),
                "inputs": "\n".join(about),
            },
            last_step=False,
        )

    def _about(self, parameter: Parameter) -> str:
        """Return what is told of an input, and how it is written."""
        how = self.word(f"written_{parameter.type}") if is_written(parameter) else ""
        return BETWEEN.join(filter(None, (parameter.description, how)))

    async def async_step_running(self, user_input: Input = None) -> ConfigFlowResult:
        """Wait for the end of the run, and say so."""
        if self._run is None:
            caller = _caller(current_user_id())
            self._run = self.hass.async_create_background_task(
                self._async_run(caller), "homeagent run from the editor"
            )
        progress = await self._progress.async_of(
            self.hass, self._run, "homeagent run is shown"
        )
        if progress is None:
            return await self.async_step_ran()
        if not progress.done():
            return self.async_show_progress(
                step_id="running",
                progress_action="running",
                progress_task=progress,
                description_placeholders={"name": escaped(self.work.name)},
            )
        return self.async_show_progress_done(next_step_id="ran")

    async def _async_run(self, caller: Caller) -> ToolResult:
        stored = self._stored()
        name = self.work.name if stored is None else stored.name
        call = ToolCall(tool="seq_run", arguments={"name": name, "args": self._args})
        (result,) = (await self.runtime.call(caller, [call])).results
        return result

    @menu
    async def async_step_ran(self, user_input: Input = None) -> ConfigFlowResult:
        """Show what came of the run; a fault of an input stands at its field."""
        assert self._run is not None
        result = self._run.result()
        stored = self._stored()
        inputs = {} if stored is None else run_inputs(stored)
        errors = _input_errors(result.nested, inputs, self.word)
        if errors and stored is not None:
            return self._show_inputs(stored, inputs, self._typed, errors)
        return self.async_show_menu(
            step_id="ran",
            menu_options=[AGAIN[1 - self._count % 2], "editor"],
            description_placeholders={"report": result_markdown(result, self.word)},
        )

    async def async_step_run_again(self, user_input: Input = None) -> ConfigFlowResult:
        """Run it once more."""
        return await self.async_step_run()

    async def async_step_run_anew(self, user_input: Input = None) -> ConfigFlowResult:
        """Run it once more, after that."""
        return await self.async_step_run()


def _caller(user_id: str | None) -> Caller:
    """Return the person who edits; without one, nobody, who may do nothing."""
    return Caller(
        entrance=Entrance.DIRECT, user_id=user_id, context=Context(user_id=user_id)
    )


def _marker(key: str, parameter: Parameter, yes_no: YesNo) -> probatio.Marker:
    marker = probatio.Required if parameter.required else probatio.Optional
    if parameter.default is ABSENT:
        return marker(key)
    value = written_default(parameter, yes_no)
    return marker(key, description={"suggested_value": value})


def _input_errors(
    report: object, inputs: Collection[str], wording: Wording
) -> dict[str, str]:
    """Return why a run did not begin, by its inputs; `base` has what is about none.

    Nothing where no input is at fault: then the report tells.
    """
    if not isinstance(report, RunReport):
        return {}
    found: dict[str, dict[str, None]] = {}
    for placed in report.errors:
        for error in (placed.error, *placed.error.also):
            field = _input_of(error.field, inputs)
            found.setdefault(field, {})[error_text(error, wording)] = None
    if not found.keys() - {"base"}:
        return {}
    return {field: together(texts, wording) for field, texts in found.items()}


def _input_of(field: str | None, inputs: Collection[str]) -> str:
    """Return the input that a path such as `rooms[2].name` is about."""
    begins = re.split(r"[.\[]", field or "")[0]
    return next((key for key in (field, begins) if key in inputs and key), "base")

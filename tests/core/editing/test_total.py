"""Whatever a browser sends or a draft holds, the editor decides; it never raises."""

from collections.abc import Mapping
import re
import string

from hypothesis import given, strategies as st

from custom_components.homeagent.editing.action_rows import KnownActions
from custom_components.homeagent.editing.group_form import (
    FORM_FIELDS,
    form_values,
    read_form,
)
from custom_components.homeagent.editing.group_list import copy, move, put, take_out
from custom_components.homeagent.editing.markdown import code_block, escaped
from custom_components.homeagent.editing.plan_text import plan_markdown, state_line
from custom_components.homeagent.editing.report_text import report_markdown
from custom_components.homeagent.editing.rows import Showing
from custom_components.homeagent.editing.shared_inputs import input_rows, with_inputs
from custom_components.homeagent.editing.wording import Wording
from custom_components.homeagent.editing.work import draft_of, made_of, work_of_draft
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.report import (
    RUN_STATUSES,
    GroupReport,
    PlacedError,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.run_words import WORDS, say

from ..sequence.ast_strategies import sequences
from .words import EN, WORDINGS


class Echo(dict[str, str]):
    """Words that tell their own key and all that is put in."""

    def __missing__(self, key: str) -> str:
        """Return a text for any key."""
        return f"<{key}>"


WORDING = Wording(texts=Echo())
PLACES = {
    name
    for text in [*WORDS.values(), *EN.said.values()]
    for _, name, _, _ in string.Formatter().parse(text)
    if name
}
KEYS = st.sampled_from(
    [
        *FORM_FIELDS,
        *("action", "tool", "args", "as", "select", "fallback", "unsafe_serial"),
        *("key", "type", "default", "choices", "optional", "groups", "target", "data"),
        *("in", "out", "required", "enabled", "status", "errors", "sentences", "base"),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)
MEMBERS = st.dictionaries(KEYS, VALUES, max_size=6)


@given(MEMBERS)
def test_form(values: Mapping[str, object]) -> None:
    """Any form is a group, or has faults; and any group can be a form."""
    actions = KnownActions(exists=lambda name: True, targeted=lambda name: True)
    read = read_form(values, values, actions)
    assert all(read.faults.values())
    form_values(values, Showing(actions=actions))
    form_values(read.document, Showing(actions=actions))


@given(MEMBERS)
def test_draft(draft: Mapping[str, object]) -> None:
    """Any draft can be opened, shown and kept."""
    work = work_of_draft("name", draft)
    sequence = work.sequence()
    state_line(sequence, WORDING)
    plan_markdown(sequence, WORDING)
    assert work_of_draft("name", draft_of(work)) == work
    assert isinstance(work.json_text(), str)


@given(st.lists(MEMBERS, min_size=1, max_size=3), MEMBERS, VALUES)
def test_lists(
    groups: list[dict[str, object]], group: dict[str, object], rows: object
) -> None:
    """Groups are moved and changed, whatever is in them."""
    assert len(put(groups, len(groups), group)) == len(groups) + 1
    assert len(put(groups, 0, group)) == len(groups)
    assert sorted(map(id, move(groups, 0, 1))) == sorted(map(id, groups))
    assert len(copy(groups, 0)) == len(groups) + 1
    assert len(take_out(groups, 0)) == len(groups) - 1
    input_rows(groups)
    with_inputs(groups, rows)


@given(sequences())
def test_inputs_in_one_list_lose_nothing(sequence: Sequence) -> None:
    """What the details show and send back changes no group."""
    work = work_of_draft(sequence.name, {})
    groups = [dict(each) for each in _documents(sequence)]
    changed, faults = with_inputs(groups, input_rows(groups))
    assert faults == []
    assert work.with_groups(changed).sequence().groups == sequence.groups


def _documents(sequence: Sequence) -> list[Mapping[str, object]]:
    return list(made_of(sequence).groups)


SAID = st.text(max_size=8) | st.sampled_from(
    [say(code, **dict.fromkeys(PLACES, "x")) for code in WORDS]
)
ERRORS = st.builds(
    ToolError, reason=st.sampled_from(Reason), field=st.none() | SAID, detail=SAID
)
STATUSES = st.sampled_from(Status)
TOOLS = st.builds(
    ToolReport,
    index=st.integers(0, 3),
    tool=st.text(max_size=5),
    status=STATUSES,
    error=st.none() | ERRORS,
    warnings=st.lists(SAID, max_size=2).map(tuple),
    attempts=st.integers(0, 3),
)
GROUPS = st.builds(
    GroupReport,
    name=st.text(max_size=5),
    status=STATUSES,
    why=st.none() | SAID,
    parallel=st.none() | st.booleans(),
    parallel_why=st.none() | SAID,
    tools=st.lists(TOOLS, max_size=2).map(tuple),
)


@given(
    st.builds(
        RunReport,
        run_id=st.just("1"),
        sequence=st.just("s"),
        status=st.sampled_from(RUN_STATUSES),
        groups=st.lists(GROUPS, max_size=2).map(tuple),
        errors=st.lists(st.builds(PlacedError, error=ERRORS), max_size=2).map(tuple),
        out=st.dictionaries(KEYS, MEMBERS, max_size=2),
    )
)
def test_report(run: RunReport) -> None:
    """Whatever a run says can be told, in every language."""
    for wording in WORDINGS.values():
        assert report_markdown(run, wording)


@given(st.text(alphabet=string.printable + "é主\u202e", max_size=30))
def test_nothing_escapes(text: str) -> None:
    """Every mark is escaped, on one line; a block of code ends at its end."""
    shown = escaped(text)
    assert "\n" not in shown
    assert not re.search(r"[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", shown))
    lines = code_block(text).split("\n")
    assert lines[0] == lines[-1]
    assert lines[0] not in "\n".join(lines[1:-1])

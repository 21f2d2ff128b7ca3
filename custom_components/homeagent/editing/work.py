"""What the editor works on: a sequence in the making, and the draft that is kept of it.

Above the language; pure. A draft is JSON in the options of a sequence's entry. With no
AST beside it the entry is a draft, which only the editor sees; beside an AST it holds
changes that were not saved.
"""

from collections.abc import Mapping, Sequence as Many
from dataclasses import dataclass, replace
from typing import TypeIs

from ..sequence.codec import content_hash
from ..sequence.document import read_sequence
from ..sequence.model import CALL_TOOLS, Sequence
from ..sequence.names import folded
from ..sequence.renaming import rename_calls
from ..sequence.targets import target_of
from ..sequence.writer import group_document, to_arguments, to_text
from .group_form import GroupDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A sequence in the making.

    `sentences` stand beside the text form. `text` is what was typed as JSON and is not
    right yet. `base` is the hash of the stored AST that the changes began with.
    `proposed` tells who proposes it: `{"entrance": …, "user_id": …}`.
    """

    name: str
    description: str = ""
    groups: tuple[GroupDocument, ...] = ()
    sentences: tuple[str, ...] = ()
    text: str | None = None
    base: str | None = None
    proposed: Mapping[str, object] | None = None

    def document(self) -> dict[str, object]:
        """Return the whole as decoded JSON."""
        document: dict[str, object] = {"name": self.name}
        if self.description:
            document["description"] = self.description
        return document | {"groups": list(self.groups)}

    def sequence(self) -> Sequence:
        """Return what can be read of it: all, but for a name that is not legal yet."""
        draft = read_sequence(self.document()).draft
        return draft or Sequence(name=self.name, groups=())

    def json_text(self) -> str:
        """Return the text form, or what was typed last and is not right."""
        if self.text is not None:
            return self.text
        return to_text(self.sequence())

    def with_groups(self, groups: Many[GroupDocument]) -> Work:
        """Return it with these groups.

        What was typed as JSON is gone then, unless they say the same as before.
        """
        changed = replace(self, groups=tuple(groups))
        same = changed.sequence() == self.sequence()
        return changed if same else replace(changed, text=None)


def work_of(sequence: Sequence, sentences: Many[str] = ()) -> Work:
    """Return the work that a stored sequence begins with."""
    return replace(
        made_of(sequence), sentences=tuple(sentences), base=version_of(sequence)
    )


def version_of(sequence: Sequence) -> str:
    """Return the hash by which a changed sequence is known."""
    return content_hash(to_arguments(sequence))


def made_of(sequence: Sequence) -> Work:
    """Return a checked sequence as work that was begun with nothing."""
    return Work(
        name=sequence.name,
        description=sequence.description,
        groups=tuple(group_document(group, as_text=False) for group in sequence.groups),
    )


def work_of_draft(name: str, draft: Mapping[str, object]) -> Work:
    """Return the work that a kept draft holds; what is damaged in it is left out."""
    proposed = draft.get("proposed")
    return Work(
        name=name,
        description=_text(draft, "description") or "",
        groups=tuple(each for each in _list(draft, "groups") if is_group(each)),
        sentences=tuple(map(str, _list(draft, "sentences"))),
        text=_text(draft, "text"),
        base=_text(draft, "base"),
        proposed=proposed if isinstance(proposed, Mapping) else None,
    )


def is_group(value: object) -> TypeIs[GroupDocument]:
    """Whether a kept value can be a group."""
    return isinstance(value, Mapping)


def _text(draft: Mapping[str, object], key: str) -> str | None:
    value = draft.get(key)
    return value if isinstance(value, str) else None


def _list(draft: Mapping[str, object], key: str) -> Many[object]:
    value = draft.get(key)
    return value if isinstance(value, list | tuple) else ()


def draft_of(work: Work) -> dict[str, object]:
    """Return the draft to keep; what is not there is left out."""
    members: dict[str, object] = {
        "description": work.description or None,
        "groups": [dict(group) for group in work.groups],
        "sentences": list(work.sentences) or None,
        "text": work.text,
        "base": work.base,
        "proposed": None if work.proposed is None else dict(work.proposed),
    }
    return {key: value for key, value in members.items() if value is not None}


def renamed(work: Work, old: str, new: str) -> Work:
    """Return the work with its calls of `#old` naming `#new`."""
    sequence = work.sequence()
    changed = rename_calls(sequence, old, new)
    if changed is sequence:
        return work
    return replace(work, groups=made_of(changed).groups)


def under_name(work: Work, name: str) -> Work:
    """Return the work under a name, with what calls itself naming that."""
    if work.name == name:
        return work
    return replace(renamed(work, work.name, name), name=name)


def says_same(one: Work, other: Work) -> bool:
    """Whether two works say the same, however it is written and with whatever base."""
    return (
        one.sequence() == other.sequence()
        and one.sentences == other.sentences
        and one.text == other.text
    )


def called_groups(sequence: Sequence, name: str) -> set[str]:
    """Return the groups of the sequence `name` that another one calls."""
    called: set[str] = set()
    for group in sequence.groups:
        for entry in group.tools:
            target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
            if target is None or target.sequence is None or target.group is None:
                continue
            if folded(target.sequence) == folded(name):
                called.add(target.group)
    return called

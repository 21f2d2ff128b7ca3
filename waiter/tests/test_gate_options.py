"""Each command accepts the options of ``cases/options.txt`` and no others.

That list is written down a second time, apart from the grammars: whoever lets an option
in says so twice. Whatever is an option of any command is tried with all the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import string

from conftest import plain_lines
import pytest
from test_gate_disguised import FIND_ACTIONS, HARMFUL

from homeagent_waiter.gate.grammar import Grammar
from homeagent_waiter.gate.grammars import GRAMMARS
from homeagent_waiter.gate.refused import RefusedError

ODD = "odd 'value'=\"!\""
# Words with one dash are no bundles of letters here.
WHOLE_WORDS = frozenset({"find", "ip"})


@dataclass(frozen=True)
class Entry:
    """An option: its name, how its value is given, and which values there are."""

    name: str
    how: str
    values: tuple[str, ...]

    def forms(self, value: str) -> list[list[str]]:
        """Return the ways to write it with a value."""
        joined = f"{self.name}={value}"
        if self.how == "~":
            return [[joined if self.name.startswith("--") else self.name + value]]
        apart = [self.name, value]
        return [apart, [joined]] if self.name.startswith("--") else [apart]


@dataclass(frozen=True)
class Accepted:
    """What one command accepts."""

    name: str
    verbs: tuple[str, ...]
    always: tuple[str, ...]
    base: tuple[str, ...]
    operands: str
    entries: tuple[Entry, ...]
    grammar: Grammar

    def takes(self, *words: str) -> bool:
        """Return whether the words pass, among those that complete the line."""
        return self.passes(*words, *self.base)

    def passes(self, *words: str) -> bool:
        """Return whether just these words pass."""
        try:
            self.grammar.parse([*self.verbs, *self.always, *words])
        except RefusedError:
            return False
        return True

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the options."""
        return frozenset(entry.name for entry in self.entries)


def _entry(text: str) -> Entry:
    if text[0] in "=~":
        return Entry(text, "", ())
    for how in "=~":
        name, found, values = text.partition(how)
        if found:
            return Entry(name, how, tuple(values.split("|")))
    return Entry(text, "", ())


def _accepted(line: str) -> Accepted:
    command, base, operands, entries = line.split("\t")
    name, _, implementation = command.partition("@")
    name, *verbs = name.split(" ")
    always, _, needed = base.rpartition("|")
    entry = GRAMMARS[name]
    grammar = entry.busybox if implementation else entry.usual
    assert grammar is not None
    return Accepted(
        name=name,
        verbs=tuple(verbs),
        always=tuple(always.split()),
        base=tuple(needed.split()),
        operands=operands,
        entries=tuple(map(_entry, entries.split())),
        grammar=grammar,
    )


ALL = {line.split("\t")[0]: _accepted(line) for line in plain_lines("options.txt")}
EVERY_VALUE = sorted(
    {value for one in ALL.values() for each in one.entries for value in each.values}
    - {"*"}
)
EVERY_NAME = sorted(
    {name for one in ALL.values() for name in one.names}
    | {f"-{letter}" for letter in string.ascii_letters + string.digits}
    | {f"--{name}" for _, names, _, _ in HARMFUL.values() for name in names.split()}
    | set(FIND_ACTIONS)
)
each_command = pytest.mark.parametrize("command", ALL)


def _siblings(one: Accepted) -> Iterator[str]:
    """Give the names of options that a command must refuse."""
    for name in EVERY_NAME:
        for form in (name, name[:-1]):
            if form.startswith("-") and not form.startswith("--") and len(form) > 2:
                wanted = one.name in WHOLE_WORDS
            else:
                wanted = form.startswith("-") or (one.name == "dig" and "+" in form)
            if wanted and form not in one.names | {"-", "--", "--help", "--version"}:
                yield form


def test_every_grammar_is_listed() -> None:
    """Each command in each implementation; echo takes whatever it is given."""
    both = {f"{name}@busybox" for name, entry in GRAMMARS.items() if entry.busybox}
    listed = {command.split(" ")[0] for command in ALL}
    assert listed | {"echo", "echo@busybox"} == set(GRAMMARS) | both


@each_command
def test_listed_option_is_accepted(command: str) -> None:
    """Alone, and with each of its values, in every way to write them."""
    one = ALL[command]
    wrong = [
        form
        for entry in one.entries
        for value in entry.values
        for form in entry.forms(ODD if value == "*" else value)
        if not one.takes(*form)
    ]
    assert wrong == []
    alone = [entry.name for entry in one.entries if entry.how != "="]
    assert [name for name in alone if not one.takes(name)] == []


@each_command
def test_no_other_option_is_accepted(command: str) -> None:
    """Neither an option of another command, nor the beginning of an own one."""
    one = ALL[command]
    wrong = [
        form
        for name in _siblings(one)
        for form in ([name], [f"{name}x"], [f"{name}=1"], [name, "1"])
        if "".join(form) not in one.names and one.takes(*form)
    ]
    assert wrong == []


@each_command
def test_no_other_value_is_accepted(command: str) -> None:
    """Where values are listed only those, and nowhere what is none."""
    one = ALL[command]
    wrong = []
    for entry in one.entries:
        others = [ODD] if entry.values not in ((), ("*",)) else []
        if len(entry.values) > 1:
            others += [value for value in EVERY_VALUE if value not in entry.values]
        for value in others:
            wrong += [form for form in entry.forms(value) if one.takes(*form)]
    assert wrong == []


@each_command
def test_value_is_wanted_where_there_is_one_and_nowhere_else(command: str) -> None:
    """A missing value is no empty one, and what has none takes none."""
    one = ALL[command]
    valued = [entry.name for entry in one.entries if entry.how == "="]
    assert [name for name in valued if one.passes(*one.base, name)] == []
    plain = [
        entry.name
        for entry in one.entries
        if not entry.how and entry.name.startswith("--")
    ]
    assert [name for name in plain if one.takes(f"{name}=always")] == []


@pytest.mark.parametrize(
    "command", [command for command, one in ALL.items() if one.operands != "-"]
)
def test_operands_are_counted(command: str) -> None:
    """As few and as many as are listed, no fewer, no more, and of the right kind."""
    one = ALL[command]
    bounds, word = one.operands.split(" ")
    least, most = map(int, bounds.split("-"))
    fits = {
        count: one.passes(*[word] * count)
        for count in {max(least - 1, 0), least, most, most + 1}
    }
    assert fits == {count: least <= count <= most for count in fits}

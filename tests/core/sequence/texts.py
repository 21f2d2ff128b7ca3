"""Small texts of sequences, and lookups that know little, for the language's tests."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
import json

from custom_components.homeagent.sequence.checks import Report, check_parsed
from custom_components.homeagent.sequence.document import Parsed, parse_sequence
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.problems import Problem

ENTRY = '{"tool":"t.a"} ;'


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What a tool declares of itself."""

    parallel_safe: bool = True
    parameters: Mapping[str, object] | None = None
    keys: frozenset[str] | None = frozenset()

    def ordering_keys(self, arguments: Mapping[str, object]) -> Collection[str] | None:
        return self.keys


@dataclass(frozen=True)
class Tools:
    """The tools that exist."""

    known: Mapping[str, Declared] = field(default_factory=dict)

    def find(self, name: str) -> Declared | None:
        return self.known.get(name)


@dataclass(frozen=True)
class Sequences:
    """The other sequences; names differ in more than case."""

    known: Mapping[str, Sequence] = field(default_factory=dict)

    def find(self, name: str) -> Sequence | None:
        return self.known.get(name)

    def names(self) -> list[str]:
        return list(self.known)


def group_text(tools: object = ENTRY, **fields: object) -> dict[str, object]:
    """Return the JSON of a group named g1; `in_` stands for the key `in`."""
    members = {key.removesuffix("_"): value for key, value in fields.items()}
    return {"name": "g1", "tools": tools, **members}


def sequence_text(*groups: object, **fields: object) -> str:
    """Return the text of a sequence named s."""
    document = {"name": "s", "groups": list(groups), **fields}
    return json.dumps(document, ensure_ascii=False)


def one_group(tools: object = ENTRY, **fields: object) -> str:
    """Return the text of a sequence with one group."""
    return sequence_text(group_text(tools, **fields))


def legal(text: str) -> Sequence:
    """Return the sequence of a text without errors."""
    parsed = parse_sequence(text)
    assert parsed.sequence is not None, [each.as_dict() for each in parsed.errors]
    return parsed.sequence


def named(name: str, *groups: object) -> Sequence:
    """Return a legal sequence of that name."""
    return legal(sequence_text(*(groups or (group_text(),)), name=name))


def lookup(*sequences: Sequence) -> Sequences:
    """Return a lookup that knows these sequences."""
    return Sequences({each.name: each for each in sequences})


def check(
    text: str | bytes,
    tools: Mapping[str, Declared] | None = None,
    sequences: Sequences | None = None,
    own_buttons: Collection[str] = (),
) -> Report:
    """Read and check a text, with everything that it says."""
    return check_parsed(
        parse_sequence(text), Tools(tools or {}), sequences or Sequences(), own_buttons
    )


def codes(problems: Collection[Problem]) -> list[str]:
    """Return the codes of problems."""
    return [problem.code for problem in problems]


def error_codes(text: str | bytes) -> list[str]:
    """Return the codes of the errors that reading a text gives."""
    return codes(parse_sequence(text).errors)


def only_error(parsed: Parsed | Report) -> Problem:
    """Return the one error there is."""
    (problem,) = parsed.errors
    return problem


def call(target: object, args: object = None, **more: object) -> str:
    """Return the entry of a call by name."""
    inner = {"target": target, **({} if args is None else {"args": args})}
    entry = {"tool": "seq_call", "args": inner, **more}
    return json.dumps(entry, ensure_ascii=False) + " ;"

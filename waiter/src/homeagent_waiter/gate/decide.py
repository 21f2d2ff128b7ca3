"""Gate, the one way in: ``decide`` makes a ``Plan`` or a ``Refusal`` of a line.

Goes through the stages of design page 4, §4.3. Runs nothing, writes nothing, and is
total: whatever the line is, it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
import os
import re

from .globs import expand
from .grammar import Parsed
from .grammars import GRAMMARS, Entry
from .hosts import check_host
from .lexer import Command, Word, lex
from .never import resolves_to_one, runs_words
from .patterns import check_patterns
from .plan import Code, Plan, Refusal, Stage
from .policy import Policy
from .programs import Family, Program, Unsafe
from .refused import RefusedError, shown
from .values import Claim, Kind
from .walk import spelled_out


def decide(line: str, policy: Policy) -> Plan | Refusal:
    """Return what a line becomes, or why it is refused.

    ``line`` is one line of the small shell language of ``lexer``. The files of the host
    are looked at as they are now; a program that is not installed is judged as its
    usual implementation and has no ``program`` in the plan.
    """
    notes: list[str] = []
    policy = replace(policy, places=policy.places.as_they_are())
    try:
        stages = [_stage(command, policy, notes) for command in lex(line)]
    except RefusedError as refused:
        return refused.refusal
    return Plan(line=line, stages=tuple(stages), notes=tuple(notes))


def _stage(command: Command, policy: Policy, notes: list[str]) -> Stage:
    first, *others = command.words
    name = _name(first, policy)
    program = policy.programs.find(name)
    if isinstance(program, Unsafe):
        hint = f"a program that only root may change; {program.file}: {program.why}"
        raise RefusedError(Code.NOT_ALLOWED, shown(name), hint)
    args = [text for word in others for text in expand(word, policy.places.folder)]
    entry = GRAMMARS.get(name)
    family = _family(program, entry)
    grammar = entry.of(family) if entry is not None else None
    if grammar is None:
        _check_told(name, program, policy)
        _unchecked(name, args, entry, family, policy)
        argv = [name, *args]
    else:
        argv = _checked([name, *args], grammar.parse(args), policy, notes)
    return Stage(
        argv=tuple(argv),
        program=program.file if program is not None else None,
        stderr=command.stderr,
        unchecked=grammar is None,
    )


def _name(first: Word, policy: Policy) -> str:
    """Return the name of a command; it must be bare and in the list."""
    name = first.text
    if not first.bare or "/" in name or "=" in name:
        hint = "a bare name: no quotes, no backslash, no / and no ="
        raise RefusedError(Code.NOT_ALLOWED, shown(first.written), hint)
    if name not in policy.allowed | policy.unchecked:
        listed = " ".join(sorted(policy.allowed | policy.unchecked))
        raise RefusedError(Code.NOT_ALLOWED, shown(name), f"allowed are {listed}")
    return name


def _family(program: Program | None, entry: Entry | None) -> Family:
    if program is None or entry is None:
        return Family.USUAL
    return program.family(entry.marker)


def _check_told(name: str, program: Program | None, policy: Policy) -> None:
    """Refuse what runs its words, by its name or that of its real file."""
    hint = "a command with a grammar; this one runs what it is told"
    if runs_words(name):
        raise RefusedError(Code.NO_GRAMMAR, name, hint)
    if name in policy.unchecked and program and resolves_to_one(program.file):
        raise RefusedError(Code.NO_GRAMMAR, name, f"{hint}: it is {program.file}")


def _unchecked(
    name: str,
    args: Sequence[str],
    entry: Entry | None,
    family: Family,
    policy: Policy,
) -> None:
    """Let a command without a grammar pass if the owner said so; secrets stay secret."""
    if name not in policy.unchecked:
        runs = f"device_cmd_unchecked: [{name}] runs it with any plain words"
        if entry is None:
            raise RefusedError(
                Code.NO_GRAMMAR, name, f"a command with a grammar; {runs}"
            )
        hint = f"{name} of {entry.package}; this one is {family}; {runs}"
        raise RefusedError(Code.NO_GRAMMAR_HERE, name, hint)
    for arg in args:
        if any(map(policy.places.hides, _maybe_paths(arg))):
            raise RefusedError(Code.SECRET, shown(arg), "no place of keys")


def _maybe_paths(word: str) -> Iterator[str]:
    """Give what of a word may be a path: behind dashes, a letter, or a sign."""
    behind = (word[sign.end() :] for sign in re.finditer(r"[^\w./-]+", word))
    for part in (word, *behind, *re.split(r"[^\w./-]+", word)):
        dash, slash, rest = part.partition("/")
        yield from filter(None, (part, part.lstrip("-")))
        if slash and dash.startswith("-"):
            yield slash + rest


def _checked(
    argv: list[str], parsed: Parsed, policy: Policy, notes: list[str]
) -> list[str]:
    """Judge what the words name; return the words that the program gets."""
    check_patterns(each.text for each in parsed.claims if each.kind is Kind.PATTERN)
    for claim in parsed.claims:
        _check(claim, policy)
    words, left_out = spelled_out(argv, parsed, policy.places)
    if left_out:
        notes.append(
            f"{argv[0]}: left out {len(left_out)} that may hold secrets, such as "
            f"{shown(left_out[0])}"
        )
    return words


def _check(claim: Claim, policy: Policy) -> None:
    places = policy.places
    if claim.kind is Kind.PATTERN:
        return
    if claim.kind is Kind.HOST:
        check_host(claim.text, policy.dns)
    elif claim.kind is Kind.BLOCK:
        places.check_block(claim.text)
    elif claim.kind is Kind.LIST:
        places.check_list(claim.text)
    elif claim.tree and os.path.isdir(os.path.join(places.folder, claim.text)):
        places.check_tree(claim.text)
    else:
        places.check_read(claim.text)

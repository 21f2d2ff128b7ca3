"""Another parser is asked: tree-sitter's grammar of bash.

What the lexer accepts must be, for bash, plain words, quoted texts, pipes and the two
allowed redirections, and the same words.
"""

from __future__ import annotations

import re
import shlex

from conftest import EVERYTHING, accepted_lines
from hypothesis import given, settings, strategies as st
import pytest
from tree_sitter import Language, Node, Parser
import tree_sitter_bash

from homeagent_waiter.gate import Plan, decide
from homeagent_waiter.gate.lexer import Command, lex

PARSER = Parser(Language(tree_sitter_bash.language()))
PLAIN = {
    "program", "pipeline", "command", "command_name", "word", "string", "raw_string",
    "string_content", "concatenation", "number", "redirected_statement", "file_redirect",
    "file_descriptor", "|", '"', "2>", ">", ">&",
}  # fmt: skip
REDIRECTION = re.compile(r"2>/dev/null|2>&1")


def described(node: Node) -> list[list[str]]:
    """Return the words of each command as bash has them, or fail on anything else."""
    kinds = {each.type for each in descendants(node)}
    assert not node.has_error, "bash sees an error"
    assert kinds <= PLAIN, kinds - PLAIN
    return [words(each) for each in commands(node)]


def descendants(node: Node) -> list[Node]:
    """Return a node and all below it."""
    return [node, *(below for child in node.children for below in descendants(child))]


def commands(node: Node) -> list[Node]:
    """Return the command nodes in order."""
    return [each for each in descendants(node) if each.type == "command"]


def words(command: Node) -> list[str]:
    """Return the words of a command, without their quotes."""
    return [unquoted(text(child)) for child in command.children]


def text(node: Node) -> str:
    """Return what is written for a node."""
    assert node.text is not None
    return node.text.decode()


def unquoted(written: str) -> str:
    """Return what a word says; Python's reader knows the quotes of plain words."""
    (word,) = shlex.split(written) or [""]
    return word


def check(line: str) -> None:
    """Compare the lexer and the other parser over one line that the lexer accepts."""
    ours = lex(line)
    tree = PARSER.parse(line.encode()).root_node
    assert described(tree) == [[word.text for word in each.words] for each in ours]
    redirects = [
        text(each) for each in descendants(tree) if each.type == "file_redirect"
    ]
    assert all(REDIRECTION.fullmatch(each) for each in redirects)
    assert len(redirects) == sum(redirected(each) for each in ours)


def redirected(command: Command) -> bool:
    """Return whether the lexer saw a redirection."""
    return command.stderr != "keep"


@pytest.mark.parametrize("line", accepted_lines())
def test_accepted_line_is_plain_for_bash(line: str) -> None:
    """Of all the lines that must pass."""
    check(line)


ATOMS = st.one_of(
    st.sampled_from(
        "-la a f.txt /etc 1 2 = a=b , : @ * ? [a] ^ + -- ~ $ & ; > # ! { ] [".split()
    ),
    st.sampled_from([" ", " | echo ", "|cat", "'", '"', "\\", "'a b'", '"c d"', "''"]),
    st.sampled_from([" 2>&1", " 2>/dev/null", "2>&1", ">/dev/null"]),
    st.text(st.characters(codec="utf-8"), max_size=3),
)


@settings(deadline=None, max_examples=600)
@given(atoms=st.lists(ATOMS, max_size=10))
def test_whatever_passes_is_plain_for_bash(atoms: list[str]) -> None:
    """Of anything else that the gate accepts."""
    line = "echo " + "".join(atoms)
    if isinstance(decide(line, EVERYTHING), Plan):
        check(line)

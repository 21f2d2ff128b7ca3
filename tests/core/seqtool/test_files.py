"""What cannot be read, and what makes no sense: told, and exit code 2."""

import os
from pathlib import Path

import pytest

from .conftest import Ran, Seq, Write

GOOD = '{"name": "s", "groups": [{"name": "g", "tools": "{\\"tool\\":\\"t.a\\"} ;"}]}\n'


def run(seq: Seq, *more: str) -> Ran:
    return seq("run", "s.json", "--tools", "tools.json", *more)


@pytest.mark.parametrize("command", ["check", "format", "plan"])
def test_paths(command: str, seq: Seq, here: Path) -> None:
    """A missing file, a folder, a pipe without writer, a device: none hangs."""
    (here / "folder").mkdir()
    os.mkfifo(here / "pipe")
    told = {
        "missing.json": "there is no file missing.json",
        "folder": "folder is a folder, not a file",
        "pipe": "pipe is a pipe that nobody writes into",
        "/dev/null": "/dev/null is a device, not a file",
        "missing\u202e": "there is no file missing\\u202e",
        "": "there is no file ",
        "a\0b": "a\\u0000b cannot be the name of a file",
    }
    for path, words in told.items():
        ran = seq(command, path)
        assert (ran.code, ran.out, ran.err) == (2, "", f"seq: {words}\n")


def test_pipe_with_writer(seq: Seq, here: Path) -> None:
    """A pipe that somebody writes into is read, as of `<(…)` in a shell."""
    reader, writer = os.pipe()
    os.write(writer, GOOD.encode())
    os.close(writer)
    ran = seq("check", f"/dev/fd/{reader}")
    os.close(reader)
    assert ran.code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("[1]", '--args must be a JSON object, such as {"room": "kitchen"}'),
        ("null", "--args must be a JSON object"),
        ("", "--args:1:1: error: there is no text"),
        ('{"a": 1', "--args:1:1: error: this "),
        ('{"a": 1, "a": 2}', '--args:1:10: error: the key "a" stands twice'),
        ('{"a": $args.b}', "--args:1:7: error: a reference stands here"),
        ("{'a': \"\udcff\"}", "--args:1:8: error: "),
        ('{"a": NaN, b: 1e999}', "--args:1:15: error: the number"),
    ],
)
def test_args(args: str, words: str, seq: Seq, write: Write) -> None:
    """Arguments that are no JSON object are told with their place."""
    write("s.json", GOOD)
    write("tools.json", "{}")
    ran = run(seq, "--args", args)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("[]", "tools.json:1:1: error: this is an array; it must be an object"),
        (b'{\n "\xff": 1}', "tools.json:2:3: the byte 0xff is not UTF-8 text"),
        ("{", "tools.json:1:1: error: this "),
        ('{"t": 1}', 'tools.json:1:7: error: "t" is a number; it must be an object'),
        ('{"t": {"behavior": []}}', "Did you mean behaviour?"),
        ('{"t": {"behaviour": []}}', "an array with at least one behaviour"),
        ('{"t": {"behaviour": [{}]}}', "one of value, echo and error; found none"),
        (
            '{"t": {"behaviour": [{"value": 1, "echo": true}]}}',
            "found value and echo",
        ),
        ('{"t": {"behaviour": [{"echo": false}]}}', "it must be true"),
        ('{"t": {"behaviour": [{"error": "x"}]}}', "it must be an object"),
        ('{"t": {"behaviour": [{"error": {}}]}}', 'the key "reason" is missing'),
        ('{"t": {"behaviour": [{"error": {"reason": "fail"}}]}}', "failed"),
        ('{"t": {"behaviour": [{"error": {"reason": 1}}]}}', "it must be a text"),
        ('{"t": {"behaviour": [{"echo": true, "delay_ms": -1}]}}', "milliseconds"),
        ('{"t": {"behaviour": [{"echo": true, "delay_ms": true}]}}', "milliseconds"),
        ('{"t": {"parallel_safe": 1}}', "true or false"),
        ('{"t": {"parameters": []}}', "a JSON Schema"),
        ('{"seq_call": {}}', "seq_call exists already"),
    ],
)
def test_tools(tools: str | bytes, words: str, seq: Seq, write: Write) -> None:
    """A file of tools is read as strictly as a sequence."""
    write("s.json", GOOD)
    write("tools.json", tools)
    ran = run(seq)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "required: COMMAND"),
        (("chek", "s.json"), "invalid choice: 'chek'"),
        (("check",), "required: FILE"),
        (("run", "s.json"), "required: --tools"),
        (("check", "s.json", "--jso"), "unrecognized arguments: --jso"),
        (("format", "s.json", "--write", "--check"), "not allowed with argument"),
        (("format", "-", "--write"), "standard input cannot be written"),
        (("run", "-", "--tools", "-"), "cannot both be standard input"),
    ],
)
def test_usage(arguments: tuple[str, ...], words: str, seq: Seq) -> None:
    """Bad usage is told on standard error."""
    ran = seq(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_large_tools(seq: Seq, write: Write) -> None:
    """A file of tools is not read without limit."""
    write("s.json", GOOD)
    write("tools.json", b" " * (4 * 1024 * 1024 + 1))
    assert run(seq).err == "seq: tools.json has more than 4096 KiB\n"

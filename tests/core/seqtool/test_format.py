"""`seq format`: one form, the same sequence, nothing lost."""

import json
from pathlib import Path

import pytest
from seqtool.canonical import write_file
from seqtool.inputs import BadInput

from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.limits import MAX_BYTES

from .conftest import Seq, Write

LOOSE = """\ufeff{"groups":[{"tools":[{"tool":"t.a","args":{"x":$args.x}}],\r
"timeout":"120s","in":{"x":{"type":"bool"}},"name":" g "}],"description":"","name":"s"}"""
TIDY = """\
{
  "name": "s",
  "groups": [
    {
      "name": "g",
      "in": {
        "x": "boolean"
      },
      "timeout": "2m",
      "tools": "{\\"tool\\":\\"t.a\\",\\"args\\":{\\"x\\":\\"$args.x\\"}} ;"
    }
  ]
}
"""


def test_output(seq: Seq, write: Write) -> None:
    """The canonical text is printed, and the file stays as it is."""
    path = write("s.json", LOOSE)
    ran = seq("format", "s.json")
    assert (ran.code, ran.out, ran.err) == (0, TIDY, "")
    assert path.read_bytes() == LOOSE.encode()
    assert parse_sequence(LOOSE).sequence == parse_sequence(TIDY).sequence


def test_write(seq: Seq, write: Write, here: Path) -> None:
    """The file is written once; its mode stays, and a link stays a link."""
    path = write("s.json", LOOSE)
    path.chmod(0o640)
    (here / "link.json").symlink_to(path)
    ran = seq("format", "link.json", "--write")
    assert (ran.code, ran.out) == (0, "link.json is formatted now\n")
    assert path.read_text("utf-8") == TIDY
    assert path.stat().st_mode & 0o777 == 0o640
    assert (here / "link.json").is_symlink()
    before = path.stat().st_ino
    assert seq("format", "s.json", "--write").out == ""
    assert path.stat().st_ino == before
    assert sorted(each.name for each in here.iterdir()) == ["link.json", "s.json"]


@pytest.mark.parametrize(
    ("text", "code", "out"),
    [
        (TIDY, 0, ""),
        (LOOSE, 1, "s.json is not formatted: scripts/seq format --write mends it\n"),
        (TIDY.removesuffix("\n"), 1, "s.json is not formatted: scripts/seq"),
    ],
    ids=["tidy", "loose", "no new line"],
)
def test_check(text: str, code: int, out: str, seq: Seq, write: Write) -> None:
    """--check only tells."""
    path = write("s.json", text)
    ran = seq("format", "s.json", "--check")
    assert (ran.code, ran.out[: len(out) or None]) == (code, out)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("option", ["--write", "--check"])
def test_bad_text(option: str, seq: Seq, write: Write) -> None:
    """What is wrong is told where it does not get into the output, and is not written."""
    path = write("s.json", '{"name": "s"}')
    ran = seq("format", "s.json", option)
    assert (ran.code, ran.out) == (1, "")
    assert 's.json:1:1: error: the key "groups" is missing' in ran.err
    assert path.read_bytes() == b'{"name": "s"}'


def test_longest_text(seq: Seq) -> None:
    """What is as long as a text may be comes out so that it can be read again."""
    for spare in range(3):
        data = json.loads(TIDY) | {"description": ""}
        empty = len(json.dumps(data, indent=2, ensure_ascii=False))
        data["description"] = "x" * (MAX_BYTES - empty - spare)
        out = seq("format", "-", stdin=json.dumps(data).encode()).out
        assert seq("format", "-", "--check", stdin=out.encode()).code == 0, spare


def test_file_that_cannot_be_read(seq: Seq, here: Path) -> None:
    """A link that leads to itself is told, not followed for good."""
    (here / "loop.json").symlink_to(here / "loop.json")
    ran = seq("format", "loop.json", "--write")
    assert (ran.code, ran.out) == (2, "")
    assert "loop.json cannot be read: " in ran.err


def test_file_that_cannot_be_written(here: Path) -> None:
    """The file stays as it is, and nothing else is left in the folder."""
    (here / "folder").mkdir()
    with pytest.raises(BadInput, match=r"folder cannot be written: "):
        write_file("folder", b"x")
    with pytest.raises(BadInput, match=r"gone/s.json cannot be written: "):
        write_file("gone/s.json", b"x")
    assert [each.name for each in here.iterdir()] == ["folder"]

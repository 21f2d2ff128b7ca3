"""The command, called in this process, in a folder of its own."""

from collections.abc import Callable
from dataclasses import dataclass
import io
import json
from pathlib import Path
from typing import Any

import pytest
from seqtool.command import main


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> dict[str, Any]:
        """The JSON object on the last line."""
        answer = json.loads(self.out.splitlines()[-1])
        assert isinstance(answer, dict)
        return answer


type Seq = Callable[..., Ran]
type Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def seq(capsys: pytest.CaptureFixture[str], here: Path) -> Seq:
    """Call the command with arguments, and maybe standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Ran:
        code: object
        try:
            code = main(arguments, io.BytesIO(stdin))
        except SystemExit as error:  # bad usage, told by argparse
            code = error.code
        assert isinstance(code, int)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(here: Path) -> Write:
    """Write a file into that folder."""

    def put(name: str, content: str | bytes) -> Path:
        path = here / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put

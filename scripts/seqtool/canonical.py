"""The one way in which `format` writes a sequence.

Above the core's writer; what it writes is read into the same AST, and written the same
again.
"""

import os
from pathlib import Path
import stat
import tempfile

from custom_components.homeagent.sequence.limits import MAX_BYTES
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.writer import to_text

from .inputs import BadInput, shown_name


def canonical(sequence: Sequence) -> bytes:
    """Return the text, with a new line at its end where that is not one too many."""
    text = to_text(sequence).encode()
    return text + b"\n" if len(text) < MAX_BYTES else text


def write_file(path: str, data: bytes) -> None:
    """Replace a file's content at once or not at all; a link stays a link.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        _replace(Path(path).resolve(), data)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadInput(f"{shown_name(path)} cannot be written: {why}") from error


def _replace(path: Path, data: bytes) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:32]}.", dir=path.parent)
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise

"""Sequences in files of one folder, and nothing outside of it (§7.1).

Reads files; runs in the executor. Imports the kernel's errors only.
"""

from pathlib import Path

from ..kernel.errors import Reason, ToolError

LONGEST = 256 * 1024
"""Bytes of a sequence's text."""


def read_sequence_file(folder: Path, name: str) -> bytes | ToolError:
    """Return the bytes of a file in the folder, or why it is not read.

    The name is resolved first, links included: what leads out of the folder is refused,
    whatever it is.
    """
    if not name.strip() or "\0" in name:
        return _refused(name, "is no name of a file")
    try:
        root = folder.resolve()
        path = (root / name).resolve()
        if Path(name).is_absolute() or not path.is_relative_to(root):
            return _refused(name, "leads out of the folder homeagent/sequences")
        if not path.is_file():
            return _refused(name, "is not in the folder homeagent/sequences")
        with path.open("rb") as file:
            content = file.read(LONGEST + 1)
    except (OSError, ValueError, RuntimeError) as err:
        return _refused(name, f"cannot be read: {type(err).__name__}")
    if len(content) > LONGEST:
        return _refused(name, f"is larger than {LONGEST // 1024} KiB")
    return content


def _refused(name: str, why: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="file",
        detail=f"the file {name[:100]!r} {why}",
        hint="Put the file into homeagent/sequences of the configuration folder.",
    )

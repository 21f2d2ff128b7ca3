"""The zip of a release in an empty Home Assistant: what works is let through, only that."""

from pathlib import Path
import subprocess

import pytest
from releasing import archive, versions
from releasing.errors import ReleaseError
from releasing.trial import try_zip

from .conftest import ROOT

pytestmark = pytest.mark.long


def _files() -> list[str]:
    """Return the integration's files, those that are not in git yet included."""
    listed = subprocess.run(
        [
            *("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
            *("--", archive.FOLDER),
        ],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    paths = (path for path in listed.stdout.split("\0") if (ROOT / path).is_file())
    return [path.removeprefix(f"{archive.FOLDER}/") for path in paths]


async def test_zip_of_this_tree_works(tmp_path: Path) -> None:
    target = tmp_path / archive.NAME
    archive.build(ROOT, _files(), target)
    await try_zip(target, versions.read(ROOT))


async def test_zip_without_a_module_is_refused(tmp_path: Path) -> None:
    """A file that was forgotten shows in no other check."""
    target = tmp_path / archive.NAME
    archive.build(ROOT, set(_files()) - {"sequence/engine.py"}, target)
    with pytest.raises(ReleaseError):
        await try_zip(target, versions.read(ROOT))

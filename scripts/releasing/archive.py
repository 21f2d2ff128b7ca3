"""The zip that HACS installs: the integration's files as git knows them.

The same files make the same zip, byte by byte, wherever and whenever it is made.
"""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
import subprocess
import zipfile

from .errors import ReleaseError

FOLDER = "custom_components/homeagent"
NAME = "homeagent.zip"

NEEDED = frozenset(
    "__init__.py manifest.json services.yaml icons.json py.typed quality_scale.yaml"
    " translations/en.json translations/zh-Hans.json brand/icon.png"
    " tools/declarations.yaml".split()
)
"""Without these it would not work, or not be shown."""

_TIME = (1980, 1, 1, 0, 0, 0)


def tracked(root: Path) -> list[str]:
    """Return the files of the integration that git knows, from its folder on.

    Raises ReleaseError where there are others: they would be missed, or do not belong.
    """
    if others := _listed(root, "--others", "--exclude-standard"):
        raise ReleaseError(f"git does not know {', '.join(others)}; add or remove it.")
    return _listed(root)


def _listed(root: Path, *options: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *options, "--", FOLDER],
        cwd=root,
        capture_output=True,
        check=True,
        text=True,
    )
    paths = filter(None, listed.stdout.split("\0"))
    return sorted(path.removeprefix(f"{FOLDER}/") for path in paths)


def build(root: Path, names: Iterable[str], target: Path) -> None:
    """Write the zip; raises ReleaseError where a file is missing or does not belong."""
    names = sorted(names)
    if missing := NEEDED - set(names):
        raise ReleaseError(f"The zip would lack {', '.join(sorted(missing))}.")
    for name in names:
        if not (root / FOLDER / name).is_file():
            raise ReleaseError(
                f"{FOLDER}/{name} is gone; commit that, or bring it back."
            )
        if any(
            part.startswith((".", "__pycache__")) for part in PurePosixPath(name).parts
        ):
            raise ReleaseError(f"{FOLDER}/{name} does not belong into a release.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, (root / FOLDER / name).read_bytes())

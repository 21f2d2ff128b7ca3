"""What `scripts/release` does; imports the other modules of this package."""

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
import sys

from . import archive, changelog, versions
from .errors import ReleaseError
from .trial import try_zip

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = "CHANGELOG.md"

type Trial = Callable[[Path, str], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a release, or check that one could be made; return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__)
    parser.add_argument("version", nargs="?", help="such as 1.2.3")
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--notes", action="store_true", help="print a version's notes")
    options = parser.parse_args(arguments)
    try:
        if options.notes:
            version = options.version or versions.read(ROOT)
            print(changelog.section(_text(ROOT), version))
        elif options.check:
            check(ROOT, options.version, _try)
        elif options.version is None:
            parser.error("a version is missing")
        else:
            release(ROOT, options.version, _today(), _try)
    except ReleaseError as error:
        print(f"scripts/release: {error}", file=sys.stderr)
        return 1
    return 0


def check(root: Path, version: str | None, trial: Trial) -> Path:
    """Build and try the zip of the tree as it is; with a version it must be that."""
    found = versions.read(root)
    if version is not None and found != version:
        raise ReleaseError(f"The tree has version {found}, and not {version}.")
    target = root / "dist" / archive.NAME
    archive.build(root, archive.tracked(root), target)
    trial(target, found)
    print(f"{target} works.")
    return target


def release(root: Path, version: str, date: str, trial: Trial) -> None:
    """Write version and changelog, build and try; put all back if that fails."""
    before = versions.read(root)
    if versions.parse(version) < versions.parse(before):
        raise ReleaseError(f"{version} is older than {before}.")
    text = changelog.released(_text(root), version, date)
    with _put_back_on_failure(root):
        versions.write(root, version)
        (root / CHANGELOG).write_text(text, encoding="utf-8")
        check(root, version, trial)
    print(f"Look at the changes, commit them, and tag the commit v{version}.")


@contextmanager
def _put_back_on_failure(root: Path) -> Iterator[None]:
    paths = [root / CHANGELOG, *(root / place.path for place in versions.PLACES)]
    before = {path: path.read_bytes() for path in paths}
    try:
        yield
    except BaseException:
        for path, content in before.items():
            path.write_bytes(content)
        raise


def _try(target: Path, version: str) -> None:
    print("Setting it up in an empty Home Assistant ...", flush=True)
    asyncio.run(try_zip(target, version))


def _text(root: Path) -> str:
    return (root / CHANGELOG).read_text(encoding="utf-8")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()

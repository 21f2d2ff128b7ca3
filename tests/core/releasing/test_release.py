"""scripts/release: the versions, the changelog, the zip, and that nothing is left over."""

from pathlib import Path
import subprocess
import zipfile

import pytest
from releasing import archive, changelog, command, versions
from releasing.errors import ReleaseError

ROOT = Path(__file__).resolve().parents[3]

CHANGES = """\
# Changelog

## [Unreleased]

### Added

- More.

## [0.1.0] - 2026-01-01

- First.
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree in git, with every file that a release needs."""
    for name in archive.NEEDED:
        path = tmp_path / archive.FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")
    for place in versions.PLACES:
        path = tmp_path / place.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"one\n{place.before}0.1.0{place.after}\ntwo\n")
    (tmp_path / command.CHANGELOG).write_text(CHANGES)
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    return tmp_path


def _contents(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts and path.suffix != ".zip"
    }


def _works(target: Path, version: str) -> None:
    assert zipfile.is_zipfile(target)


def _fails(target: Path, version: str) -> None:
    raise ReleaseError("it does not work")


def test_release_writes_everything(tree: Path) -> None:
    """Both versions, the section, and a zip that has the new version in it."""
    command.release(tree, "0.2.0", "2026-12-01", _works)
    assert versions.read(tree) == "0.2.0"
    text = (tree / command.CHANGELOG).read_text()
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added" in text
    assert changelog.section(text, "0.2.0") == "### Added\n\n- More."
    assert changelog.section(text, "Unreleased") == ""
    with zipfile.ZipFile(tree / "dist" / archive.NAME) as made:
        assert '"version": "0.2.0"' in made.read("manifest.json").decode()


@pytest.mark.parametrize("version", ["0.1.1", "0.2.0", "1.0.0"])
def test_release_that_does_not_work_is_refused(tree: Path, version: str) -> None:
    """What was written is put back."""
    before = _contents(tree)
    with pytest.raises(ReleaseError, match="does not work"):
        command.release(tree, version, "2026-12-01", _fails)
    assert _contents(tree) == before


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.0.9", "older"),
        ("0.1.0", "already"),
        ("1.2", "no version"),
        ("v1.2.3", "no version"),
        ("01.2.3", "no version"),
        ("1.2.3-beta", "no version"),
    ],
)
def test_versions_that_cannot_be_released(tree: Path, version: str, words: str) -> None:
    before = _contents(tree)
    with pytest.raises(ReleaseError, match=words):
        command.release(tree, version, "2026-12-01", _works)
    assert _contents(tree) == before


def test_nothing_to_tell(tree: Path) -> None:
    """A release that changes nothing for users is none."""
    (tree / command.CHANGELOG).write_text(
        "## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n"
    )
    with pytest.raises(ReleaseError, match="nothing"):
        command.release(tree, "0.2.0", "2026-12-01", _works)


def test_versions_that_differ(tree: Path) -> None:
    place = versions.PLACES[0]
    (tree / place.path).write_text(f"{place.before}0.3.0{place.after}")
    with pytest.raises(ReleaseError, match="differ"):
        versions.read(tree)


@pytest.mark.parametrize("text", ["", '"version": "1.0.0" "version": "1.0.0"'])
def test_version_that_is_not_there_once(tree: Path, text: str) -> None:
    (tree / versions.PLACES[0].path).write_text(text)
    with pytest.raises(ReleaseError, match="exactly once"):
        versions.read(tree)


def test_zip_is_the_same_each_time(tree: Path) -> None:
    """And has the files at its root, as HACS wants them."""
    names = archive.tracked(tree)
    for target in ("one.zip", "two.zip"):
        archive.build(tree, names, tree / target)
    assert (tree / "one.zip").read_bytes() == (tree / "two.zip").read_bytes()
    with zipfile.ZipFile(tree / "one.zip") as made:
        assert set(made.namelist()) == set(archive.NEEDED)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "new.py").write_text(""), "git does not know new.py"),
        (lambda folder: (folder / "__init__.py").unlink(), "gone"),
    ],
)
def test_files_that_git_does_not_know(tree: Path, change: object, words: str) -> None:
    assert callable(change)
    change(tree / archive.FOLDER)
    with pytest.raises(ReleaseError, match=words):
        command.check(tree, None, _works)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (archive.NEEDED - {"manifest.json"}, "lack manifest.json"),
        (archive.NEEDED | {"__pycache__/a.pyc"}, "gone|belong"),
        (archive.NEEDED | {".secret"}, "gone|belong"),
    ],
)
def test_zip_that_is_not_right(tree: Path, names: frozenset[str], words: str) -> None:
    with pytest.raises(ReleaseError, match=words):
        archive.build(tree, names, tree / "x.zip")


def test_our_own_tree() -> None:
    """The versions are one, and the changelog tells of it or of what will be in it."""
    version = versions.read(ROOT)
    text = (ROOT / command.CHANGELOG).read_text(encoding="utf-8")
    assert changelog.section(text, "Unreleased") or changelog.section(text, version)
    versions.parse(version)

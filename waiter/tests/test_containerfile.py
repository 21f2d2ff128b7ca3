"""The container file, read as a text: what it copies and starts is there."""

from __future__ import annotations

from pathlib import Path
import re
import tomllib

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_all_that_is_copied_is_there() -> None:
    """And it is enough to build: what the project's file names is copied, too."""
    copied = {
        name
        for line in re.findall(r"^COPY (.+)$", TEXT, re.MULTILINE)
        for name in line.split()[:-1]
    }
    assert {name for name in copied if not (ROOT / name).exists()} == set()
    needed = {"pyproject.toml", "src", PROJECT["project"]["readme"]}
    assert needed <= copied


def test_it_starts_the_program_of_the_package() -> None:
    """As the user that the state folder belongs to."""
    entry = re.findall(r'^ENTRYPOINT \["(.+)"\]$', TEXT, re.MULTILINE)
    assert entry == list(PROJECT["project"]["scripts"])
    (user,) = re.findall(r"^USER (\S+)$", TEXT, re.MULTILINE)
    (state,) = re.findall(r"^VOLUME (\S+)$", TEXT, re.MULTILINE)
    assert f"install -d -o {user} -g {user} -m 0700 {state}" in TEXT
    assert re.search(
        rf"useradd [^&]*--uid 10001 [^&]*--home-dir {state} .*{user}", TEXT
    )


def test_python_is_new_enough() -> None:
    """The image's Python is one that the package is tested on."""
    (version,) = re.findall(r"^FROM \S+/python:([\d.]+)-slim$", TEXT, re.MULTILINE)
    classifiers = PROJECT["project"]["classifiers"]
    assert f"Programming Language :: Python :: {version}" in classifiers

"""What HACS refuses, so that it never gets to see it."""

import json
import re
from typing import Any

from awesomeversion import AwesomeVersion

from .test_metadata import INTEGRATION, MANIFEST, ROOT

HACS: dict[str, Any] = json.loads((ROOT / "hacs.json").read_text(encoding="utf-8"))

KEYS = frozenset(
    "name content_in_root country filename hacs hide_default_branch homeassistant"
    " persistent_directory render_readme zip_release".split()
)


def test_hacs_json() -> None:
    """Known keys of the right kinds; a zip has a name."""
    assert HACS.keys() <= KEYS
    assert HACS["name"] == MANIFEST["name"]
    for key in (
        "content_in_root",
        "hide_default_branch",
        "render_readme",
        "zip_release",
    ):
        assert isinstance(HACS.get(key, False), bool)
    assert AwesomeVersion(HACS["homeassistant"]) >= AwesomeVersion("2026.10.0")
    assert bool(HACS.get("zip_release")) == ("filename" in HACS)
    assert HACS.get("filename", "x.zip").endswith(".zip")


def test_manifest_has_what_hacs_asks_for() -> None:
    needed = {
        "codeowners",
        "documentation",
        "domain",
        "issue_tracker",
        "name",
        "version",
    }
    assert needed <= MANIFEST.keys()
    assert MANIFEST["codeowners"]


def test_one_integration() -> None:
    """One folder with a manifest below `custom_components`."""
    found = list((ROOT / "custom_components").glob("*/manifest.json"))
    assert found == [INTEGRATION / "manifest.json"]


def test_brand() -> None:
    """Its icon lies in the integration's folder."""
    icon = (INTEGRATION / "brand" / "icon.png").read_bytes()
    assert icon.startswith(b"\x89PNG")


def test_information_and_license() -> None:
    """What is shown before it is installed, and free software's own words."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme) > 1000
    license_text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert license_text.startswith("MIT License")
    assert "Permission is hereby granted, free of charge" in license_text


def test_pictures_of_the_readme_are_there() -> None:
    """HACS shows the README from the repository."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r'!\[[^\]]*\]\(([^)]+)\)|src="([^"]+)"', readme)
    assert pictures
    for found in pictures:
        path = "".join(found)
        assert path.startswith("https://") or (ROOT / path).is_file(), path

"""What the documents tell people to press is what Home Assistant and HomeAgent show."""

from collections.abc import Iterator
from importlib.util import find_spec
import json
from pathlib import Path
import re
from typing import Final

import pytest

from .markdown import FENCE, ROOT, read

PAGES: Final = {
    "README.md": "en",
    "README.zh-Hans.md": "zh-Hans",
    "docs/guide.md": "en",
    "docs/sequences.md": "en",
    "docs/access.md": "en",
    "docs/hosts.md": "en",
    "docs/troubleshooting.md": "en",
    "docs/upkeep.md": "en",
}
NOT_SHOWN_BY_US: Final = {
    # Names, and what HACS, GitHub, DSM and the like show.
    *("HomeAgent", "HACS", "NAS", "Security", "Report a vulnerability"),
    *("Custom repositories", "Integration", "Add"),
    *("自定义存储库", "集成", "添加"),
    *("Container Manager", "Project", "Create", "Container Station", "Applications"),
    *("Apps", "Discover Apps", "Custom App", "Docker", "Compose"),
}


def texts(value: object) -> Iterator[str]:
    """Go through all texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)


def shown(language: str) -> set[str]:
    """Return what the frontend and HomeAgent show in a language."""
    spec = find_spec("hass_frontend")
    assert spec is not None
    assert spec.origin is not None
    frontend = Path(spec.origin).parent / "static" / "translations"
    own = ROOT / f"custom_components/homeagent/translations/{language}.json"
    files = [*frontend.rglob(f"{language}-*.json"), own]
    assert len(files) > 5
    return {
        text for each in files for text in texts(json.loads(each.read_text("utf-8")))
    }


SHOWN: Final = {language: shown(language) for language in set(PAGES.values())}


def labels(page: str) -> set[str]:
    """Return what stands in bold as a way, or behind a word for pressing."""
    text = " ".join(FENCE.sub("", read(page)).split())
    pressing = re.compile(r"(?:[Pp]ress|[Cc]hoose|[Ss]witch to|then|按|选择|切换到) ?$")
    found: set[str] = set()
    for bold in re.finditer(r"\*\*([^*]+)\*\*", text):
        steps = re.split(r" > | → ", bold[1])
        if len(steps) > 1 or pressing.search(text[: bold.start()][-12:]):
            found |= set(steps)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_labels_are_shown(page: str) -> None:
    """Each step of a way stands on the screen with these very words."""
    found = labels(page)
    assert found
    assert found - SHOWN[PAGES[page]] - NOT_SHOWN_BY_US == set()

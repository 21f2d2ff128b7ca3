"""Every document of the repository, and the blocks and command lines in them."""

from collections.abc import Iterator
from dataclasses import dataclass
import re
from typing import Final

from .markdown import FENCE, ROOT, Fence, fences, read

PAGES: Final = (
    "README.md",
    "README.zh-Hans.md",
    "CONTRIBUTING.md",
    "waiter/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
)
"""All of them but the changelog and the license, relative to the work tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block: the page, its number there, its mark and its text."""

    page: str
    number: int
    fence: Fence

    @property
    def kind(self) -> str:
        """The mark without its attributes, such as `yaml action`."""
        return " ".join(word for word in self.fence.info.split() if "=" not in word)

    @property
    def name(self) -> str:
        """A name for the tests' ids."""
        return f"{self.page}-{self.number}"


def blocks(*kinds: str) -> list[Block]:
    """Return the blocks of all pages, or those of these kinds."""
    found = [
        Block(page=page, number=number, fence=fence)
        for page in PAGES
        for number, fence in enumerate(fences(read(page)))
    ]
    return [each for each in found if not kinds or each.kind in kinds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A command line that a page tells people to type."""

    page: str
    text: str


def command_lines() -> Iterator[Line]:
    """Go through what stands behind `$` in consoles, and in short code spans."""
    for block in blocks("console"):
        for text in re.findall(r"^\$ (.*)$", block.fence.text, re.MULTILINE):
            yield Line(page=block.page, text=re.split(r" +# ", text)[0])
    for page in PAGES:
        for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", read(page))):
            if re.match(r"(sudo |scripts/\w|waiter |pipx |docker )", span):
                yield Line(page=page, text=span)

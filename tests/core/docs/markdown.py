"""The parts of a Markdown text that can be tried: fenced blocks, and rows of tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import re

ROOT = Path(__file__).resolve().parents[3]
FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Fence:
    """A fenced block; `info` is what stands behind the backticks."""

    info: str
    text: str


@dataclass(frozen=True)
class Row:
    """A row of a table, and the heading of its section."""

    heading: str
    cells: tuple[str, ...]

    def spans(self, cell: int) -> list[str]:
        """Return what stands in backticks in a cell."""
        return SPAN.findall(self.cells[cell])


def read(path: str) -> str:
    """Return a text of the work tree."""
    return (ROOT / path).read_text("utf-8")


def fences(text: str) -> list[Fence]:
    """Return the fenced blocks of a text."""
    return [Fence(info, inner) for info, inner in FENCE.findall(text)]


def rows(text: str) -> Iterator[Row]:
    """Go through the rows of all tables, without their heads."""
    heading, inside = "", False
    for line in FENCE.sub("", text).splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            inside = False
        elif set(line) <= set("|- "):
            inside = True
        elif inside:
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            yield Row(heading, tuple(cell.strip() for cell in cells))


def section(text: str, heading: str) -> str:
    """Return what stands below a heading, to the next one of its level."""
    (found,) = re.findall(
        rf"^(#+) {re.escape(heading)}\n((?:.*\n)*?)(?=^#{{1,6}} |\Z)",
        text,
        re.MULTILINE,
    )
    return str(found[1])


def anchor(heading: str) -> str:
    """Return the name under which a heading is linked."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")

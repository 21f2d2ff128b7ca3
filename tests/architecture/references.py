"""Reads the references that code makes to the design, and the page they lead to.

`page 1 §1.3, step 6`, `§7.3 rule 5`, `§10, D2`, `page 3`, `plan 1c`: docs/design.md says
how each is looked up. Pure: takes texts, returns findings as sentences.
"""

from collections.abc import Iterator, Mapping
import re

_HEADING = re.compile(
    r"^#+ (?P<key>Page \d+(?: §\d+\.\d+)?|§\d+(?:\.\d+)?|Plan \d[a-z]): ", re.MULTILINE
)
_ITEM = re.compile(r"^(?:- \*\*(D\d)\*\*:|(\d+)\.) ", re.MULTILINE)
_REFERENCE = re.compile(
    r"(?:\b[Pp]age (?P<page>\d+) )?§(?P<section>\d+(?:\.\d+)?)(?P<items>"
    r",? (?:step|rule|check)s? \d+(?:(?:, | and )\d+\b(?!\.))*|, D\d)?"
    r"|\b[Pp]age (?P<whole>\d+)\b|\b[Pp]lan (?P<plan>\d[a-z])\b|(?P<unclear>§.{,20})"
)

type Sections = Mapping[str, frozenset[str]]
"""The numbers of the list in each section, by the key that its heading begins with."""


def sections(page: str) -> Sections:
    """Return the sections of the design's page; ValueError for a key used twice."""
    found: dict[str, frozenset[str]] = {}
    parts = _HEADING.split(page)
    for key, text in zip(parts[1::2], parts[2::2], strict=True):
        if key in found:
            raise ValueError(f"{key} is the heading of two sections")
        found[key] = frozenset(one or two for one, two in _ITEM.findall(text))
    return found


def references(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each reference of a text: the key of its section, and the list's numbers."""
    for match in _REFERENCE.finditer(re.sub(r"\s+(?:#+:? )?", " ", source)):
        items = frozenset(re.findall(r"D?\d+", match["items"] or ""))
        yield _key(match), items


def check_references(name: str, source: str, known: Sections) -> list[str]:
    """Report the references of one file that lead nowhere."""
    findings = []
    for key, items in references(source):
        if key not in known:
            findings.append(f"{name}: docs/design.md has no section '{key}'")
        elif missing := sorted(items - known[key]):
            findings.append(f"{name}: '{key}' has no number {', '.join(missing)}")
    return findings


def _key(match: re.Match[str]) -> str:
    if match["plan"]:
        return f"Plan {match['plan']}"
    if match["whole"]:
        return f"Page {match['whole']}"
    if match["unclear"]:
        return match["unclear"]
    section = match["section"]
    page = match["page"]
    # The contract's numbers are used from §4 on; what is lower is a page's.
    if page is None and int(section.partition(".")[0]) < 4:
        page = section.partition(".")[0]
    return f"§{section}" if page is None else f"Page {page} §{section}"

"""The text of a sequence, or its decoded JSON, into the AST (§7.1; page 2 §2.1).

Top of the readers. Syntax and everything that follows from the text alone is told at
once; what depends on the tools and sequences of the moment is for `checks`. Total.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .decoded import read_decoded
from .fields import Fields, wrong_type
from .findings import Findings
from .group_reader import Entries, read_group as group_of, read_name
from .json_source import read_json
from .keys import SEQUENCE_KEYS
from .limits import MAX_BYTES, MAX_GROUPS
from .model import Group, Sequence
from .names import folded
from .nodes import NO_PLACES, Node, Places
from .problems import NOWHERE, Path, Problem, show
from .run_words import say
from .sources import Source
from .structure import check_structure
from .writer import fits_in_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a text is: a sequence if it has no errors, and all that was found.

    `draft` is what could be read in spite of errors, with placeholders at the `gaps`;
    `checks.check_parsed` goes on with it. `places` leads from paths to the source.
    """

    sequence: Sequence | None
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    draft: Sequence | None = None
    places: Places = NO_PLACES
    gaps: frozenset[Path] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedGroup:
    """What one group alone is; paths begin in the group."""

    group: Group | None
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def parse_sequence(text: str | bytes, *, name: str | None = None) -> Parsed:
    """Read the text form: one JSON object (§7.1).

    With a name from beside the text the text needs none, and must not have another.
    """
    findings = Findings()
    decoded = _decode(text, findings)
    if decoded is None:
        return _parsed(None, findings)
    root = read_json(Source(decoded), findings)
    if name is not None and root is not None:
        _agree(root, name, findings)
    return _read(root, findings)


def read_sequence(data: Mapping[str, object]) -> Parsed:
    """Read decoded JSON; `tools` is the text, or an array of the same objects."""
    findings = Findings()
    return _read(read_decoded(data, findings), findings)


def read_group(data: Mapping[str, object]) -> ParsedGroup:
    """Read one group alone (§7.1: groups are verified independently)."""
    findings = Findings()
    entries: Entries = {}
    root = read_decoded(data, findings)
    group = None if root is None else group_of(root, (), findings, entries)
    return ParsedGroup(
        group=None if findings.errors else group,
        errors=findings.errors.in_order(),
        warnings=findings.warnings.in_order(),
    )


def _agree(root: Node, name: str, findings: Findings) -> None:
    """Put the name into the text, or compare it with the one that stands there."""
    if not isinstance(root.value, dict):
        return
    inside = root.value.setdefault("name", Node(value=name))
    if isinstance(inside.value, str) and folded(inside.value) != folded(name):
        findings.error(
            "name_differs",
            ("name",),
            inside.spot(),
            found=show(inside.value),
            wanted=show(name),
        )


def _decode(text: str | bytes, findings: Findings) -> str | None:
    """Return the characters of a text that is not too long, without its BOM."""
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if len(raw) > MAX_BYTES:
        limit = str(MAX_BYTES // 1024)
        findings.error("too_large", (), NOWHERE, limit=limit)
        return None
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = text[: error.start].decode("utf-8-sig", "replace")
        found = say("a_byte", byte=f"0x{text[error.start]:02x}")
        findings.error("not_utf8", (), Source(before).spot(len(before)), found=found)
        return None


def _read(root: Node | None, findings: Findings) -> Parsed:
    """Give the nodes their meaning, then check what follows from it."""
    if root is None:
        return _parsed(None, findings)
    entries: Entries = {}
    findings.places = Places(root=root, entries=entries)
    draft = _sequence(root, findings, entries)
    if draft is not None:
        check_structure(draft, findings)
    if draft is not None and not findings.errors and not fits_in_text(draft):
        findings.error("too_large", (), NOWHERE, limit=str(MAX_BYTES // 1024))
    return _parsed(draft, findings)


def _parsed(draft: Sequence | None, findings: Findings) -> Parsed:
    return Parsed(
        sequence=None if findings.errors else draft,
        errors=findings.errors.in_order(),
        warnings=findings.warnings.in_order(),
        draft=draft,
        places=findings.places,
        gaps=frozenset(findings.gaps),
    )


def _sequence(root: Node, findings: Findings, entries: Entries) -> Sequence | None:
    if not isinstance(root.value, dict):
        wrong_type(root, (), findings, "an object with name and groups")
        return None
    fields = Fields(root, (), findings, SEQUENCE_KEYS)
    return Sequence(
        name=read_name(fields),
        description=fields.text("description"),
        groups=_groups(fields, findings, entries),
    )


def _groups(fields: Fields, findings: Findings, entries: Entries) -> tuple[Group, ...]:
    node = fields.require("groups")
    if node is None:
        return ()
    if not isinstance(node.value, list):
        fields.wrong("groups", "an array of groups")
        return ()
    path, count = fields.at("groups"), len(node.value)
    if not count:
        findings.error("no_groups", path, node.spot())
    if count > MAX_GROUPS:
        findings.error(
            "too_many_groups",
            path,
            node.spot(),
            found=str(count),
            limit=str(MAX_GROUPS),
        )
        findings.gap(path)
    return tuple(
        group_of(inner, (*path, index), findings, entries)
        for index, inner in enumerate(node.value[:MAX_GROUPS])
    )

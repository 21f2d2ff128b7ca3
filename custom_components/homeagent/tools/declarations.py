"""Which actions may run at the same time as others: declared, never guessed (§6.1).

Reads `declarations.yaml` beside it. `load_declarations` reads a file: call it in the
executor. What the table does not know is not safe, unless Home Assistant itself says
that the action only returns data.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml

_FILE = Path(__file__).with_name("declarations.yaml")
_ANY = "*"
_KEYS = frozenset({"safe", "why", "output", "entities"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is declared of one action, and why.

    `output` names what speaks or shows: `targets`, an argument, `=` for the action
    itself, or `=name`. `entities`: the entities acted on are ordering keys.
    """

    safe: bool
    why: str
    output: str | None = None
    entities: bool = True


UNKNOWN = Row(safe=False, why="nobody declared that it may run beside others")
RETURNS_DATA = Row(safe=True, why="only returns data", entities=False)


class DeclarationError(ValueError):
    """The table is malformed; says where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """The table: domain -> action -> row; `*` stands for a domain's other actions.

    `overrides` are the user's own declarations by `domain.action`; they come first.
    """

    rows: Mapping[str, Mapping[str, Row]] = field(default_factory=dict)
    overrides: Mapping[str, bool] = field(default_factory=dict)

    def row(self, domain: str, action: str, *, returns_data: bool = False) -> Row:
        """Return what is declared of an action, the least safe case if nothing is.

        `returns_data`: Home Assistant says that the action only returns data.
        """
        own = self._declared(domain, action)
        if own is None:
            own = RETURNS_DATA if returns_data else UNKNOWN
        override = self.overrides.get(f"{domain}.{action}")
        if override is None or override == own.safe:
            return own
        why = "the user declared it" if override else "the user withdrew it"
        return Row(safe=override, why=why, output=own.output, entities=own.entities)

    def _declared(self, domain: str, action: str) -> Row | None:
        rows = self.rows.get(domain, {})
        return rows.get(action) or rows.get(_ANY)

    def parallel_safe(
        self, domain: str, action: str, *, returns_data: bool = False
    ) -> tuple[bool, str]:
        """Return whether the action may run beside others, and the reason."""
        row = self.row(domain, action, returns_data=returns_data)
        return row.safe, row.why

    def may_only_read(self, domain: str, action: str) -> bool:
        """Whether the table lets it pass that an action only returns data.

        Some that do nothing else by Home Assistant's word speak, or write files.
        """
        row = self._declared(domain, action)
        return row is None or (row.safe and row.output is None)

    def knows(self, domain: str, action: str) -> bool:
        """Whether the table has a row for the action, or one for its whole domain."""
        return self._declared(domain, action) is not None

    def covers(self, domain: str) -> bool:
        """Whether the table speaks of the domain at all."""
        return domain in self.rows


@cache
def load_declarations() -> Declarations:
    """Read the table that comes with HomeAgent; does blocking I/O, once.

    Raises:
        DeclarationError: the file is malformed.
    """
    return parse_declarations(_FILE.read_text(encoding="utf-8"))


def parse_declarations(text: str) -> Declarations:
    """Parse a table: `domain: {actions: {safe, why, output?, entities?}}`.

    One key may name several actions, separated by spaces.

    Raises:
        DeclarationError: a row is missing something or says too much.
    """
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DeclarationError(f"not YAML: {error}") from error
    if not isinstance(loaded, dict):
        raise DeclarationError("must be an object of domains")
    return Declarations(
        rows=MappingProxyType(
            {str(domain): _domain(str(domain), rows) for domain, rows in loaded.items()}
        )
    )


def _domain(domain: str, rows: object) -> Mapping[str, Row]:
    if not isinstance(rows, dict):
        raise DeclarationError(f"{domain}: must be an object of actions")
    found: dict[str, Row] = {}
    for names, row in rows.items():
        for name in str(names).split():
            if name in found:
                raise DeclarationError(f"{domain}.{name}: stands there twice")
            found[name] = _row(f"{domain}.{name}", row)
    return MappingProxyType(found)


def _row(place: str, row: object) -> Row:
    if not isinstance(row, dict) or not set(row) <= _KEYS:
        raise DeclarationError(f"{place}: must be an object of {sorted(_KEYS)}")
    safe, why = row.get("safe"), row.get("why")
    output, entities = row.get("output"), row.get("entities", True)
    if not isinstance(safe, bool) or not isinstance(entities, bool):
        raise DeclarationError(f"{place}: safe and entities must be true or false")
    if not isinstance(why, str) or not why.strip() or "\n" in why:
        raise DeclarationError(f"{place}: why must be one line")
    if output is not None and not isinstance(output, str):
        raise DeclarationError(f"{place}: output must be a text")
    return Row(safe=safe, why=why.strip(), output=output, entities=entities)

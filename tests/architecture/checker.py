"""Reads the integration's source and reports where it leaves the house plan.

Every function takes a folder of source and returns the findings as sentences, an
empty list when all is well. Parts that do not exist (yet) have no findings.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import re

from . import plan

PACKAGE = "custom_components.homeagent"


@dataclass(frozen=True)
class Module:
    """One file of the integration."""

    path: str
    source: str
    tree: ast.Module

    @property
    def part(self) -> str:
        """The part of the house that the file belongs to."""
        return self.path.partition("/")[0].removesuffix(".py")

    @property
    def package(self) -> tuple[str, ...]:
        """The package that relative imports of the file start from."""
        return (*PACKAGE.split("."), *self.path.split("/")[:-1])


@dataclass(frozen=True)
class Import:
    """One thing that a file imports, by its full name."""

    line: int
    name: str


def modules(folder: Path) -> Iterator[Module]:
    """Yield every file below the folder of an integration."""
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        yield Module(name, source, ast.parse(source, filename=name))


def imports(module: Module) -> Iterator[Import]:
    """Yield what a file imports, wherever in the file, also by a function."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Import(names=names):
                yield from (Import(node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(names=names):
                base = node.module or ""
                if node.level:
                    up = module.package[: len(module.package) - node.level + 1]
                    base = ".".join((*up, base) if base else up)
                yield from (
                    Import(node.lineno, f"{base}.{alias.name}") for alias in names
                )
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield Import(node.lineno, resolve_name(name, module))
            case _:
                pass


def resolve_name(name: str, module: Module) -> str:
    """Return the full name of what import_module is asked for."""
    bare = name.lstrip(".")
    level = len(name) - len(bare)
    if not level:
        return name
    return ".".join((*module.package[: len(module.package) - level + 1], bare))


def part_of(name: str, folder: Path) -> str | None:
    """Return the part of the house that a full name lies in, or None if foreign."""
    if name != PACKAGE and not name.startswith(f"{PACKAGE}."):
        return None
    part = name.removeprefix(PACKAGE).lstrip(".").partition(".")[0]
    planned = part in plan.USES or part in plan.ENTRANCES
    if planned or (folder / part).is_dir() or (folder / f"{part}.py").exists():
        return part or "__init__"
    # Not a module, so a name that the integration's own __init__ defines.
    return "__init__"


def check_parts(folder: Path) -> list[str]:
    """Report imports between parts that the plan does not allow."""
    findings = []
    for module in modules(folder):
        allowed = plan.USES.get(module.part, plan.SHARED)
        if allowed is plan.ANY:
            continue
        for found in imports(module):
            part = part_of(found.name, folder)
            if part is not None and part != module.part and part not in allowed:
                findings.append(
                    f"{module.path}:{found.line}: {module.part} must not import {part}"
                )
    return findings


def check_core(folder: Path) -> list[str]:
    """Report where the core imports what only Home Assistant's side may."""
    return [
        f"{module.path}:{found.line}: {module.part} must not import {found.name}"
        for module in modules(folder)
        if module.part in plan.CORE
        for found in imports(module)
        if found.name.partition(".")[0] in plan.NOT_IN_CORE
    ]


def check_reserved(folder: Path) -> list[str]:
    """Report uses of an attribute outside of the only module that may use it."""
    findings = []
    for module in modules(folder):
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Attribute):
                continue
            findings += [
                f"{module.path}:{node.lineno}: .{rule.attribute} is for {rule.module}"
                f" only: {rule.why}"
                for rule in plan.RESERVED
                if rule.attribute == node.attr
                and rule.module != module.path
                and rule.owner in (None, last_name(node.value))
            ]
    return findings


def last_name(node: ast.expr) -> str | None:
    """Return the last name of a dotted one."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return None


def check_platform_names(folder: Path) -> list[str]:
    """Report modules that Home Assistant would load as something they are not."""
    if not folder.is_dir():
        return []
    parts = {
        path.name.removesuffix(".py")
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    return [
        f"{part}: Home Assistant loads modules of that name as a platform"
        for part in sorted(parts & (plan.PLATFORM_NAMES - plan.ENTRANCES))
    ]


def words(text: str) -> set[str]:
    """Return the lower-case words that a name or a text consists of."""
    for name in plan.NAMES_ALLOWED:
        text = re.sub(rf"\b{name}\b", " ", text)
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return {word.lower() for word in re.findall(r"[A-Za-z]+", parted)}


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every name and every string of a file with its line."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        match node:
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield line, text
            case ast.keyword(arg=str(text)) | ast.Constant(value=str(text)):
                yield line, text
            case (
                ast.FunctionDef(name=text)
                | ast.AsyncFunctionDef(name=text)
                | ast.ClassDef(name=text)
            ):
                yield line, text
            case ast.alias(name=name, asname=asname):
                yield line, f"{name} {asname or ''}"
            case _:
                pass


def check_kernel_words(folder: Path) -> list[str]:
    """Report names and strings in the kernel that tell of sequences."""
    findings = []
    for module in modules(folder):
        if module.part != "kernel":
            continue
        foreign = plan.FOREIGN_WORDS - plan.WORDS_ALLOWED.get(module.path, frozenset())
        for line, text in texts(module.tree):
            bad = sorted(words(text) & foreign)
            bad += [prefix for prefix in plan.FOREIGN_PREFIXES if prefix in text]
            findings += [
                f"{module.path}:{line}: the kernel must not know of '{word}'"
                for word in bad
            ]
    return findings


def check_future(folder: Path) -> list[str]:
    """Report imports of future annotations where they are not needed."""
    return [
        f"{module.path}:{found.line}: needs no annotations of the future"
        for module in modules(folder)
        if module.path not in plan.FUTURE_ALLOWED
        for found in imports(module)
        if found.name == "__future__.annotations"
    ]


def check_length(folder: Path) -> list[str]:
    """Report files that are too long."""
    return [
        f"{module.path}: {lines} lines, {plan.LONGEST} are allowed"
        for module in modules(folder)
        if (lines := len(module.source.splitlines())) > plan.LONGEST
    ]

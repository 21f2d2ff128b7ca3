"""Print the packages that Home Assistant would install by itself.

Usage: ha_requirements.py HOMEASSISTANT_FOLDER INTEGRATIONS_FILE [OWN_INTEGRATION]

Follows the integrations named in the file, one a line, and the own one the way
Home Assistant does when it sets them up: to those they depend on, those they come
after, those that discover for them, and those whose platforms they have.
"""

import json
import pathlib
import sys

DISCOVERY = {
    "dhcp": ("dhcp",),
    "mqtt": ("mqtt",),
    "ssdp": ("ssdp",),
    "zeroconf": ("zeroconf", "homekit"),
}
"""Integration: the keys of a manifest that bring it in."""


def read_manifest(folder: pathlib.Path) -> dict[str, list[str]]:
    """Return an integration's manifest; an empty one if there is none."""
    path = folder / "manifest.json"
    if not path.exists():
        return {}
    manifest: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return manifest


def platforms(folder: pathlib.Path, components: pathlib.Path) -> set[str]:
    """Return the integrations that an integration has platforms for."""
    names = {path.stem for path in folder.glob("*.py")}
    return {name for name in names if (components / name / "manifest.json").exists()}


def follow(
    components: pathlib.Path, domains: list[str], own: pathlib.Path | None
) -> list[str]:
    """Return the packages of the integrations and of those they bring in."""
    packages: set[str] = set()
    seen: set[str] = set()
    waiting: list[str] = []

    def visit(folder: pathlib.Path) -> None:
        manifest = read_manifest(folder)
        packages.update(manifest.get("requirements", ()))
        waiting.extend(manifest.get("dependencies", ()))
        waiting.extend(manifest.get("after_dependencies", ()))
        waiting.extend(
            domain
            for domain, keys in DISCOVERY.items()
            if any(key in manifest for key in keys)
        )

    for domain in domains:
        if not (components / domain).is_dir():
            raise SystemExit(f"Home Assistant has no integration {domain}.")
        waiting.append(domain)
        waiting.extend(platforms(components / domain, components))
    if own is not None:
        visit(own)
        waiting.extend(platforms(own, components))
    while waiting:
        domain = waiting.pop()
        if domain not in seen:
            seen.add(domain)
            visit(components / domain)
    return sorted(packages, key=str.lower)


def main() -> None:
    """Print the packages, one a line."""
    folder, listing, *own = (pathlib.Path(argument) for argument in sys.argv[1:])
    lines = listing.read_text(encoding="utf-8").splitlines()
    domains = [line.strip() for line in lines if line.strip()[:1] not in ("", "#")]
    print("\n".join(follow(folder / "components", domains, own[0] if own else None)))


if __name__ == "__main__":
    main()

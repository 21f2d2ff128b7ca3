"""Home Assistant's `.storage` of a home that does not run; imports nothing of ours."""

import json
from pathlib import Path


def write_store(
    config: Path, key: str, data: object, *, version: int, minor_version: int
) -> None:
    """Write one file in the form that Home Assistant gives all of them."""
    store = {
        "version": version,
        "minor_version": minor_version,
        "key": key,
        "data": data,
    }
    path = config / ".storage" / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(store), encoding="utf-8")

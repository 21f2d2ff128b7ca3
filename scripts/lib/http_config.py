"""Write the address and port that Home Assistant listens on into its storage.

Usage: http_config.py CONFIG_FOLDER ADDRESS PORT

Home Assistant imports these from YAML only as a trial that it takes back after
some minutes; what is in its storage counts.
"""

import json
import pathlib
import sys

from homeassistant.components.http import config as http


def write(folder: pathlib.Path, address: str, port: int) -> None:
    """Store the settings as confirmed ones."""
    stable = http.HTTP_STORAGE_SCHEMA({"server_host": [address], "server_port": port})
    stable |= {
        http.HTTP_CONFIG_CREATED_AT: "2026-01-01T00:00:00+00:00",
        http.HTTP_CONFIG_ERROR: None,
        http.HTTP_CONFIG_ERROR_MESSAGE: None,
    }
    stored = {
        "version": http.STORAGE_VERSION,
        "minor_version": http.STORAGE_MINOR_VERSION,
        "key": http.STORAGE_KEY,
        "data": {
            http.KEY_STABLE: stable,
            http.KEY_PENDING: None,
            http.KEY_YAML_MIGRATION_DONE: True,
        },
    }
    path = folder / ".storage" / http.STORAGE_KEY
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(stored, indent=2), encoding="utf-8")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

"""The temporary folder of a real home and what lies in it before the first start.

Imports nothing of ours.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
import json
from pathlib import Path
import shutil

REPOSITORY = Path(__file__).resolve().parents[2]

# What a page in the browser and the API need, and nothing that asks the internet:
# no default_config, for it brings the cloud, analytics and weather services.
LEAN_CONFIGURATION = """\
homeassistant:
  name: Home
  latitude: 52.37
  longitude: 4.89
  elevation: 2
  unit_system: metric
  time_zone: Europe/Amsterdam
  country: NL
  currency: EUR
frontend:
config:
automation:
script:
scene:
"""


def write_storage(config: Path, *, port: int) -> None:
    """Write what Home Assistant reads from its `.storage` at its first start.

    `http` in configuration.yaml would only be a five-minute trial, so the address
    stands where Home Assistant itself keeps it. Of the onboarding only the user is
    left to do.
    """
    server = {
        "server_host": ["127.0.0.1"],
        "server_port": port,
        "cors_allowed_origins": [],
        "login_attempts_threshold": -1,
        "ip_ban_enabled": False,
        "ssl_profile": "modern",
        "use_x_frame_options": True,
        "created_at": datetime.now(UTC).isoformat(),
        "error": None,
        "error_message": None,
    }
    http = {"stable": server, "pending": None, "yaml_migration_done": True}
    done = {"done": ["core_config", "analytics", "integration"]}
    _write_store(config, "http", http, version=2, minor_version=2)
    _write_store(config, "onboarding", done, version=4, minor_version=1)


def change_port(config: Path, *, port: int) -> None:
    """Let the next start use another port."""
    path = config / ".storage" / "http"
    store = json.loads(path.read_text(encoding="utf-8"))
    store["data"]["stable"]["server_port"] = port
    path.write_text(json.dumps(store), encoding="utf-8")


def write_files(config: Path, files: Mapping[str, str]) -> None:
    """Write text files, named relative to the config folder."""
    for name, text in files.items():
        path = config / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def copy_integration(config: Path) -> None:
    """Put HomeAgent there as HACS does: its own folder, and nothing else of ours."""
    shutil.copytree(
        REPOSITORY / "custom_components" / "homeagent",
        config / "custom_components" / "homeagent",
        ignore=shutil.ignore_patterns("__pycache__"),
    )


def _write_store(
    config: Path, key: str, data: object, *, version: int, minor_version: int
) -> None:
    store = {
        "version": version,
        "minor_version": minor_version,
        "key": key,
        "data": data,
    }
    write_files(config, {f".storage/{key}": json.dumps(store)})

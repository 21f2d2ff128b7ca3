"""The temporary folder of a real home and what lies in it before the first start.

Imports http_storage and storage.
"""

from collections.abc import Mapping
from pathlib import Path
import shutil

from . import http_storage
from .storage import write_store

REPOSITORY = Path(__file__).resolve().parents[2]

# What a page in the browser and the API need, and nothing that asks the internet:
# no default_config, for it brings the cloud, analytics and weather services. What people
# make in the UI is written to the three files and read from there.
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
automation: !include automations.yaml
script: !include scripts.yaml
scene: !include scenes.yaml
"""
_INCLUDED = {"automations.yaml": "[]\n", "scripts.yaml": "", "scenes.yaml": ""}


def write_storage(config: Path, *, port: int) -> None:
    """Write what Home Assistant reads from its `.storage` at its first start.

    Of the onboarding only the user is left to do.
    """
    http_storage.write(config, address="127.0.0.1", port=port)
    done = {"done": ["core_config", "analytics", "integration"]}
    write_store(config, "onboarding", done, version=4, minor_version=1)


def write_configuration(config: Path, text: str) -> None:
    """Write configuration.yaml and, empty, what it includes in the lean one."""
    write_files(config, {"configuration.yaml": text} | _INCLUDED)


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

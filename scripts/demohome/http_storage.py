"""The address and port of a home, where Home Assistant keeps them; imports storage.

`http` in configuration.yaml would only be a trial that is taken back after five minutes;
what is in `.storage` counts. As a command, for scripts/develop:

    python -m demohome.http_storage CONFIG_FOLDER ADDRESS PORT
"""

from datetime import UTC, datetime
from pathlib import Path
import sys

from .storage import write_store


def write(config: Path, *, address: str, port: int) -> None:
    """Store them as settings that were tried and confirmed."""
    server = {
        "server_host": [address],
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
    data = {"stable": server, "pending": None, "yaml_migration_done": True}
    write_store(config, "http", data, version=2, minor_version=2)


if __name__ == "__main__":
    write(Path(sys.argv[1]), address=sys.argv[2], port=int(sys.argv[3]))

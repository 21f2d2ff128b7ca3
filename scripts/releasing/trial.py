"""Sets a zip up in an empty Home Assistant, as HACS does, and uses what came of it."""

from pathlib import Path
import zipfile

from demohome.errors import HomeError
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome

from .errors import ReleaseError

_GROUPS = [
    {
        "name": "note",
        "tools": '{"tool":"persistent_notification.create",'
        '"args":{"message":"It works."}} ;',
    }
]


async def try_zip(archive: Path, version: str) -> None:
    """Install, set up, run a sequence, restart, run it again; raises ReleaseError."""
    try:
        async with RealHome(HomeOptions(integration=False)) as home:
            target = home.config / "custom_components" / "homeagent"
            with zipfile.ZipFile(archive) as opened:
                opened.extractall(target)
            await home.restart()
            await _set_up(home)
            await _use(home, version)
            await home.restart()
            await _use(home, version)
            if told := complaints(home.log_text()):
                raise ReleaseError("Home Assistant complains:\n" + "\n".join(told))
    except HomeError as error:
        raise ReleaseError(f"The zip does not work: {error}") from error


async def _set_up(home: RealHome) -> None:
    result = await home.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
    if result["type"] != "create_entry":
        raise ReleaseError(f"HomeAgent cannot be added: {result}")
    made = await home.api.call_action(
        "homeagent.seq_create", {"name": "Trial", "groups": _GROUPS}
    )
    if made.get("success") is not True:
        raise ReleaseError(f"No sequence can be made: {made}")


async def _use(home: RealHome, version: str) -> None:
    told = await home.api.call_action("homeagent.seq_help", {})
    if told.get("version") != version:
        raise ReleaseError(f"Version {told.get('version')} runs, and not {version}.")
    ran = await home.api.call_action("homeagent.seq_run", {"name": "Trial"})
    if ran.get("status") != "ok":
        raise ReleaseError(f"The sequence did not run: {ran}")

"""Home Assistant's own script engine, which ours is measured against.

Above `home`. A script is made once, checked as one from a user's file is, and run as
often as needed: what it prepares at its first run is not part of any figure.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from homeassistant.core import Context
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.script import Script, async_validate_actions_config

from .figure import BenchmarkError
from .home import Home

type Step = Mapping[str, object]


def step(action: str, data: Step, number: int, *, responds: bool = True) -> Step:
    """Return one action of a script, with a response variable of its own."""
    made: dict[str, object] = {"action": action, "data": data}
    return made | {"response_variable": f"answer_{number}"} if responds else made


async def script_run(
    home: Home, steps: Sequence[Step], variables: Mapping[str, object] | None = None
) -> Callable[[], Awaitable[object]]:
    """Return what runs a script of these steps to its end."""
    checked = cv.SCRIPT_SCHEMA([dict(each) for each in steps])
    checked = await async_validate_actions_config(home.hass, checked)
    script = Script(home.hass, checked, "Bench", "bench")
    given = dict(variables or {})

    async def run() -> object:
        return await script.async_run(given, Context(user_id=home.user_id))

    return run


def at_once(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps as one `parallel:`."""
    return [{"parallel": list(steps)}]


def check_script(answer: object) -> None:
    """Raise BenchmarkError where a script did not come to its end."""
    if answer is None:
        raise BenchmarkError("Home Assistant's script did not run to its end")

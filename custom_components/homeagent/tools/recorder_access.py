"""The way to what Home Assistant has recorded: in the recorder's own executor.

For the reading tools. Neither the recorder nor its database library need be there: both
are looked for at the moment of a call.
"""

from collections.abc import Callable

from homeassistant.core import HomeAssistant
from homeassistant.helpers.recorder import DATA_INSTANCE

from ..kernel.errors import Reason, ToolError


async def ask_recorder[T](
    hass: HomeAssistant, question: Callable[[], T]
) -> T | ToolError:
    """Return what a question to the database answers, asked off the event loop.

    What happened until now is written first, so that the answer has it. Errors:
    `unavailable` where there is no recorder, or its database does not answer.
    """
    instance = hass.data.get(DATA_INSTANCE)
    if "recorder" not in hass.config.components or instance is None:
        return not_loaded("recorder")
    from sqlalchemy.exc import SQLAlchemyError

    if (written := instance.async_get_commit_future()) is not None:
        await written
    try:
        return await instance.async_add_executor_job(question)
    except SQLAlchemyError as error:
        return ToolError(
            reason=Reason.UNAVAILABLE,
            detail=f"the recorder's database did not answer: {type(error).__name__}",
            hint="Try again later; Home Assistant's log has the details.",
        )


def not_loaded(integration: str) -> ToolError:
    """Return the error where what a tool reads from is not there."""
    return ToolError(
        reason=Reason.UNAVAILABLE,
        detail=f"Home Assistant's {integration} integration is not loaded",
        hint=f"Add {integration}: to the configuration, or default_config:, which has it.",
    )

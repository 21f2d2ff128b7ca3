"""The form that asks what somebody may do, and by which way.

Between Home Assistant's selectors and `access_explaining`; never imports an entrance.
"""

from collections.abc import Mapping

from homeassistant.helpers import selector
import probatio

from ..access.model import ENTRANCES
from ..kernel.contract import Entrance


def explain_schema(users: Mapping[str, str], tools: list[str]) -> probatio.Schema:
    """Return the form; `users` are names by ids, `tools` names to choose from."""
    people = [
        selector.SelectOptionDict(value=identifier, label=name)
        for identifier, name in users.items()
    ]
    speaks = selector.EntityFilterSelectorConfig(domain="assist_satellite")
    return probatio.Schema(
        {
            probatio.Optional("user"): _choice(people, sort=True),
            probatio.Optional("voice_device"): selector.DeviceSelector(
                selector.DeviceSelectorConfig(entity=[speaks])
            ),
            probatio.Required("entrance", default=Entrance.CONVERSATION.value): _choice(
                [str(one) for one in ENTRANCES], translation_key="access_through"
            ),
            # The frontend would begin with whatever comes first in the alphabet.
            probatio.Required("tool", default="light.turn_on"): _choice(
                tools, custom_value=True
            ),
            probatio.Optional("target"): selector.TargetSelector(),
            probatio.Optional("arguments"): selector.ObjectSelector(),
        }
    )


def _choice(
    options: list[str] | list[selector.SelectOptionDict],
    *,
    sort: bool = False,
    custom_value: bool = False,
    translation_key: str = "",
) -> selector.SelectSelector:
    config = selector.SelectSelectorConfig(
        options=options,
        mode=selector.SelectSelectorMode.DROPDOWN,
        sort=sort,
        custom_value=custom_value,
    )
    if translation_key:
        config["translation_key"] = translation_key
    return selector.SelectSelector(config)

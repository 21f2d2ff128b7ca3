"""What the reading tools need of the world around them.

Lowest of the reading modules; the composition root binds it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..kernel.contract import Caller


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPorts:
    """Home Assistant, who may know what, and the time.

    `may_read` tells whether a caller may learn the state of an entity,
    `sees_everything` whether nothing that exists is hidden from a caller.
    """

    hass: HomeAssistant
    may_read: Callable[[Caller, str], bool]
    sees_everything: Callable[[Caller], bool]
    now: Callable[[], datetime] = dt_util.utcnow

"""How a host is kept: a subentry of the HomeAgent entry, of the kind `host`.

Between the stored data and `hosts`. The key lies in Home Assistant's storage as it is:
both ends of the link need it.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry

from ..hosts.host import HostRecord
from ..hosts.protocol import KEY_BYTES

HOST: Final = "host"
"""The kind of subentry."""

CONF_HOST_ID: Final = "id"
CONF_KEY: Final = "key"
CONF_NEW_KEY: Final = "new_key"
"""A key that the host was given and has not confirmed yet."""

SECRETS: Final = frozenset({CONF_KEY, CONF_NEW_KEY})


def host_data(host_id: str, key: bytes | None) -> dict[str, Any]:
    """Return the data of a host's subentry; without key it is revoked."""
    return {CONF_HOST_ID: host_id, CONF_KEY: key_text(key), CONF_NEW_KEY: None}


def key_text(key: bytes | None) -> str | None:
    """Return a key as it is stored."""
    return None if key is None else base64.b64encode(key).decode()


def host_subentries(entry: ConfigEntry) -> Iterable[ConfigSubentry]:
    """Return the subentries that are hosts."""
    return entry.get_subentries_of_type(HOST)


def host_record(subentry: ConfigSubentry) -> HostRecord | None:
    """Return what a subentry says of a host; None if it is damaged."""
    host_id = subentry.data.get(CONF_HOST_ID)
    if not isinstance(host_id, str) or not host_id:
        return None
    keys = tuple(
        key
        for name in (CONF_KEY, CONF_NEW_KEY)
        if (key := _key(subentry.data, name)) is not None
    )
    return HostRecord(id=host_id, name=subentry.title, keys=keys)


def _key(data: Mapping[str, Any], name: str) -> bytes | None:
    text = data.get(name)
    if not isinstance(text, str):
        return None
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
    return key if len(key) == KEY_BYTES else None


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return a name that no other host has; it names the host in commands."""
    name = wanted.strip() or "NAS"
    others = {one.casefold() for one in taken}
    number, free = 1, name
    while free.casefold() in others:
        number += 1
        free = f"{name} {number}"
    return free

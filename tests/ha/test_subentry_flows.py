"""What is deleted while somebody changes it: the flow ends in words, whatever it was."""

from collections.abc import Mapping
import json
from pathlib import Path
from types import MappingProxyType

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from .hosts.waiters import async_add_hosts

TRANSLATIONS = (
    Path(__file__).resolve().parents[2] / "custom_components/homeagent/translations"
)
SERVER = {"url": "http://127.0.0.1:9/v1"}
KINDS: list[tuple[str, Mapping[str, object], Mapping[str, object]]] = [
    ("access_rule", {}, {"callers": {}, "things": {}, "places": {}}),
    ("conversation", SERVER, SERVER),
    ("host", {"id": "nas"}, {"next_step_id": "rotate"}),
    ("host", {"id": "nas"}, {"next_step_id": "pair_again"}),
    ("host", {"id": "nas"}, {"next_step_id": "revoke"}),
]


@pytest.mark.parametrize(("kind", "data", "answer"), KINDS)
async def test_subentry_that_is_deleted_meanwhile(
    hass: HomeAssistant,
    kind: str,
    data: Mapping[str, object],
    answer: Mapping[str, object],
) -> None:
    """Nothing raises, and nothing comes back."""
    entry = await async_add_hosts(hass)
    subentry = ConfigSubentry(
        data=MappingProxyType(dict(data)),
        subentry_type=kind,
        title="One",
        unique_id=None,
    )
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()
    before = set(entry.subentries) - {subentry.subentry_id}
    flows = hass.config_entries.subentries
    shown = await flows.async_init(
        (entry.entry_id, kind),
        context={"source": "reconfigure", "subentry_id": subentry.subentry_id},
    )
    hass.config_entries.async_remove_subentry(entry, subentry.subentry_id)
    ended = await flows.async_configure(shown["flow_id"], dict(answer))
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "gone")
    assert set(entry.subentries) == before


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_kind_has_words_for_it(language: str) -> None:
    """In both languages."""
    text = (TRANSLATIONS / f"{language}.json").read_text(encoding="utf-8")
    kinds = json.loads(text)["config_subentries"]
    assert all("gone" in kinds[kind]["abort"] for kind, _, _ in KINDS)

"""Sequences that models write: drafts, unless a rule lets their caller edit (page 2 §2.6)."""

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.kernel.answering import Answer
from custom_components.homeagent.kernel.contract import Entrance

from .guarded import Guarded, async_guarded, rule

GROUPS = [{"name": "g", "tools": '{"tool":"wait","args":{"seconds":0}} ;'}]
EVERYONE = {"who": ["administrators", "signed_in"], "where": ["everywhere"]}


def _may(*what: str, how: str = "allow") -> ConfigSubentryData:
    through = ["direct", "conversation"]
    return rule(" ".join(what), through=through, what=what, how=how, **EVERYONE)


async def _create(home: Guarded, entrance: Entrance) -> str:
    """Create a sequence and tell what came of it."""
    result = await home.call(
        "seq_create", {"name": "New", "groups": GROUPS}, entrance=entrance
    )
    if not result.success:
        return str(result.error.reason)
    return "draft" if result.value.get("draft") else "sequence"


@pytest.mark.parametrize("entrance", [Entrance.DIRECT, Entrance.CONVERSATION])
@pytest.mark.parametrize(
    ("rules", "made"),
    [
        ([_may("running_sequences")], "unauthorized"),
        ([_may("proposing_sequences")], "draft"),
        ([_may("editing_sequences")], "sequence"),
        ([_may("proposing_sequences"), _may("editing_sequences")], "sequence"),
        ([_may("proposing_sequences", how="ask")], "unconfirmed"),
        ([_may("editing_sequences", how="ask")], "unconfirmed"),
        ([_may("proposing_sequences"), _may("editing_sequences", how="ask")], "draft"),
    ],
)
async def test_what_a_rule_lets_somebody_write(
    hass: HomeAssistant, entrance: Entrance, rules: list[ConfigSubentryData], made: str
) -> None:
    """The right to edit makes a sequence, the right to propose a draft."""
    home = await async_guarded(hass, *rules)
    assert await _create(home, entrance) == made
    exists = home.runtime.library.find("New") is not None
    assert exists is (made == "sequence")


async def test_yes_to_editing_makes_a_sequence(hass: HomeAssistant) -> None:
    """What a person agreed to is what is made."""
    home = await async_guarded(hass, _may("editing_sequences", how="ask"))
    assert await _create(home, Entrance.DIRECT) == "unconfirmed"
    (request,) = home.runtime.requests.pending()
    by = request.caller
    answer = await home.runtime.answering.answer(request.id, yes=True, by=by)
    assert isinstance(answer, Answer)
    assert answer.result is not None
    assert answer.result.success
    assert home.runtime.library.find("New") is not None


async def test_draft_does_not_run(hass: HomeAssistant) -> None:
    """By no name, and nobody is told that it is there."""
    home = await async_guarded(
        hass,
        _may("proposing_sequences", "running_sequences"),
    )
    assert await _create(home, Entrance.CONVERSATION) == "draft"
    for arguments in ({"name": "New"}, {"name": "#New/g"}):
        result = await home.call("seq_run", arguments)
        other = await home.call("seq_run", {"name": "Never"})
        assert result.text == other.text
    assert "New" not in (await home.call("seq_list", {})).text

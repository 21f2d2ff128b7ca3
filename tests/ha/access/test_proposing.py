"""Sequences that models write: drafts, unless a rule lets their caller edit (page 2 §2.6)."""

import json
import re

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


async def _proposer(hass: HomeAssistant) -> Guarded:
    """A home in which the child may propose, run Open, and switch the kitchen's lamp."""
    home = await async_guarded(
        hass,
        _may("proposing_sequences"),
        rule(
            "own",
            through=["direct", "conversation"],
            entities=["light.kitchen"],
            where=["everywhere"],
            who=["signed_in"],
        ),
        rule(
            "admin",
            who=["administrators"],
            through=["direct"],
            what=["everything"],
            where=["everywhere"],
        ),
    )
    closed = {"name": "Closed", "groups": GROUPS}
    assert (await home.call("seq_create", closed, user=home.admin)).success
    return home


def _calling(tool: str, **args: object) -> list[dict[str, str]]:
    call = json.dumps({"tool": tool, "args": args})
    return [{"name": "g", "tools": f"{call} ;"}]


@pytest.mark.parametrize(
    ("hidden", "missing"),
    [
        ({"name": "Closed"}, {"name": "Ghosts"}),
        ({"name": "closed"}, {"name": "ghosts"}),
        ({"name": "Closd", "append": True}, {"name": "Ghots", "append": True}),
        ({"name": "Closed", "append": True}, {"name": "Ghosts", "append": True}),
        ({"name": "Closed", "replace": True}, {"name": "Ghosts", "replace": True}),
        (
            {"name": "A", "groups": _calling("shell_command.wipe")},
            {"name": "B", "groups": _calling("shell_command.ruin")},
        ),
        (
            {"name": "A", "groups": _calling("shell_command.wip")},
            {"name": "B", "groups": _calling("shell_command.rui")},
        ),
        (
            {"name": "A", "groups": _calling("seq_call", target="#Closed")},
            {"name": "B", "groups": _calling("seq_call", target="#Ghosts")},
        ),
        (
            {"name": "A", "groups": _calling("seq_call", target="#Closd")},
            {"name": "B", "groups": _calling("seq_call", target="#Ghost")},
        ),
        (
            {"name": "A", "groups": _calling("seq_call", target="#Closed/nope")},
            {"name": "B", "groups": _calling("seq_call", target="#Ghosts/nope")},
        ),
    ],
)
async def test_proposer_learns_nothing_of_what_is_hidden(
    hass: HomeAssistant, hidden: dict[str, object], missing: dict[str, object]
) -> None:
    """A sequence or tool that may not be used looks like one that is not there."""
    home = await _proposer(hass)
    told = []
    for arguments in (hidden, missing):
        whole = {"groups": GROUPS} | arguments
        result = await home.call("seq_create", whole, entrance=Entrance.CONVERSATION)
        words = r"closed|\bA\b|\bB\b|ghosts|closd|ghots|ghost|wipe|ruin|wip|rui"
        told.append(re.sub(words, "x", result.text, flags=re.IGNORECASE))
    assert told[0] == told[1]


async def test_proposal_is_added_to_by_its_own_proposer(hass: HomeAssistant) -> None:
    """The remedy for a proposal that was cut off; nobody else sees it."""
    home = await _proposer(hass)
    second = [{"name": "second", "tools": '{"tool":"wait","args":{"seconds":1}} ;'}]
    made = await home.call(
        "seq_create", {"name": "New", "groups": GROUPS}, entrance=Entrance.CONVERSATION
    )
    assert made.success, made.text
    added = await home.call(
        "seq_create",
        {"name": "New", "groups": second, "append": True},
        entrance=Entrance.CONVERSATION,
    )
    assert (added.value["draft"], added.value["groups"]) == (True, 2)
    other = await home.call(
        "seq_create",
        {"name": "New", "groups": second, "append": True},
        user=home.admin,
        entrance=Entrance.CONVERSATION,
    )
    assert not other.success
    assert "second" not in other.text


async def test_hidden_sequence_stays_as_it_is(hass: HomeAssistant) -> None:
    """A proposal under its name is a draft beside it."""
    home = await _proposer(hass)
    before = home.runtime.library.find("Closed")
    arguments = {"name": "Closed", "groups": _calling("wait", seconds=9)}
    result = await home.call("seq_create", arguments, entrance=Entrance.CONVERSATION)
    assert result.success, result.text
    assert home.runtime.library.find("Closed") == before

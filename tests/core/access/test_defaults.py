"""What a fresh entry's rules mean, sentence by sentence (page 3 §3.2)."""

import pytest

from custom_components.homeagent.access.defaults import (
    DEFAULTS,
    READY_MADE,
    defaults,
    ready_rule,
)
from custom_components.homeagent.access.rule_data import dump_rule, read_rule
from custom_components.homeagent.kernel.contract import Caller, Verdict

from .example import (
    ADMIN,
    ADMIN_MCP,
    ADMIN_TALKS,
    AUTOMATION,
    CHILD,
    CHILD_TALKS,
    GONE,
    PHONE,
    SATELLITE,
    SENTENCE,
    STRANGER,
    SYSTEM,
    UNKNOWN,
    policy_of,
    says,
)

LAMP = ("light.turn_on", {"entity_id": "light.kitchen"})
HIDDEN = ("light.turn_on", {"entity_id": "light.study"})
READ = ("get_state", {"entity_id": "sensor.heat"})
READ_HIDDEN = ("get_state", {"entity_id": "lock.door"})
SHOWN = ("seq_run", {"name": "shown"})
PLAIN = ("seq_run", {"name": "plain"})
SPOKEN = ("seq_run", {"name": "spoken"})
SCRIPT: tuple[str, dict[str, str]] = ("script.movie", {})
SCENE = ("scene.turn_on", {"entity_id": "scene.exposed"})
HOST = ("host_run", {"host": "nas"})
SHELL: tuple[str, dict[str, str]] = ("shell_command.wipe", {})
NOTIFY: tuple[str, dict[str, str]] = ("notify.phone", {})
CREATE: tuple[str, dict[str, str]] = ("seq_create", {})
DELETE = ("seq_delete", {"name": "shown"})
SEARCH: tuple[str, dict[str, str]] = ("tool_search", {})
EVERYTHING = (
    LAMP, HIDDEN, READ, READ_HIDDEN, SHOWN, PLAIN, SPOKEN, SCRIPT, SCENE, HOST, SHELL,
    NOTIFY, CREATE, DELETE, SEARCH,
)  # fmt: skip
EXPOSED = (LAMP, READ, SHOWN, SCENE, SEARCH)


@pytest.mark.parametrize(
    ("caller", "granted"),
    [
        (ADMIN, EVERYTHING),
        (AUTOMATION, EVERYTHING),
        (CHILD, (LAMP, HIDDEN, READ, READ_HIDDEN, SHOWN, PLAIN, SPOKEN, SEARCH)),
        (ADMIN_TALKS, (*EXPOSED, CREATE)),
        (ADMIN_MCP, (*EXPOSED, CREATE)),
        (CHILD_TALKS, EXPOSED),
        (SATELLITE, EXPOSED),
        (PHONE, EXPOSED),
        (SENTENCE, (*EXPOSED, SPOKEN)),
        (UNKNOWN, (READ, SEARCH)),
        (SYSTEM, ()),
        (GONE, ()),
        (STRANGER, ()),
    ],
)
def test_what_the_defaults_grant(
    caller: Caller, granted: tuple[tuple[str, dict[str, str]], ...]
) -> None:
    """Exactly this, and nothing else."""
    policy = policy_of()
    answers = {(tool, *args.values()): None for tool, args in granted}
    for tool, args in EVERYTHING:
        expected = "yes" if (tool, *args.values()) in answers else "no"
        assert says(policy, caller, tool, **args) == expected, tool


def test_proposing_is_not_editing() -> None:
    """What an administrator's conversation writes is a draft."""
    policy = policy_of()
    assert policy.may_edit(ADMIN) is Verdict.ALLOW
    assert policy.may_edit(ADMIN_TALKS) is Verdict.REFUSE


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("hosts_conversation", HOST),
        ("messages_conversation", NOTIFY),
        ("editing_conversation", DELETE),
        ("everything_conversation", SHELL),
    ],
)
def test_ready_made_rules_grant_what_they_say(
    key: str, call: tuple[str, dict[str, str]]
) -> None:
    """For the entrance that they name, once they are switched on."""
    ready = ready_rule(key)
    assert ready is not None
    assert ready.risk
    on = read_rule("mine", {**dump_rule(ready.rule), "enabled": True})
    for rules, expected in (((), "no"), ((ready.rule,), "no"), ((on,), "yes")):
        policy = policy_of((*defaults(), *rules))
        assert says(policy, ADMIN_TALKS, call[0], **call[1]) == expected
        assert says(policy, ADMIN_MCP, call[0], **call[1]) == "no"
        assert says(policy, CHILD_TALKS, call[0], **call[1]) == "no"


@pytest.mark.parametrize("ready", [*DEFAULTS, *READY_MADE], ids=lambda each: each.key)
def test_ready_rules_are_sound(ready: object) -> None:
    """Each can be stored, is found by its key and says what it does."""
    found = next(one for one in (*DEFAULTS, *READY_MADE) if one is ready)
    assert read_rule(found.key, dump_rule(found.rule)) == found.rule
    assert ready_rule(found.key) is found
    assert found.sentence.endswith(".")
    assert "{" not in found.sentence + found.risk
    assert (found in DEFAULTS) == found.rule.enabled == (not found.risk)

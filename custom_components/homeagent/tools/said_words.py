"""What the tools say of what they met, in English: the catalogue.

Lowest of the tools, above the kernel's phrases. By code; the texts for people, in their
languages, have the same codes. What Home Assistant, a host or another integration says
itself is no phrase: it is shown as it came.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.phrases import Catalogue

WORDS: Final[Mapping[str, str]] = {
    # What a call acts on
    "entities_unavailable": "unavailable: {entities}",
    "entities_absent": "no such entity: {entities}",
    "entities_foreign": "not for {action}: {entities}",
    "targets_missing": "not found: {entities}",
    "complaints": "{first}; {following}",
    "nothing_to_act_on": "there is nothing that {action} can act on",
    "no_target_given": "nothing says what the action shall act on",
    "no_target_key": "is nothing that a target can have",
    "too_many_ids": "{count} are named, {most} are allowed",
    "one_id_only": "takes exactly one id, not {count}",
    "no_templates": "templates are not taken here",
    "named_twice": "{first} and {second} are one and the same entity",
    "name_of_several": "{name} is the name of more than one thing",
    "names_no_entity": "{name} is neither an entity id nor the name of an entity",
    # Entities that are read
    "no_entity": "there is no entity {entity}",
    "entity_disabled": "{entity} is disabled",
    "entity_without_state": (
        "{entity} has no state: its integration does not provide it now"
    ),
    "looked_up": "{detail}. {hint}",
    # Actions
    "no_action": "there is no action {action} now",
    "action_not_for_user": "Home Assistant does not let this user do {action}",
    "no_reason": "the action failed and gave no reason",
    "argument_not_valid": "not valid",
    # Hosts
    "host_unread": "the host answered with nothing that is understood",
    "host_broke_off": (
        "the connection to {host} broke; what came of the command is not known"
    ),
    "host_late": "{host} gave no answer within {seconds} s",
    "host_offline": "{host} is not connected; it was last seen at {seen}",
    "host_never_seen": (
        "{host} is not connected; it was not seen since Home Assistant started"
    ),
    "host_no_text": "the command holds text that is no Unicode",
    "host_refused": "{code}: refused by the host{stage}{token}",
    "host_too_long": "the host ended the command: it took too long",
}

say: Final = Catalogue(WORDS)

"""What an entity id is, to the letter.

Home Assistant's own check lets a line break at the end pass, which then stands in logs
and is no entity's.
"""

from homeassistant.core import valid_entity_id


def is_entity_id(text: str) -> bool:
    """Whether a text has the form of an entity id, and nothing after it."""
    return valid_entity_id(text) and not text.endswith("\n")

"""The house plan: which part of the integration may use which other part.

Everything that a test asserts is a table here. A module that no table names is
taken for an entrance: it may use the shared parts, and nobody may use it.
"""

from dataclasses import dataclass

CORE = frozenset({"kernel", "access", "hosts", "sequence", "editing"})
"""Packages that know nothing of Home Assistant."""

SHARED = CORE | {
    "const",
    "tools",
    "runtime",
    "entity",
    "host_entity",
    "host_entities",
    "host_sensors",
    "flow_menus",
    "flow_progress",
    "menu_lists",
}
"""What an entrance may use."""

ANY = None
"""May use every other part."""

USES: dict[str, frozenset[str] | None] = {
    "const": frozenset(),
    "kernel": frozenset(),
    "access": frozenset({"kernel"}),
    "hosts": frozenset({"kernel"}),
    "sequence": frozenset({"kernel"}),
    "editing": frozenset({"kernel", "sequence"}),
    "tools": CORE | {"const"},
    # Our own agent: the entity and its flow are the only ones to use it.
    "agent": CORE | {"const", "tools"},
    "agent_flow": SHARED | {"agent"},
    "agent_reauth": SHARED | {"agent"},
    "conversation": SHARED | {"agent", "model_agent_entity", "plain_agent_entity"},
    "agent_entity": SHARED | {"agent"},
    "model_agent_entity": SHARED | {"agent", "agent_entity"},
    "plain_agent_entity": SHARED | {"agent", "agent_entity"},
    # What may be told of agents to those who help.
    "diagnostics": SHARED | {"agent"},
    "system_health": SHARED | {"agent"},
    "stored_files": frozenset(),
    "storage": SHARED | {"stored_files"},
    "menu_lists": frozenset({"const", "stored_files"}),
    "flow_menus": SHARED,
    "flow_progress": frozenset(),
    "entity": SHARED,
    "host_entity": SHARED,
    "host_entities": SHARED,
    "host_sensors": SHARED,
    "host_pairing": SHARED,
    "host_flow": SHARED | {"host_pairing"},
    # The options flows are parts of the config flow, which must return them.
    "explain_steps": SHARED,
    "kernel_options": SHARED | {"explain_steps"},
    "access_flow": SHARED,
    "editor": SHARED,
    "sequence_options": SHARED | {"editor"},
    "config_flow": SHARED
    | {
        "access_flow",
        "agent_flow",
        "agent_reauth",
        "host_flow",
        "editor",
        "kernel_options",
        "sequence_options",
    },
    "repair_flows": SHARED,
    "repairs": SHARED | {"repair_flows"},
    # Only these put things together.
    "runtime": ANY,
    "__init__": ANY,
}
"""Part: the other parts that it may import. Parts not named here are entrances."""

NOT_IN_CORE = frozenset({"homeassistant", "voluptuous", "probatio"})
"""Packages that the core must not import."""

ENTRANCES = frozenset(
    "backup binary_sensor button config_flow conversation diagnostics event llm logbook"
    " panel repairs sensor services system_health".split()
)
"""Modules by which people, agents and Home Assistant come in."""

PLATFORM_NAMES = frozenset(
    # Kinds of entities
    "ai_task air_quality alarm_control_panel assist_satellite binary_sensor button"
    " calendar camera climate conversation cover date datetime device_tracker event"
    " fan geo_location humidifier image image_processing infrared lawn_mower light"
    " lock media_player notify number radio_frequency remote scene select sensor"
    " siren stt switch text time todo tts update vacuum valve wake_word water_heater"
    " weather"
    # What other integrations look for
    " analytics application_credentials auth backup bluetooth cast condition config"
    " config_flow device_action device_automation device_condition device_trigger"
    " diagnostics energy google_assistant group hardware intent llm logbook mcp"
    " media_source mqtt onboarding recorder repairs reproduce_state search"
    " significant_change smart_home statistics system_health trigger".split()
)
"""Names by which Home Assistant loads a module by itself, whatever is in it."""


@dataclass(frozen=True)
class Reserved:
    """An attribute that only one module may reach for.

    With `owner`, only where it is written as that name's attribute.
    """

    attribute: str
    module: str
    why: str
    owner: str | None = None


RESERVED = (
    Reserved("call_tool", "kernel/door.py", "every tool call goes through the door"),
    Reserved(
        "call",
        "kernel/door.py",
        "every tool call goes through the door",
        owner="ToolProvider",
    ),
)

FOREIGN_WORDS = frozenset({"group", "groups", "slot", "condition", "conditions"})
FOREIGN_PREFIXES = ("seq_",)
"""What the kernel must not know of: these belong to sequences."""

WORDS_ALLOWED: dict[str, frozenset[str]] = {
    # The closed vocabulary of reasons names what hosts of the kernel may report.
    "kernel/errors.py": frozenset({"condition"}),
}

NAMES_ALLOWED = frozenset({"TaskGroup", "ExceptionGroup", "BaseExceptionGroup"})
"""Names of Python's that contain such a word."""

FUTURE_ALLOWED = frozenset({"hosts/protocol.py"})
"""May import annotations of the future: shared with the waiter's older Python."""

LONGEST = 400
"""Lines that a file may have."""

"""A home that models talk to: lamps, one of them hidden, and actions that misbehave."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, override

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.const import (
    CONF_KIND,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.runtime import DATA_RUNTIME, Runtime
from custom_components.homeagent.tools.access_rules import default_subentries
from tests.ha.access.guarded import rule
from tests.ha.home import async_act
from tests.ha.tools.house import Lamp, async_move_in

EXPOSED = {"kitchen": True, "study": True, "slow": True, "safe": False}
"""Lamps, and whether they are exposed to Assist."""


class SlowlyOff(Lamp):
    """A lamp that takes its time to go off: what is turned on meanwhile, it undoes."""

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off, in the end."""
        await asyncio.sleep(0.05)
        await super().async_turn_off(**kwargs)


@dataclass
class TalkingHome:
    """The home, who talks, and what happened."""

    hass: HomeAssistant
    user: User
    lamps: dict[str, Lamp]
    entry: ConfigEntry
    ran: list[str] = field(default_factory=list)
    release: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def runtime(self) -> Runtime:
        """What is under test."""
        return self.hass.data[DATA_RUNTIME]

    def asked(
        self, platform: str = "ollama", *, user: bool = True, device: str | None = None
    ) -> llm.LLMContext:
        """Return the context of a request."""
        return llm.LLMContext(
            platform=platform,
            context=Context(user_id=self.user.id if user else None),
            language="en",
            assistant="conversation",
            device_id=device,
        )

    async def api(
        self, platform: str = "ollama", *, ids: str | list[str] = DOMAIN
    ) -> llm.APIInstance:
        """Return the API as an integration gets it."""
        return await llm.async_get_api(self.hass, ids, self.asked(platform))

    async def set_options(self, **options: object) -> None:
        """Change the options of the HomeAgent entry."""
        self.hass.config_entries.async_update_entry(self.entry, options=options)
        await self.hass.async_block_till_done()


async def call(
    api: llm.APIInstance, tool: str, arguments: Any, call_id: str = "c"
) -> llm.ToolResult:
    """Call a tool as an agent does."""
    given = llm.ToolInput(tool_name=tool, tool_args=arguments, id=call_id)
    return await api.async_call_tool(given)


async def async_sequence(
    home: TalkingHome, name: str, groups: list[dict[str, Any]], *, exposed: bool
) -> ConfigEntry:
    """Create a sequence, as an administrator does, and expose it or not."""
    data = {"name": name, "groups": groups, "description": "Lights a lamp"}
    made = await async_act(home.hass, "seq_create", data, user=home.user)
    assert made["success"], made
    await home.hass.async_block_till_done()
    (entry,) = (
        each
        for each in home.hass.config_entries.async_entries("homeagent")
        if each.title == name
    )
    button = er.async_get(home.hass).async_get_entity_id(
        "button", "homeagent", f"{entry.entry_id}_run"
    )
    assert button is not None
    async_expose_entity(home.hass, "conversation", button, exposed)
    return entry


async def async_talking_home(
    hass: HomeAssistant, options: Mapping[str, object] | None = None
) -> TalkingHome:
    """Set up the home with the rules of a fresh entry, and one for the actions."""
    user = await hass.auth.async_create_user("Ann", group_ids=[GROUP_ID_ADMIN])
    lamps = {name: Lamp(name) for name in EXPOSED} | {"slow": SlowlyOff("slow")}
    await async_move_in(hass, lamps.values())
    kitchen = ar.async_get(hass).async_create("Kitchen", aliases={"Cook room"})
    er.async_get(hass).async_update_entity("light.kitchen", area_id=kitchen.id)
    er.async_get(hass).async_update_entity("light.study", aliases=["Reading lamp"])
    for name, exposed in EXPOSED.items():
        async_expose_entity(hass, "conversation", f"light.{name}", exposed)
    for domain in ("llm", DOMAIN):
        assert await async_setup_component(hass, domain, {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={CONF_KIND: KIND_KERNEL},
        unique_id=KERNEL_UNIQUE_ID,
        title="HomeAgent",
        version=1,
        minor_version=2,
        options=dict(options or {}),
        subentries_data=[
            *default_subentries("en"),
            rule(
                "vendor",
                who=["signed_in"],
                through=["conversation", "mcp"],
                tools=["vendor.*"],
                where=["everywhere"],
            ),
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    home = TalkingHome(hass=hass, user=user, lamps=lamps, entry=entry)
    _misbehave(home)
    await hass.async_block_till_done()
    await home.runtime.actions.async_prepare()
    return home


def _misbehave(home: TalkingHome) -> None:
    """Register actions that end as no action should."""

    async def crash(call: ServiceCall) -> None:
        home.ran.append("crash")
        raise KeyError("secret detail")

    async def hang(call: ServiceCall) -> None:
        home.ran.append("hang")
        await home.release.wait()

    home.hass.services.async_register("vendor", "crash", crash)
    home.hass.services.async_register("vendor", "hang", hang)

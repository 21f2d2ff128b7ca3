"""Our tools as Home Assistant's LLM tools: for the LLM API and for Assist.

Above `offered_tools`; a call goes into the gate before the door and comes out as a
`ToolResult`, whatever happens. Nothing else leaves: any other exception would end the
person's turn.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import logging
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..kernel.contract import Caller
from ..kernel.json_values import Json
from ..kernel.lenient_schema import publish
from ..kernel.one_by_one import OneByOne
from .llm_results import internal_failure, llm_result
from .model_schema import Schema, model_schema
from .offered_tools import OfferedTool

_LOGGER = logging.getLogger(__name__)

CHECKS_ITSELF = frozenset({"mcp_server"})
"""Platforms whose clients check arguments by the schema before they call."""

NO_FREE_OBJECTS = frozenset({"google_generative_ai_conversation"})
"""Platforms whose servers know no objects of unknown keys."""


class Property:
    """Stands in a tool's parameters for one property; takes everything.

    `serialize` gives its JSON Schema. Where Home Assistant asks another serializer first
    (it does for merged APIs), its own conversion reads the type hint of `__call__`.
    """

    __slots__ = ("schema",)

    def __init__(self, schema: Schema) -> None:
        """Take the JSON Schema."""
        self.schema = schema

    @property
    def __call__(self) -> Callable[[object], object]:  # noqa: D102
        def take(value: object) -> object:
            return value

        take.__annotations__["value"] = _validator(self.schema)
        return take


def serialize(node: Any) -> Any:
    """Return the JSON Schema of a property; other nodes as Home Assistant would."""
    if isinstance(node, Property):
        return dict(node.schema)
    return llm.selector_serializer(node)


def _validator(schema: Schema) -> Any:
    try:
        opened = _open(schema)
        return probatio.from_json_schema(opened if isinstance(opened, dict) else {})
    except probatio.SchemaError:
        return Any


def _open(schema: Json) -> Json:
    """Say of each object that it takes other keys, as JSON Schema means it unsaid."""
    if isinstance(schema, list):
        return [_open(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    opened = {key: _open(each) for key, each in schema.items()}
    if isinstance(schema.get("properties"), dict):
        opened.setdefault("additionalProperties", True)
    return opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How the calls of one list of tools come in: for whom, and through which gate.

    `platform` is the integration that talks to the model.
    """

    caller: Caller
    gate: OneByOne
    platform: str

    def adapt(self, offered: Iterable[OfferedTool]) -> list[llm.Tool]:
        """Return offered tools as Home Assistant's."""
        return [AdaptedTool(tool, self) for tool in offered]

    def unlisted(self, name: str) -> llm.Tool:
        """Return a tool that was not offered: the door says what there is to say."""
        return AdaptedTool(OfferedTool(function=name, tool=name, shown={}), self)


class AdaptedTool(llm.Tool):
    """One offered tool, on its way to the gate and the door."""

    integration = DOMAIN

    def __init__(self, offered: OfferedTool, way: Way) -> None:
        """Take the tool, and the way that its calls come in."""
        self.name = offered.function
        self.title = offered.title or None
        self.description = offered.description
        self.parameters = _parameters(_published(offered.shown, way.platform))
        self.annotations = llm.ToolAnnotations(
            read_only=offered.read_only,
            destructive=not offered.read_only,
            idempotent=offered.read_only,
            open_world=not offered.read_only,
        )
        self._offered = offered
        self._way = way

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Make the call; its place in line is taken before anything is awaited."""
        try:
            call = self._offered.call(tool_input.tool_args, tool_input.id)
            return llm_result(await self._way.gate.call(self._way.caller, call))
        except Exception:
            # A bug: with any exception but its own, Home Assistant ends the user's turn.
            _LOGGER.exception("A call of %s ended in a bug", self.name)
            return internal_failure()


def _published(shown: Schema, platform: str) -> Schema:
    if platform not in CHECKS_ITSELF:
        return model_schema(shown, free_objects=platform not in NO_FREE_OBJECTS)
    published = publish(shown)
    assert isinstance(published, dict)
    return published  # type: ignore[return-value]


def _parameters(schema: Schema) -> probatio.Schema:
    """Return a schema with one `Property` for each property."""
    properties = schema.get("properties")
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    keys: dict[Any, Property] = {}
    for name, each in properties.items() if isinstance(properties, dict) else ():
        plain = each if isinstance(each, dict) else {}
        text = plain.get("description")
        marker = probatio.Required if name in names else probatio.Optional
        keys[marker(name, description=text)] = Property(plain)
    # What is not shown is taken as well, and the door says what is wrong with it.
    return probatio.Schema(keys, extra=probatio.REMOVE_EXTRA)

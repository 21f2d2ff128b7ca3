"""All that a model is given: tools, prompt, and the way its calls come in.

The one thing of these modules that the composition root makes; entrances ask it.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.llm import LLMContext

from ..const import CONF_PROMPT, CONF_TOOLS_ADDED, CONF_TOOLS_OFF
from ..kernel.contract import Caller, Policy, ToolRegistry
from ..sequence.library import Library
from .adapter import Way
from .callers import Callers
from .default_set import ToolChoice
from .gates import Gates
from .home_listing import MOST_CHARACTERS
from .llm_callers import MCP_PLATFORM, llm_caller
from .offered_tools import OfferedTool, ToolOffer
from .prompting import PromptPorts, Rule, build_prompt
from .sequence_offers import SequenceOffer
from .sequence_presence import SequencePresence


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the user set in the options of the HomeAgent entry."""

    choice: ToolChoice = field(default_factory=ToolChoice)
    prompt: str = ""

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Wishes:
        """Read the options; what is of the wrong type is not set."""
        prompt = options.get(CONF_PROMPT)
        return cls(
            choice=ToolChoice(
                off=frozenset(_texts(options.get(CONF_TOOLS_OFF))),
                added=tuple(_texts(options.get(CONF_TOOLS_ADDED))),
            ),
            prompt=prompt if isinstance(prompt, str) else "",
        )


def _texts(value: object) -> list[str]:
    return (
        [one for one in value if isinstance(one, str)]
        if isinstance(value, list)
        else []
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferPorts:
    """What is offered, by whose rights, and how calls come in.

    `prepare` reads the descriptions of actions that are not known yet.
    """

    hass: HomeAssistant
    registry: ToolRegistry
    policy: Policy
    callers: Callers
    gates: Gates
    library: Library
    presence: SequencePresence
    may_read: Callable[[Caller, str], bool]
    may_run: Callable[[Caller, str], bool]
    prepare: Callable[[], Coroutine[object, object, None]]


class Offering:
    """Offers tools and the prompt to one caller at a time."""

    def __init__(self, ports: OfferPorts) -> None:
        """Take the ports; the user has set nothing yet."""
        self._ports = ports
        self._wishes = Wishes()
        self._prepared = False
        self._tools = ToolOffer(registry=ports.registry, policy=ports.policy)
        self._sequences = SequenceOffer(
            hass=ports.hass,
            library=ports.library,
            presence=ports.presence,
            may_run=ports.may_run,
        )
        self._prompts = PromptPorts(
            hass=ports.hass,
            may_read=ports.may_read,
            may_run=ports.may_run,
            sequences=ports.library.names,
        )

    def apply(self, options: Mapping[str, object]) -> None:
        """Take over the options of the HomeAgent entry."""
        self._wishes = Wishes.of(options)

    async def async_prepare(self) -> None:
        """See that the tools have their texts: once, later ones are read by themselves."""
        if not self._prepared:
            await self._ports.prepare()
            self._prepared = True

    def tools_for(self, caller: Caller) -> list[OfferedTool]:
        """Return the tools that a caller is offered: the default set, as the user has it."""
        choice = self._wishes.choice
        tools = self._tools.tools_for(caller, choice)
        runs = [each for each in self.runs_for(caller) if each.function in choice.added]
        # The household's own come first: small models look at the first tools most.
        return [*runs, *tools]

    def runs_for(self, caller: Caller) -> list[OfferedTool]:
        """Return the exposed sequences that a caller may run, as tools of their own."""
        return list(self._sequences.tools_for(caller))

    def run_functions(self) -> list[str]:
        """Return the function names of all exposed sequences."""
        return self._sequences.functions()

    def prompt_for(
        self,
        caller: Caller,
        language: str,
        rule: Rule = "batch",
        *,
        offered: Sequence[OfferedTool] | None = None,
        characters: int = MOST_CHARACTERS,
    ) -> str:
        """Return the prompt; `rule` is how calls of one reply come in.

        `offered` are the tools that the model is shown, if these are not all. The list
        of the home has at most so many `characters`.
        """
        shown = self.tools_for(caller) if offered is None else offered
        return build_prompt(
            self._prompts,
            caller,
            {tool.tool for tool in shown if tool.inputs_of is None},
            language,
            rule,
            self._wishes.prompt,
            characters,
        )

    def ids_for(self, caller: Caller, domain: str) -> list[str]:
        """Return the entities of a domain that a caller may use, hidden ones left out."""
        registry = er.async_get(self._ports.hass)
        return sorted(
            entity_id
            for entity_id in self._ports.hass.states.async_entity_ids(domain)
            if self._ports.may_read(caller, entity_id)
            and not ((entry := registry.async_get(entity_id)) and entry.hidden_by)
        )

    def way_of(self, asked: LLMContext) -> Way:
        """Return the way for the calls of one list of tools."""
        caller = llm_caller(self._ports.hass, self._ports.callers, asked)
        by_mcp = asked.platform == MCP_PLATFORM
        gate = self._ports.gates.gate_for(caller, mcp=by_mcp)
        return Way(caller=caller, gate=gate, platform=asked.platform)

"""Home Assistant's actions as tools: the registry that the kernel's door asks.

What exists is looked up in Home Assistant for every question; only what was worked out
about an action (schema, texts, what it can act on) is kept, until the action is
registered anew, described anew, or the language changes (§8.2).

Descriptions and translations are read in the background: `async_start` begins that, and
`async_prepare` waits for it. Until an action's description is there, its tool takes any
arguments, refuses templates as targets, has no texts, and leaves the rest to Home
Assistant's own schema; until the declarations are read, nothing is parallel safe.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from homeassistant.core import (
    CALLBACK_TYPE,
    Context,
    HomeAssistant,
    Service,
    SupportsResponse,
)
from homeassistant.helpers import service as service_helper, translation

from ..const import DOMAIN
from ..kernel.contract import Caller, ToolDefinition
from .action_loading import ActionLoader
from .action_names import llm_name, plain_action_name, split_name
from .action_schema import build_shape
from .action_texts import ActionTexts
from .action_tool import ActionPorts, ActionTool
from .declarations import Declarations, load_declarations
from .handler_schema import read_handler_schema
from .reach import DELEGATING, Reach
from .settling import REPORT_WAIT

_UNTIMED_DOMAINS = frozenset({"script"})


class ActionRegistry:
    """Finds the tool of an action by `domain.action` or by its function name."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        new_context: Callable[[Caller], Context] | None = None,
        declarations: Declarations | None = None,
        overrides: Mapping[str, bool] | None = None,
        without: frozenset[str] = frozenset({DOMAIN}),
        report_wait: float = REPORT_WAIT,
    ) -> None:
        """Take Home Assistant and the ports.

        `new_context` makes the context of one call; `overrides` are the user's own
        declarations; `without` are domains whose actions are no tools.
        """
        self._hass = hass
        self._without = without
        self._overrides = dict(overrides or {})
        self._tables_given = declarations is not None
        self._ports = ActionPorts(
            hass=hass,
            new_context=new_context or child_context,
            declarations=replace(
                declarations or Declarations(), overrides=self._overrides
            ),
            report_wait=report_wait,
        )
        self._tools: dict[str, _Kept] = {}
        self._function_names: dict[str, str] = {}
        self._loader = ActionLoader(hass, self._read_tables, self._forget_all)

    def async_start(self) -> CALLBACK_TYPE:
        """Begin to read descriptions in the background; return what stops it."""
        return self._loader.async_start()

    async def async_prepare(self) -> None:
        """Read the descriptions and texts of all actions that exist now."""
        await self._loader.async_load()

    async def _read_tables(self) -> None:
        if self._tables_given:
            return
        table = await self._hass.async_add_executor_job(load_declarations)
        self._tables_given = True
        self._ports = replace(
            self._ports, declarations=replace(table, overrides=self._overrides)
        )

    def set_overrides(self, overrides: Mapping[str, bool]) -> None:
        """Take the user's declarations: `domain.action` -> parallel safe or not."""
        self._overrides = dict(overrides)
        table = replace(self._ports.declarations, overrides=self._overrides)
        self._ports = replace(self._ports, declarations=table)
        self._forget_all()

    @property
    def declarations(self) -> Declarations:
        """The declarations that count now."""
        return self._ports.declarations

    def _forget_all(self) -> None:
        self._tools.clear()
        self._function_names.clear()

    def names(self) -> Iterable[str]:
        """Return `domain.action` of all actions that are tools now."""
        return [
            f"{domain}.{action}"
            for domain, actions in self._hass.services.async_services().items()
            if domain not in self._without
            for action in actions
        ]

    def find(self, name: str) -> ActionTool | None:
        """Return the tool of that name as it is now, None if there is none."""
        kept = self._tools.get(name)
        if kept is not None and kept.is_current(self._hass):
            return kept.tool
        parts = split_name(name)
        if parts is None:
            dotted = self._dotted(name)
            return None if dotted is None else self.find(dotted)
        service = self._service(*parts)
        if service is None:
            self._tools.pop(name, None)
            return None
        kept = _Kept(self._hass, *parts, service)
        kept.tool = self._make(name, kept)
        self._tools[name] = kept
        return kept.tool

    def _service(self, domain: str, action: str) -> Service | None:
        if domain in self._without:
            return None
        return self._hass.services.async_services_for_domain(domain).get(action)

    def _dotted(self, function_name: str) -> str | None:
        """Return the action of a function name; hashed ones are searched for."""
        plain = plain_action_name(function_name)
        if plain is not None:
            return plain
        known = self._function_names.get(function_name)
        if known is None and "___" in function_name:
            self._function_names = {llm_name(name): name for name in self.names()}
            known = self._function_names.get(function_name)
        return known

    def _make(self, name: str, kept: _Kept) -> ActionTool:
        texts = self._texts(kept)
        reads_only = kept.service.supports_response is SupportsResponse.ONLY
        declarations = self._ports.declarations
        row = declarations.row(kept.domain, kept.action, returns_data=reads_only)
        if reads_only:
            reads_only = declarations.may_only_read(kept.domain, kept.action)
        shape = build_shape(
            name=name,
            description=kept.description,
            texts=texts,
            handler=read_handler_schema(kept.service.schema),
            delegating=name in DELEGATING,
        )
        definition = ToolDefinition(
            name=name,
            title=texts.title(),
            description=texts.text(),
            parameters=shape.parameters,
            parallel_safe=row.safe,
            read_only=reads_only,
            untimed=kept.domain in _UNTIMED_DOMAINS,
            # Stopping between "open the valve" and "close the valve" does harm.
            cancellable=False,
        )
        target = (kept.description or {}).get("target")
        return ActionTool(
            ports=self._ports,
            definition=definition,
            service=kept.service,
            shape=shape,
            reach=Reach(self._hass, name, kept.service, target),
            row=row,
        )

    def _texts(self, kept: _Kept) -> ActionTexts:
        language = self._hass.config.language
        services, selectors = (
            translation.async_get_cached_translations(
                self._hass, language, category, kept.domain
            )
            for category in ("services", "selector")
        )
        return ActionTexts(
            domain=kept.domain,
            action=kept.action,
            description=kept.description or {},
            services=services,
            selectors=selectors,
        )


class _Kept:
    """A tool, and what it was made of: it counts as long as that is the same."""

    __slots__ = ("action", "description", "domain", "service", "tool")

    tool: ActionTool

    def __init__(
        self, hass: HomeAssistant, domain: str, action: str, service: Service
    ) -> None:
        self.domain = domain
        self.action = action
        self.service = service
        self.description = service_helper.async_get_cached_service_description(
            hass, domain, action
        )

    def is_current(self, hass: HomeAssistant) -> bool:
        """Whether the very same action is still registered, and described the same."""
        services = hass.services.async_services_for_domain(self.domain)
        return services.get(self.action) is self.service and self.description is (
            service_helper.async_get_cached_service_description(
                hass, self.domain, self.action
            )
        )


def child_context(caller: Caller) -> Context:
    """Return a context for what a caller's call does, a child of the caller's own."""
    parent = caller.context if isinstance(caller.context, Context) else None
    return Context(
        user_id=caller.user_id, parent_id=None if parent is None else parent.id
    )

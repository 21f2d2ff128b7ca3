"""The shape of an action's arguments, from what Home Assistant knows of it.

Pure but for compiling the schema: description, texts and the handler's own schema in, an
`ActionShape` out. What is published is a JSON Schema of an object with every described
field, every field that only the handler knows, and the target in both its forms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
import json
from types import MappingProxyType

import yaml

from ..kernel.contract import JsonSchema
from ..kernel.validation import Checker, compile_schema
from .action_texts import ActionTexts, sentences
from .handler_schema import HandlerSchema
from .nested_ids import holds_ids, selector_of
from .selectors_schema import (
    ANY_JSON,
    ID_SELECTORS,
    TARGET_KEYS,
    Schema,
    one_or_many,
    selector_schema,
    target_schema,
)

STATES = "states"
"""Kind of a field whose keys are entity ids, each with the state it shall have."""

NESTED = "nested"
"""Kind of a field whose selector says that ids stand inside of its value."""

_STATE_FIELDS = frozenset({("scene.apply", "entities"), ("scene.create", "entities")})
"""Such fields, which no selector tells from other objects."""


class Form(Enum):
    """How an argument of ids is passed on to Home Assistant."""

    LIST = "list"
    ONE = "one"
    ONE_OR_MORE = "one or more"
    """One as a text; whether more may be given, Home Assistant's own schema says."""
    AS_GIVEN = "as given"
    MAYBE = "maybe"
    """Looks like ids, but nothing says so; what is none passes as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdField:
    """An argument that names entities, devices, areas, floors or labels.

    `kind` is the key of that kind in a target (`entity_id` …), `target` for a whole
    target, `STATES`, or `NESTED` with the `selector` that tells where the ids stand.
    """

    name: str
    kind: str
    form: Form
    selector: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionShape:
    """What the arguments of one action are, and which of them name what it acts on.

    `check` coerces and checks everything but ids, which it lets through. `target_keys`
    are the flat arguments that name the target, `fields` the other arguments of ids.
    `id_names` are the names of both, with `target`; `required_ids` must be given.

    `has_target`: Home Assistant says that there is a target. `takes_target`: an object
    `target` is merged into the flat keys. `needs_target`: the action does nothing
    without one.
    """

    parameters: JsonSchema
    check: Checker
    described: bool
    target_keys: Mapping[str, IdField]
    fields: tuple[IdField, ...]
    id_names: frozenset[str]
    required_ids: frozenset[str]
    has_target: bool
    takes_target: bool
    needs_target: bool
    primary_only: bool

    @property
    def knows_ids(self) -> bool:
        """Whether anything says that the target keys are ids."""
        return any(key.form is not Form.MAYBE for key in self.target_keys.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Described:
    """A description, its fields out of their sections."""

    fields: Mapping[str, Mapping[str, object]]
    target: Mapping[str, object] | None


def build_shape(
    *,
    name: str,
    description: Mapping[str, object] | None,
    texts: ActionTexts,
    handler: HandlerSchema,
    delegating: bool,
) -> ActionShape:
    """Put together what is known; without a description everything stays open."""
    described = _described(description or {})
    known = bool(description)
    closed = known and handler.closed
    has_target = described.target is not None or handler.targets_entities
    target_keys = _target_keys(described, handler, has_target, closed)
    fields = _id_fields(name, described, handler, target_keys)
    plain = [field.name for field in fields if field.kind != NESTED]
    ids: Schema = {key: {} for key in (*target_keys, *plain)}
    required = [
        key
        for key, field in described.fields.items()
        if handler.requires(key, bool(field.get("required")))
    ]
    properties = _fields(described, texts) | _undescribed(described, handler)
    published = properties | _published_ids(described, handler, target_keys, has_target)
    # What names something of the home is checked by `target_arguments`, what the
    # handler takes and drops by nobody.
    checked = properties | ids | {key: {} for key in handler.removed}
    return ActionShape(
        parameters=MappingProxyType(_object(published, required, closed)),
        check=compile_schema(_object(checked, required, closed)),
        described=known,
        target_keys=target_keys,
        fields=fields,
        id_names=frozenset({"target", *ids, *(field.name for field in fields)}),
        required_ids=frozenset(required) & ids.keys(),
        has_target=has_target,
        takes_target=bool(target_keys) and not _is_field("target", described, handler),
        needs_target=handler.targets_entities or delegating,
        primary_only=(described.target or {}).get("primary_entities_only") is not False,
    )


def _is_field(name: str, described: _Described, handler: HandlerSchema) -> bool:
    return name in described.fields or name in handler.keys


def _published_ids(
    described: _Described,
    handler: HandlerSchema,
    target_keys: Mapping[str, IdField],
    has_target: bool,
) -> Schema:
    """Return the properties of the target, in both its forms."""
    shown = target_keys.keys() - described.fields.keys()
    if not has_target:
        shown &= handler.keys
    published: Schema = {}
    if has_target and target_keys and not _is_field("target", described, handler):
        published["target"] = target_schema()
    published.update({key: one_or_many() for key in TARGET_KEYS if key in shown})
    return published


def _described(description: Mapping[str, object]) -> _Described:
    fields: dict[str, Mapping[str, object]] = {}
    given = description.get("fields")
    for name, field in given.items() if isinstance(given, Mapping) else ():
        inner = field.get("fields") if isinstance(field, Mapping) else None
        if isinstance(inner, Mapping):
            fields.update({key: value or {} for key, value in inner.items()})
        else:
            fields[name] = field if isinstance(field, Mapping) else {}
    target = description.get("target", False)
    if target is None:
        target = {}
    return _Described(
        fields=fields, target=target if isinstance(target, Mapping) else None
    )


def _object(properties: Schema, required: list[str], closed: bool) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = not closed
    return schema


def _fields(described: _Described, texts: ActionTexts) -> Schema:
    return {
        name: _property(field, texts.field(name, field))
        for name, field in described.fields.items()
    }


def _property(field: Mapping[str, object], text: str) -> Schema:
    schema = selector_schema(field.get("selector"))
    if said := sentences(text, schema.get("description")):
        schema["description"] = said
    if schema.get("type") == list(ANY_JSON) and "example" in field:
        example = _example(field["example"])
        if example is not None:
            schema["examples"] = [example]
    return schema


def _example(value: object) -> object:
    """Return an example as JSON, or None for mere words; long ones are YAML."""
    try:
        if isinstance(value, str) and "\n" in value:
            value = yaml.safe_load(value)
        return json.loads(value if isinstance(value, str) else json.dumps(value))
    except TypeError, ValueError, yaml.YAMLError:
        return None


def _undescribed(described: _Described, handler: HandlerSchema) -> Schema:
    """Return the fields that only the handler's schema knows: of any type."""
    return {
        key: {}
        for key in sorted(handler.keys)
        if key not in described.fields and key not in TARGET_KEYS
    }


def _target_keys(
    described: _Described, handler: HandlerSchema, has_target: bool, closed: bool
) -> dict[str, IdField]:
    keys: dict[str, IdField] = {}
    for key in TARGET_KEYS:
        if key in described.fields:
            selector = selector_of(described.fields[key].get("selector"))
            if ID_SELECTORS.get(selector[0]) == key:
                form = Form.LIST if has_target else _form(key, selector[1], handler)
                keys[key] = IdField(name=key, kind=key, form=form)
        elif has_target:
            keys[key] = IdField(name=key, kind=key, form=Form.LIST)
        elif key in handler.keys:
            keys[key] = IdField(name=key, kind=key, form=Form.AS_GIVEN)
        elif not closed:
            keys[key] = IdField(name=key, kind=key, form=Form.MAYBE)
    return keys


def _form(name: str, config: Mapping[str, object], handler: HandlerSchema) -> Form:
    if config.get("multiple"):
        return Form.LIST
    return Form.ONE_OR_MORE if name in handler.keys else Form.ONE


def _id_fields(
    name: str,
    described: _Described,
    handler: HandlerSchema,
    target_keys: Mapping[str, IdField],
) -> tuple[IdField, ...]:
    """Return the described fields, other than the target, that name parts of the home."""
    found: list[IdField] = []
    for field, description in described.fields.items():
        if field in target_keys:
            continue
        kind, config = selector_of(description.get("selector"))
        if kind in ID_SELECTORS:
            form = _form(field, config, handler)
            found.append(IdField(name=field, kind=ID_SELECTORS[kind], form=form))
        elif kind == "target":
            found.append(IdField(name=field, kind="target", form=Form.LIST))
        elif (name, field) in _STATE_FIELDS:
            found.append(IdField(name=field, kind=STATES, form=Form.AS_GIVEN))
        elif holds_ids(selector := description.get("selector")):
            found.append(
                IdField(name=field, kind=NESTED, form=Form.AS_GIVEN, selector=selector)
            )
    return tuple(found)

"""JSON Schema of what a Home Assistant selector lets a person choose.

Pure: a selector's validated configuration in, a JSON Schema (2020-12) out. Never imports
Home Assistant. Every selector of Home Assistant has its row in `_BUILDERS`; one that is
newer than this file becomes a schema that takes anything.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

type Config = Mapping[str, object]
type Schema = dict[str, object]

ANY_JSON: tuple[str, ...] = ("object", "array", "string", "number", "boolean")
"""What the YAML field of the object selector takes."""

ID_SELECTORS: Mapping[str, str] = MappingProxyType(
    {
        "entity": "entity_id",
        "device": "device_id",
        "area": "area_id",
        "floor": "floor_id",
        "label": "label_id",
    }
)
"""Selectors whose values name something of the home, and the key of that kind."""

TARGET_KEYS: tuple[str, ...] = tuple(ID_SELECTORS.values())


def one_or_many() -> Schema:
    """Return the schema of one id, or of several."""
    return {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    }


def target_schema() -> Schema:
    """Return the schema of a target: an object of ids, each one or many."""
    return {
        "type": "object",
        "properties": {key: one_or_many() for key in TARGET_KEYS},
        "additionalProperties": False,
    }


def selector_schema(selector: object) -> Schema:
    """Return the JSON Schema for values of `{type: configuration}`.

    What is not a selector, or none that is known here, gives the open schema `{}`.
    """
    if not isinstance(selector, Mapping) or len(selector) != 1:
        return {}
    ((kind, config),) = selector.items()
    builder = _BUILDERS.get(kind) if isinstance(kind, str) else None
    if builder is None:
        return {}
    return builder(config if isinstance(config, Mapping) else {})


def _text(config: Config) -> Schema:
    item: Schema = {"type": "string"}
    if config.get("type") == "password":
        item["format"] = "password"
    return _many(config, item)


def _string(config: Config) -> Schema:
    return _many(config, {"type": "string"})


def _hinted(description: str) -> Callable[[Config], Schema]:
    def build(config: Config) -> Schema:
        return {"type": "string", "description": description}

    return build


def _ids(config: Config) -> Schema:
    return one_or_many() if config.get("multiple") else {"type": "string"}


def _many(config: Config, item: Schema) -> Schema:
    return {"type": "array", "items": item} if config.get("multiple") else item


def _boolean(config: Config) -> Schema:
    return {"type": "boolean"}


def _bounds(low: object, high: object) -> Schema:
    schema: Schema = {"type": "number"}
    for key, bound in (("minimum", low), ("maximum", high)):
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            schema[key] = int(bound) if bound == int(bound) else bound
    return schema


def _number(config: Config) -> Schema:
    return _bounds(config.get("min"), config.get("max"))


def _color_temp(config: Config) -> Schema:
    return _bounds(
        config.get("min", config.get("min_mireds")),
        config.get("max", config.get("max_mireds")),
    )


def _color_rgb(config: Config) -> Schema:
    return {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 255},
        "minItems": 3,
        "maxItems": 3,
    }


def _select(config: Config) -> Schema:
    item: Schema = {"type": "string"}
    values = [value for value, _ in select_options(config)]
    if values and not config.get("custom_value"):
        item["enum"] = values
    return _many(config, item)


def select_options(config: Config) -> list[tuple[str, str | None]]:
    """Return a select selector's values, each with the label that stands beside it."""
    found: list[tuple[str, str | None]] = []
    options = config.get("options")
    for option in options if isinstance(options, list | tuple) else ():
        if isinstance(option, Mapping):
            label = option.get("label")
            value = option.get("value", label)
            found.append((str(value), label if isinstance(label, str) else None))
        else:
            found.append((str(option), None))
    return found


def _options(*values: str) -> Callable[[Config], Schema]:
    def build(config: Config) -> Schema:
        return {"type": "string", "enum": list(values)}

    return build


def _listed(key: str) -> Callable[[Config], Schema]:
    def build(config: Config) -> Schema:
        values = config.get(key)
        if isinstance(values, list) and values:
            return {"type": "string", "enum": list(values)}
        return {"type": "string"}

    return build


def _behavior(config: Config) -> Schema:
    if config.get("mode") == "condition":
        return _options("all", "any")(config)
    return _options("first", "all", "each")(config)


def _constant(config: Config) -> Schema:
    return {"enum": [config["value"]]} if "value" in config else {}


def _duration(config: Config) -> Schema:
    units = ("days", "hours", "minutes", "seconds", "milliseconds")
    parts: Schema = {
        "type": "object",
        "properties": {unit: {"type": "number"} for unit in units},
        "additionalProperties": False,
    }
    return {
        "anyOf": [parts, {"type": "string"}, {"type": "number"}],
        "description": "An object of units, HH:MM:SS, or seconds.",
    }


def _location(config: Config) -> Schema:
    keys = ("latitude", "longitude", "radius")
    return {
        "type": "object",
        "properties": {key: {"type": "number"} for key in keys},
        "required": ["latitude", "longitude"],
    }


def _media(config: Config) -> Schema:
    keys = ("entity_id", "media_content_id", "media_content_type")
    item: Schema = {
        "type": "object",
        "properties": {
            **{key: {"type": "string"} for key in keys},
            "metadata": {"type": "object"},
        },
        "required": ["media_content_id", "media_content_type"],
    }
    return _many(config, item)


def _object(config: Config) -> Schema:
    fields = config.get("fields")
    if not isinstance(fields, Mapping):
        return {"type": list(ANY_JSON)}
    properties: Schema = {}
    required: list[str] = []
    for name, field in fields.items():
        properties[name] = selector_schema(field.get("selector"))
        if field.get("required"):
            required.append(name)
    item: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if required:
        item["required"] = required
    return _many(config, item)


def _choose(config: Config) -> Schema:
    choices = config.get("choices")
    found: list[Schema] = []
    for choice in choices.values() if isinstance(choices, Mapping) else ():
        schema = selector_schema(choice.get("selector"))
        if schema not in found:
            found.append(schema)
    # The form of Home Assistant's own editor, which names the choice it made.
    found.append({"type": "object", "required": ["active_choice"]})
    return {} if {} in found else {"anyOf": found}


def _script_syntax(config: Config) -> Schema:
    return {"type": ["array", "object"]}


def _template(config: Config) -> Schema:
    return {"type": "string", "description": "A template of Home Assistant."}


def _threshold(config: Config) -> Schema:
    entry: Schema = {
        "type": "object",
        "properties": {
            "active_choice": {"type": "string", "enum": ["number", "entity"]},
            "number": {"type": "number"},
            "entity": {"type": "string"},
            "unit_of_measurement": {"type": "string"},
        },
        "additionalProperties": False,
    }
    kinds = ["above", "below", "between", "outside", "any"]
    return {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": kinds},
            "value": entry,
            "value_min": entry,
            "value_max": entry,
        },
        "required": ["type"],
        "additionalProperties": False,
    }


def _target(config: Config) -> Schema:
    return target_schema()


_BUILDERS: Mapping[str, Callable[[Config], Schema]] = MappingProxyType(
    {
        "action": _script_syntax,
        "addon": _string,
        "app": _string,
        "area": _ids,
        "assist_pipeline": _string,
        "attribute": _string,
        "automation_behavior": _behavior,
        "backup_location": _string,
        "boolean": _boolean,
        "choose": _choose,
        "color_rgb": _color_rgb,
        "color_temp": _color_temp,
        "condition": _script_syntax,
        "config_entry": _hinted("The id of a config entry."),
        "constant": _constant,
        "conversation_agent": _string,
        "country": _listed("countries"),
        "date": _hinted("YYYY-MM-DD."),
        "datetime": _hinted("YYYY-MM-DD HH:MM:SS."),
        "device": _ids,
        "device_class": _string,
        "duration": _duration,
        "entity": _ids,
        "file": _hinted("The id of an uploaded file."),
        "floor": _ids,
        "icon": _hinted("For example mdi:home."),
        "label": _ids,
        "language": _listed("languages"),
        "location": _location,
        "media": _media,
        "number": _number,
        "numeric_threshold": _threshold,
        "object": _object,
        "qr_code": _string,
        "select": _select,
        "serial_port": _string,
        "state": _string,
        "state_class": _string,
        "statistic": _string,
        "target": _target,
        "template": _template,
        "text": _text,
        "theme": _string,
        "time": _hinted("HH:MM:SS."),
        "trigger": _script_syntax,
    }
)
"""One row for every selector of Home Assistant."""

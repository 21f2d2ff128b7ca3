"""The inputs and outputs of a group as rows of a form: one in the other.

Beside `rows`; pure. Values by default and choices are texts in the form: of an input
that is a text they are taken as they stand, of any other they are JSON.
"""

from collections.abc import Iterable, Mapping

from ..kernel.json_text import encode_json
from .faults import Fault, FormFault
from .rows import Row, json_value

type Signature = Mapping[str, object]
"""`in` or `out` as decoded JSON: `{key: type}` or `{key: {"type": …, …}}`."""


def signature_rows(signature: Signature) -> list[Row]:
    """Return the rows of an `in` or `out`."""
    return [_row(key, declared) for key, declared in signature.items()]


def _row(key: str, declared: object) -> Row:
    members = declared if isinstance(declared, Mapping) else {"type": declared}
    kind = str(members.get("type", "any"))
    row: Row = {"key": key, "type": kind}
    if members.get("description"):
        row["description"] = members["description"]
    if "default" in members:
        row["default"] = _shown(members["default"], kind)
    if members.get("required") is False:
        row["optional"] = True
    enum = members.get("enum")
    if isinstance(enum, list):
        row["choices"] = [_shown(value, kind) for value in enum]
    return row


def _shown(value: object, kind: str) -> str:
    """Return the text of a value; in quotes where it would be read otherwise."""
    if not isinstance(value, str) or kind != "string":
        return encode_json(value)
    as_it_is = value and value.strip() == value and not value.startswith('"')
    return value if as_it_is else encode_json(value)


def signature_of(rows: object, *, inputs: bool) -> tuple[Signature, list[Fault]]:
    """Return the `in` or `out` that rows declare, and what is wrong with rows."""
    signature: dict[str, object] = {}
    faults: list[Fault] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        try:
            members = row if isinstance(row, Mapping) else {}
            key = _key(members, signature)
            signature[key] = _declared(members, inputs=inputs)
        except FormFault as error:
            fault = error.fault
            faults.append(
                Fault(word=fault.word, placeholders=fault.placeholders, row=index)
            )
    return signature, faults


def _key(row: Mapping[str, object], taken: Signature) -> str:
    key = row.get("key")
    if not isinstance(key, str) or not key:
        raise FormFault("row_no_key")
    if key in taken:
        raise FormFault("row_key_twice", key=key)
    return key


def _declared(row: Mapping[str, object], *, inputs: bool) -> dict[str, object]:
    kind = str(row.get("type") or "any")
    declared: dict[str, object] = {"type": kind}
    if row.get("description"):
        declared["description"] = row["description"]
    if not inputs:
        return declared
    default = row.get("default")
    if isinstance(default, str) and default.strip():
        declared["default"] = _value(default, kind, "default")
    elif row.get("optional") is True:
        declared["required"] = False
    choices = list(_texts(row.get("choices")))
    if choices:
        declared["enum"] = [_value(choice, kind, "choices") for choice in choices]
    return declared


def _texts(choices: object) -> Iterable[str]:
    listed = choices if isinstance(choices, list) else [choices]
    return (choice for choice in listed if isinstance(choice, str) and choice.strip())


def _value(text: str, kind: str, field: str) -> object:
    text = text.strip()
    if kind == "string" and not text.startswith('"'):
        return text
    return json_value(text, field)

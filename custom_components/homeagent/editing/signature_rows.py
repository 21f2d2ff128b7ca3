"""The inputs and outputs of a group as rows of a form: one in the other.

Beside `rows`; pure. Values by default and choices are texts in the form, as people type
them for the type of the input.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from .faults import Fault, FormFault
from .rows import Row
from .typed_values import YesNo, text_of, value_of

YES_NO: Final = ("yes", "no")

type Signature = Mapping[str, object]
"""`in` or `out` as decoded JSON: `{key: type}` or `{key: {"type": …, …}}`."""


def signature_rows(signature: Signature, yes_no: YesNo = YES_NO) -> list[Row]:
    """Return the rows of an `in` or `out`; `yes_no` are the words for true and false."""
    return [_row(key, declared, yes_no) for key, declared in signature.items()]


def _row(key: str, declared: object, yes_no: YesNo) -> Row:
    members = declared if isinstance(declared, Mapping) else {"type": declared}
    kind = str(members.get("type", "any"))
    row: Row = {"key": key, "type": kind}
    if members.get("description"):
        row["description"] = members["description"]
    if "default" in members:
        row["default"] = text_of(members["default"], kind, yes_no)
    if members.get("required") is False:
        row["optional"] = True
    enum = members.get("enum")
    if isinstance(enum, list):
        row["choices"] = [text_of(value, kind, yes_no) for value in enum]
    return row


def signature_of(rows: object, *, inputs: bool) -> tuple[Signature, list[Fault]]:
    """Return the `in` or `out` that rows declare, and what is wrong with rows."""
    signature: dict[str, object] = {}
    faults: list[Fault] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        members = row if isinstance(row, Mapping) else {}
        try:
            key = _key(members, signature)
            # Whatever is wrong with its values, the key is there.
            signature[key] = _bare(members, inputs=inputs)
            signature[key] = _declared(members, inputs=inputs)
        except FormFault as error:
            fault = error.fault
            faults.append(
                Fault(word=fault.word, placeholders=fault.placeholders, row=index)
            )
    return signature, faults


def row_keys(rows: object) -> list[str]:
    """Return the key of each row as it is read, empty for none."""
    return [_key_text(row) for row in rows] if isinstance(rows, list) else []


def _key_text(row: object) -> str:
    key = row.get("key") if isinstance(row, Mapping) else None
    return key.strip() if isinstance(key, str) else ""


def _key(row: Mapping[str, object], taken: Signature) -> str:
    key = _key_text(row)
    if not key:
        raise FormFault("row_no_key")
    if key in taken:
        raise FormFault("row_key_twice", key=key)
    return key


def _bare(row: Mapping[str, object], *, inputs: bool) -> dict[str, object]:
    optional: dict[str, object] = {"required": False} if inputs else {}
    return {"type": _kind(row), **optional}


def _kind(row: Mapping[str, object]) -> str:
    return str(row.get("type") or "any")


def _declared(row: Mapping[str, object], *, inputs: bool) -> dict[str, object]:
    kind = _kind(row)
    declared: dict[str, object] = {"type": kind}
    if row.get("description"):
        declared["description"] = row["description"]
    if not inputs:
        return declared
    default = row.get("default")
    if isinstance(default, str) and default.strip():
        declared["default"] = value_of(default, kind, "row_field_default")
    elif row.get("optional") is True:
        declared["required"] = False
    choices = list(_texts(row.get("choices")))
    if choices:
        declared["enum"] = [
            value_of(choice, kind, "row_field_choices") for choice in choices
        ]
    return declared


def _texts(choices: object) -> Iterable[str]:
    listed = choices if isinstance(choices, list) else [choices]
    return (choice for choice in listed if isinstance(choice, str) and choice.strip())

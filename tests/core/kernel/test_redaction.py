"""Secrets are not written down, whatever they are called."""

import pytest

from custom_components.homeagent.kernel.redaction import REDACTED, redact

SCHEMA = {
    "properties": {
        "key": {"type": "string", "format": "password"},
        "list": {"items": {"properties": {"x": {"writeOnly": True}}}},
    }
}


@pytest.mark.parametrize(
    "name",
    [
        "code",
        "pin",
        "Password",
        "passcode",
        "token",
        "access_token",
        "client-secret",
        "api_key",
        "apikey",
        "authorization",
        "Authorization",
        "wifi_password",
    ],
)
def test_secret_names(name: str) -> None:
    """By name, at every depth, whatever the value is."""
    value = {
        name: "s3cret",
        "deep": [{name: ["s3cret"]}],
        "other": {name: {"a": "s3cret"}},
    }
    told = redact(value)
    assert "s3cret" not in str(told)
    assert told == {
        name: REDACTED,
        "deep": [{name: REDACTED}],
        "other": {name: REDACTED},
    }


@pytest.mark.parametrize(
    "name",
    [
        "exit_code",
        "country_code",
        "encode",
        "tokens",
        "pinned",
        "spinning",
        "secretary",
    ],
)
def test_other_names(name: str) -> None:
    """What only looks like one stays."""
    assert redact({name: 1}) == {name: 1}


def test_schema_says_so() -> None:
    """Passwords of a schema, in lists too; null stays null."""
    value = {"key": "s3cret", "list": [{"x": "s3cret", "y": 1}, {"x": None}]}
    assert redact(value, SCHEMA) == {
        "key": REDACTED,
        "list": [{"x": REDACTED, "y": 1}, {"x": None}],
    }

"""Secrets are not written down, whatever they are called."""

import pytest

from custom_components.homeagent.kernel.redaction import (
    REDACTED,
    redact,
    scrub,
    secrets_in,
)

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
        "alarm_code",
        "userPin",
        "wifi_psk",
        "pass",
        "accessToken",
        "api-key",
        "X-Api-Key",
        "door code",
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
        "statusCode",
        "key",
        "compass",
        "bypass",
        "author",
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


def test_secrets_elsewhere() -> None:
    """What was given as a secret is taken out of other texts; short ones are not."""
    given = {
        "password": "hunter2",
        "pin": 12,
        "code": "abc",
        "list": [{"token": ["longone"]}],
    }
    secrets = secrets_in(given, SCHEMA)
    assert secrets == {"hunter2", "longone"}
    told = scrub({"error": ["no entity hunter2!", 5], "x": "longone abc"}, secrets)
    assert told == {"error": [f"no entity {REDACTED}!", 5], "x": f"{REDACTED} abc"}

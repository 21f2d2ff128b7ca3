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
        "usercode",
        "PINCode",
        "APIToken",
        "pincode",
        "accesstoken",
        "passwords",
        "tokens",
        "password1",
        "wifi_password_2",
        "token_value",
        "secretKey",
        "private_key",
        "network_key",
        "wifiKey",
        "pwd",
        "otp",
        "pinNumber",
        "webhook_id",
        "Passwort",
        "密码",
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


@pytest.mark.parametrize(
    ("secret", "told"),
    [
        ("s" * 200, f"no entity {'s' * 80}…"),
        ('x"y"zz', 'found "x\\"y\\"zz"'),
        ("a\nbcd", "found a\\nbcd"),
        ("grün!", "found gr\\u00fcn!"),
        (91827365, "value 91827365 is too large"),
        ({"inner": "hidden"}, "no key inner, hidden"),
    ],
)
def test_secrets_in_other_forms(secret: object, told: str) -> None:
    """Cut off, quoted as JSON, as a number, or as the key of an object."""
    secrets = secrets_in({"code": secret})
    scrubbed = str(scrub({"error": told, "n": 91827365}, secrets))
    for part in ("sss", "zz", "bcd", "gr", "inner", "hidden"):
        assert part not in scrubbed or part not in told
    assert isinstance(secret, int) is ("91827365" not in scrubbed)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ('{"pin": "hunter2", "a": 1}', '{"pin": "**redacted**", "a": 1}'),
        ('{"pin": "hunter2", oops', REDACTED),
        ('{"tool":"t","args":{"code":"hunter2"}} ;', REDACTED),
        ("[Door] opened", "[Door] opened"),
        ("plain", "plain"),
    ],
)
def test_json_in_texts(text: str, redacted: str) -> None:
    """It is read; what cannot be read might hold one."""
    assert redact({"x": text}) == {"x": redacted}

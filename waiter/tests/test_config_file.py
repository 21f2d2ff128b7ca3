"""The configuration: what is legal, and what an error says."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from homeagent_waiter.config import Config
from homeagent_waiter.config_file import ConfigError, load_config
from homeagent_waiter.gate import Policy
from homeagent_waiter.gate.grammars import BUILT_IN

WHOLE = """\
url: http://homeassistant.local:8123
key_file: /var/lib/homeagent-waiter/key
name: NAS
tls:
  ca_file: /etc/ssl/own.pem
  pin: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
device_authorized: true
device_cmd_allowlist: [df, docker]
device_cmd_unchecked:
  - mytool
device_dns_allow: [router.lan]
read_deny: ["/srv/private/*"]
limits: {timeout: 10, output: 4096, at_once: 2, per_minute: 30}
metrics: {enabled: false, interval: 30}
log: {level: debug, audit_size: 65536, audit_files: 2}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the configuration of a test is."""
    return tmp_path / "waiter.yaml"


def error(file: Path, text: str) -> str:
    """Return what is wrong with a configuration."""
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_config(file)
    return str(refused.value).replace(f"{file}: ", "")


def test_every_key_is_read(file: Path) -> None:
    """A whole file, and an empty one with what it means."""
    file.write_text(WHOLE)
    config = load_config(file)
    assert config.device_cmd_allowlist == ["df", "docker"]
    assert config.limits.timeout == 10
    assert config.tls.pin == "0123456789abcdef" * 4
    assert config.source == file
    file.write_text("")
    assert load_config(file).model_copy(update={"source": None}) == Config()


def test_without_a_file_it_is_the_built_in_one() -> None:
    """Nothing is allowed over the link, and the built-in list holds."""
    config = load_config()
    assert (config.url, config.source, config.device_authorized) == (None, None, False)


def test_first_file_counts(home: Path, file: Path) -> None:
    """An invalid one of the user is not passed over."""
    own = home / ".config/homeagent/waiter.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("name: own")
    assert load_config().name == "own"
    file.write_text("name: given")
    assert load_config(file).name == "given"
    own.write_text("nonsense: 1")
    with pytest.raises(ConfigError):
        load_config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("urll: x", "line 1: urll: is no key here; legal are device_authorized, "),
        ("limits:\n  speed: 1", "line 2: limits.speed: is no key here; legal are at_once, "),
        ("url: ftp://x", "line 1: url: 'ftp://x' is no address such as 'http"),
        ("url: http://u:p@x", "line 1: url: the address holds more than scheme, host"),
        ("device_cmd_allowlist:\n  - df\n  - yes", "line 3: device_cmd_allowlist.1: yes is a "
         "boolean in YAML 1.1; write 'yes' in quotes"),
        ("device_cmd_allowlist: [/bin/df]", "'/bin/df' is no bare command name such as 'df'"),
        ("device_cmd_allowlist: df", "line 1: device_cmd_allowlist: Input should be a valid list"),
        ("device_cmd_allowlist: [5]", "line 1: device_cmd_allowlist.0: Input should be a valid"),
        ("device_cmd_unchecked: [awk]", "'awk' runs what it is told and can never be allowed"),
        ("device_authorized: 'true'", "line 1: device_authorized: Input should be a valid boolean"),
        ("limits:\n  timeout: 9999", "line 2: limits.timeout: Input should be less than or equal"),
        ("limits: {output: 1.5}", "line 1: limits.output: Input should be a valid integer"),
        ("name: a\nurl: http://x\nname: b", "line 3: the key 'name' stands there twice"),
        ("1: x", "line 1: the key '1' is no text"),
        ("- a", "line 1: the file must be keys and values"),
        ("a: [", "line 1: no YAML: "),
        ("name: !!python/object:os.system x", "line 1: no YAML: could not determine"),
        ("read_deny: [x]", "line 1: read_deny.0: 'x' is no absolute path or pattern"),
        ("tls: {pin: abc}", "line 1: tls.pin: a pin is the SHA-256"),
        ("key_file: key", "line 1: key_file: 'key' is no absolute path"),
        ("device_dns_allow: ['*.x']", "'*.x' is no host name such as 'nas.example.org'"),
        ("source: /x", "line 1: source: is no key here"),
    ],
)  # fmt: skip
def test_error_says_key_line_and_what_is_legal(
    file: Path, text: str, said: str
) -> None:
    """Each kind of mistake."""
    assert said in error(file, text)


@pytest.mark.parametrize("key", ["device_cmd_allowlist", "device_cmd_unchecked"])
@pytest.mark.parametrize(
    "name", "sh bash python3 perl env xargs sudo busybox timeout nohup".split()
)
def test_what_runs_anything_cannot_be_listed(file: Path, key: str, name: str) -> None:
    """Shells, interpreters and wrappers in neither list."""
    assert "can never be allowed" in error(file, f"{key}: [{name}]")


@pytest.mark.parametrize("mode", [0o666, 0o664, 0o646])
def test_file_that_others_may_write_is_refused(file: Path, mode: int) -> None:
    """Whoever may write it decides what runs."""
    file.write_text("name: x")
    file.chmod(mode)
    with pytest.raises(ConfigError, match="others may write it"):
        load_config(file)


def test_file_of_another_user_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must belong to root or to whoever runs the waiter."""
    file.write_text("name: x")
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    if file.stat().st_uid == 0:
        assert load_config(file).name == "x"
        os.chown(file, 1234, 1234)
    with pytest.raises(ConfigError, match="belongs to user"):
        load_config(file)


def test_missing_file_and_folder_are_told(file: Path) -> None:
    """A file that was asked for must be there, and be a file."""
    with pytest.raises(ConfigError, match="No such file"):
        load_config(file)
    file.mkdir()
    with pytest.raises(ConfigError, match="Is a directory"):
        load_config(file)


@pytest.mark.parametrize(
    "text", ["", "device_cmd_allowlist:", "device_cmd_allowlist: []"]
)
def test_no_list_means_the_built_in_one(file: Path, text: str) -> None:
    """Never everything."""
    file.write_text(text)
    policy = Policy.from_config(load_config(file))
    assert (policy.allowed, policy.built_in) == (BUILT_IN, True)


def test_given_list_replaces(file: Path) -> None:
    """It never adds."""
    file.write_text("device_cmd_allowlist: [docker]")
    policy = Policy.from_config(load_config(file))
    assert policy.allowed == frozenset({"docker"})
    assert not policy.built_in


PIECES = st.sampled_from(
    [
        *WHOLE.split("\n"),
        "[",
        "{",
        "&a",
        "*a",
        "!!int x",
        "2024-99-99",
        "<<",
        ": ",
        "- ",
        "\n",
    ]
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.one_of(st.text(), st.lists(PIECES, max_size=12).map("\n".join)))
def test_any_text_is_read_or_refused(file: Path, text: str) -> None:
    """The reader is total."""
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(ConfigError):
        assert load_config(file).source == file


@pytest.mark.parametrize("text", ["[" * 5000, "a: &a [*a]", "name: 2024-99-99"])
def test_strange_yaml_is_refused(file: Path, text: str) -> None:
    """Nesting, circles and dates that are none."""
    assert error(file, text)

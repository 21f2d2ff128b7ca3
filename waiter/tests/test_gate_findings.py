"""Ways around the gate that a hostile reader found, each with what stays allowed."""

from __future__ import annotations

import os
from pathlib import Path
import resource

from conftest import code_of, plan_of
from programs import plan
from pydantic import ValidationError
import pytest

from homeagent_waiter.config import Config
from homeagent_waiter.config_file import ConfigError, load_config
from homeagent_waiter.executor import Bounds, execute
from homeagent_waiter.gate import Policy
from homeagent_waiter.gate.grammars import GRAMMARS, MARKERS
from homeagent_waiter.gate.mounts import Mounts
from homeagent_waiter.gate.never import runs_words
from homeagent_waiter.gate.places import Places
from homeagent_waiter.gate.programs import Programs

LINES = r"""
option   tail +5f /etc/hosts
option   tail +f /etc/hosts
option   tail +F /etc/hosts
option   tail +lf /etc/hosts
option   tail +5cf /etc/hosts
option   tail -- +5f /etc/hosts
option   tail +5f
option   tail +5bf /etc/hosts
option   tail /etc/hosts +f
option   tail -n 3 +5F /etc/hosts
accepted tail +5 /etc/hosts
accepted tail +5c /etc/hosts
accepted tail +5l /etc/hosts
accepted tail +5b /etc/hosts
accepted tail -n +5 /etc/hosts
accepted tail ./+f
network  dig 1122:3344::ff00%a.evil.com
network  dig fe80::1%a.evil.com
network  dig fe80::1%eth0
network  dig -x fe80::1%eth0
network  dig -x 1.2.3.4%x.evil.com
network  dig -q 1.2.3.4%x
network  ping -c 1 1.2.3.4%evil.com
network  ping -c 1 1.2.3.4%eth0
network  ping -c 1 2001:db8::1%eth0
network  ping -c 1 fe80::1%evil.com
network  ping -c 1 fe80::1%
accepted ping -c 1 fe80::1%eth0
accepted ping -c 1 febf::1%br-lan
accepted dig -x 2001:db8::1
option   date -d 'TZ="/any/file" now'
option   date '--date=TZ="/any/file" now'
option   date -d "TZ='/any/file' now"
option   date -d 'TZ=/any/file now'
option   find . -newermt 'TZ="/any/file" now'
option   find . -newerat 'TZ="/any/file" now'
accepted date -d '2026-11-30 12:00:00 +0100' +%s
accepted date -d @1700000000
accepted date -d 'next monday, 11/30/2026'
accepted find . -newermt '2 days ago'
count    grep -E '(((a{1,200}){1,200}){1,200})b' f
count    grep -e '\(\(a\{1,200\}\)\{1,200\}\)' f
count    grep '--regexp=a{200}{200}{200}' f
count    grep -E -e x -e '(a{200,}){200,}' f
count    grep -E '(a{200})*{200}' f
count    grep 'a\{1,32767\}b' f
count    sed -E 's/((a{1,200}){1,200}){1,200}//' f
count    sed -E -n '/((a{1,200}){1,200}){1,200}/p' f
count    sed -E 's,((a{1\,200}){1\,200}){1\,200},x,' f
count    sed -n '\|\(\(a\{200\}\)\{200\}\)\{200\}|p' f
count    nl -b 'p\(\(a\{1,200\}\)\{1,200\}\)' f
count    nl '--body-numbering=p\(\(a\{1,200\}\)\{1,200\}\)' f
count    tac -r -s '\(\(a\{1,200\}\)\{1,200\}\)' f
accepted grep -E '([0-9]{1,3}\.){3}[0-9]{1,3}' f
accepted grep -oE '([0-9A-Fa-f]{2}[:-]){5}([0-9A-Fa-f]{2})' f
accepted grep -E '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' f
accepted grep 'a\{0,1000\}' f
accepted sed -E 's/([0-9]{4})-([0-9]{2})/\2 \1/;s/(a){3}/b/' f
accepted nl -b 'p^[0-9]\{4\}' f
accepted sed 's/^[ \t]*//' f
accepted sed 's/[\r\n]//g' f
operand  sed 's/[\d093w]x/y/w out' f
operand  sed 's/[\]/x/]//' f
accepted cat /etc/mtab
secret   cat /proc/self/mounts
"""


@pytest.mark.parametrize("row", LINES.strip().splitlines())
def test_line(row: str) -> None:
    """What follows, looks up, opens or grows is refused; its harmless kin passes."""
    code, line = row.split(maxsplit=1)
    assert code_of(line) == code


SECRET = """
/srv/cert.pem /srv/putty.ppk /srv/tls.key /srv/.env /srv/.envrc /srv/.env-prod
/srv/shadow.bak /srv/shadow- /srv/shadow~ /etc/stunnel/stunnel.conf /boot/config/ssl/x
/home/a/.docker/config.json /etc/wpa_supplicant/wpa_supplicant-wlan0.conf
/etc/postfix/sasl_passwd /etc/postfix/sasl_passwd.db /etc/msmtprc /home/a/.msmtprc
/etc/mosquitto/passwd /opt/mosquitto/passwords /etc/nut/upsd.users /root/.vault-token
/etc/credstore/db /etc/credstore.encrypted/db /etc/luks-keys/root /srv/luks_root.key
/etc/luks/any /boot/crypto_keyfile.bin /home/a/.config/sops/age/keys.txt
/srv/age-key.bin /etc/cryptsetup-keys.d/data
/etc/apt/auth.conf /etc/apt/auth.conf.d/90-x.conf /etc/mysql/debian.cnf
/etc/davfs2/secrets /etc/exim4/passwd.client /home/a/.local/share/keyrings/login.keyring
/home/a/.config/gh/hosts.yml /home/a/.mozilla/firefox/p/logins.json
/var/lib/tailscale/tailscaled.state /etc/rancher/k3s/k3s.yaml
/var/lib/rancher/k3s/server/token /etc/ipsec.d/private/a.der
""".split()


@pytest.mark.parametrize("path", SECRET)
def test_place_is_secret(path: str) -> None:
    """Also where there is none yet."""
    assert code_of(f"cat {path}") == "secret"


@pytest.mark.parametrize(
    "path",
    "/etc/passwd /srv/environment /srv/config.json /etc/mosquitto/mosquitto.conf"
    " /srv/shadowing.txt /srv/keys /etc/apt/sources.list /etc/exim4/exim4.conf"
    " /etc/nut/ups.conf /srv/id_rsa.pub".split(),
)
def test_place_is_none(path: str) -> None:
    """What only resembles one."""
    assert code_of(f"cat {path}") == "accepted"


RUNS = """
python3.11 python3.13t python3-dbg pypy3.10 bash5 bash-static rbash ksh93 gawk-5.1
perl5.36.0 perl5.36-x86_64-linux-gnu vim.tiny vim.basic vim.gtk3 view ex rvim editor
pager sudoedit busybox.static pwsh tclsh8.6 lua5.4 ruby3.1 php8.2 prlimit choom setarch
linux64 capsh runcon cpulimit fakeroot fakeroot-sysv systemd-cat dbus-run-session gosu
su-exec tini dumb-init ts chronic ifne pee zargs gmake gdbserver pdb3 irb irb3.1
nc.openbsd x86_64-linux-gnu-python3.11 ld-linux-x86-64.so.2 PYTHON3
""".split()


@pytest.mark.parametrize("name", RUNS)
def test_version_and_variant_cannot_be_listed(name: str) -> None:
    """In neither list, and a policy made in another way does not run it either."""
    for key in ("device_cmd_unchecked", "device_cmd_allowlist"):
        with pytest.raises(ValidationError, match="can never be allowed"):
            Config.model_validate({key: [name]})
    policy = Policy(unchecked=frozenset({name}))
    assert code_of(f"{name} x", policy) == "no_grammar"


@pytest.mark.parametrize(
    "name",
    "sha256sum node_exporter timedatectl sensors showmount atop iotop manage tree hdparm"
    " upsc storcli64 lspci exiftool envsubst redis-cli mytool ethtool ncdu".split(),
)
def test_other_name_may_be_listed(name: str) -> None:
    """That a name begins like a shell's makes it none; nor is a grammar's one."""
    assert Config(device_cmd_unchecked=[name]).device_cmd_unchecked == [name]
    assert not any(map(runs_words, GRAMMARS))


@pytest.mark.parametrize(
    ("real", "code"),
    [("vim.basic", "no_grammar"), ("python3.11", "no_grammar"), ("busybox", "accepted"),
     ("busybox-static", "accepted"), ("tool-2.1", "accepted")],
)  # fmt: skip
def test_real_file_of_a_link_counts(tmp_path: Path, real: str, code: str) -> None:
    """Unless it is many programs, of which the name says one."""
    (tmp_path / real).write_bytes(b"x")
    (tmp_path / real).chmod(0o755)
    (tmp_path / "plain").symlink_to(real)
    owners = frozenset({0, os.geteuid()})
    programs = Programs(path=(str(tmp_path),), owners=owners, markers=MARKERS)
    policy = Policy(unchecked=frozenset({"plain"}), programs=programs)
    assert code_of("plain x", policy) == code


@pytest.mark.parametrize("option", ["-r", "-R"])
def test_search_leaves_out_other_names_of_a_secret(tmp_path: Path, option: str) -> None:
    """A hard link to a fixed file, and to one right in a fixed folder."""
    keys, data = tmp_path / "keys", tmp_path / "data"
    keys.mkdir()
    data.mkdir()
    for file in (keys / "one", tmp_path / "two", data / "plain"):
        file.write_text("x")
    os.link(keys / "one", data / "first")
    os.link(tmp_path / "two", data / "second")
    os.link(data / "plain", data / "third")
    fixed = (str(keys), str(tmp_path / "two"))
    policy = Policy(places=Places(fixed=fixed))
    argv = plan_of(f"grep {option} x {data}", policy).stages[0].argv
    assert sorted(argv[5:]) == [f"{data}/plain", f"{data}/third"]
    assert code_of(f"cat {data}/first", policy) == "secret"


@pytest.mark.parametrize(
    "pattern", ["way/keys", "way/keys/*", "way/k*", "*/in/key.txt"]
)
def test_denied_pattern_holds_behind_links(tmp_path: Path, pattern: str) -> None:
    """Whichever way leads to what it means."""
    (tmp_path / "real/keys/in").mkdir(parents=True)
    (tmp_path / "real/keys/in/key.txt").write_text("x")
    (tmp_path / "way").symlink_to("real")
    (tmp_path / "deep").symlink_to("real/keys")
    policy = Policy.from_config(Config(read_deny=[f"{tmp_path}/{pattern}"]))
    for way in ("real/keys", "way/keys", "deep"):
        assert code_of(f"cat {tmp_path}/{way}/in/key.txt", policy) == "secret"
    assert code_of(f"cat {tmp_path}/real/other", policy) == "accepted"


MOUNTS = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 27 0:21 / /host/proc ro shared:1 - proc proc rw
31 30 0:21 /sys /host/a\040b ro - proc proc rw
32 27 0:6 / /host/dev ro - devtmpfs udev rw
33 27 0:7 / /host/debug ro - debugfs debugfs rw
34 27 0:8 / /host/hidden ro - proc proc rw
35 27 0:9 / /host/hidden ro - tmpfs tmpfs rw
"""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("cat /host/proc/1/environ", "secret"),
        ("cat /host/proc/kcore", "secret"),
        ("cat /host/proc/sysrq-trigger", "device"),
        ("cat /host/proc/meminfo", "accepted"),
        ("cat '/host/a b/kernel/random/uuid'", "secret"),
        ("cat /host/dev/sda", "device"),
        ("cat /host/debug/tracing/trace_pipe", "device"),
        ("cat /host/hidden/1/environ", "accepted"),
        ("cat /host/process", "accepted"),
        ("cat /proc/1/environ", "secret"),
    ],
)
def test_kernels_files_are_known_wherever_they_are(
    tmp_path: Path, line: str, code: str
) -> None:
    """By the table of mounts, not by their names."""
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    places = Places(mounts=Mounts(table=str(table)))
    assert code_of(line, Policy(places=places)) == code


def test_tree_with_a_proc_in_it_is_not_searched(tmp_path: Path) -> None:
    """Wherever that is mounted."""
    (tmp_path / "host/proc").mkdir(parents=True)
    table = tmp_path / "mountinfo"
    table.write_text(f"1 2 0:1 / {tmp_path}/host/proc rw - proc proc rw\n")
    places = Places(mounts=Mounts(table=str(table)))
    policy = Policy(places=places)
    assert code_of(f"grep -r x {tmp_path}/host", policy) == "secret"
    assert code_of(f"grep -R x {tmp_path}/host", policy) == "secret"


async def test_command_cannot_take_all_memory() -> None:
    """Nor what it starts; we ourselves are not limited by it."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    greedy = "x = bytearray(2 * 1024**3); print(len(x))"
    outcome = await execute(plan(greedy), Bounds(timeout=60))
    assert outcome.stdout == ""
    assert "MemoryError" in outcome.stderr
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    modest = await execute(plan("print(len(bytearray(2**20)))"), Bounds(timeout=60))
    assert modest.stdout == "1048576\n"


@pytest.mark.parametrize("value", [True, False])
def test_seconds_are_no_boolean(value: bool) -> None:
    """YAML's ``yes`` is not one second."""
    with pytest.raises(ValidationError, match="is no number of seconds"):
        Config.model_validate({"limits": {"timeout": value}})


def test_fifo_as_configuration_is_told(tmp_path: Path) -> None:
    """It is not waited for."""
    os.mkfifo(tmp_path / "waiter.yaml")
    with pytest.raises(ConfigError, match="is no file"):
        load_config(tmp_path / "waiter.yaml")

"""Which places are secret, one by one, and how folders are looked through."""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import tempfile

import pytest

from homeagent_waiter.gate.grammar import Parsed
from homeagent_waiter.gate.grammars import GRAMMARS
from homeagent_waiter.gate.places import Places
from homeagent_waiter.gate.refused import RefusedError
from homeagent_waiter.gate.secret_names import FIXED, within
from homeagent_waiter.gate.walk import MOST_BYTES, MOST_ENTRIES, spelled_out

PLACES = Places()
KEYS = "no place of keys, passwords or tokens"


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [
        ("/a", "/a", True),
        ("/a/b", "/a", True),
        ("/a/b/c", "/a", True),
        ("/a/b", "/a/", True),
        ("/a", "/", True),
        ("/ab", "/a", False),
        ("/", "/a", False),
        ("/a", "/a/b", False),
        ("/b/a", "/a", False),
        ("/aX/b", "/aX", True),
        ("/a/b", "/aX", False),
    ],
)
def test_within(path: str, folder: str, inside: bool) -> None:
    """A folder is within itself; a longer name is not."""
    assert within(path, folder) is inside


@pytest.mark.parametrize("place", FIXED)
def test_fixed_place_is_secret(place: str) -> None:
    """It, and whatever is in it; not what only begins like it."""
    assert PLACES.secret(place)
    assert PLACES.secret(f"{place}/x")
    if not PLACES.secret(f"/{Path(place).name}x"):
        assert not PLACES.secret(f"{place}x")


@pytest.mark.parametrize(
    "name",
    ".ssh .gnupg .aws .azure .kube .storage .env .env.local my.env my.key a.pfx a.p12"
    " a.jks a.kdbx a.keytab a.ovpn id_rsa id_rsa.bak id_dsa id_ecdsa id_ed25519"
    " ssh_host_rsa_key privkey1.pem my-key.pem my-credentials.txt .bash_history .netrc"
    " .pgpass .my.cnf .htpasswd .git-credentials .pypirc .npmrc secrets.yaml secrets.yml"
    " secrets.json smbpasswd passdb.tdb secrets.tdb shadow gshadow rclone.conf"
    " wp-config.php ID_RSA Secrets.YAML".split(),
)
def test_name_is_secret_anywhere(name: str) -> None:
    """As a file, as a folder, at the top and deep down, in any case."""
    for path in (f"/{name}", f"/srv/{name}", f"/srv/{name}/x", f"/a/b/c/{name}/d/e"):
        assert PLACES.secret(path), path


@pytest.mark.parametrize(
    "path",
    "/ / /etc /etc/hosts /srv/id_rsa.pub /srv/ssh_host_rsa_key.pub /srv/environment"
    " /srv/ssh /srv/history /srv/cert.crt /srv/shadows /srv/env /srv/keyboard".split(),
)
def test_name_beside_it_is_not(path: str) -> None:
    """Public keys, and what only looks like a secret."""
    assert not PLACES.secret(path)


def test_pattern_of_the_owner_covers_what_is_below() -> None:
    """It is held against the whole path and all folders above."""
    places = Places(patterns=("/srv/p*", "*.bak"))
    for path in ("/srv/p", "/srv/private/a/b", "/x/a.bak", "/x/a.bak/y"):
        assert places.secret(path)
    for path in ("/srv", "/srv/q", "/x/a.bakery", "/x/srv/p"):
        assert not places.secret(path)


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """A folder with a file of two names, one of them fixed, and ways to things."""
    for name in ("secret", "plain", "other"):
        (tmp_path / name).write_text(name)
    os.link(tmp_path / "secret", tmp_path / "hard")
    os.link(tmp_path / "other", tmp_path / "other2")
    (tmp_path / "folder").mkdir()
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "cpu").symlink_to("/proc/cpuinfo")
    (tmp_path / "trace").symlink_to("/sys/kernel/tracing")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "id_rsa").write_text("x")
    (tmp_path / "harmless").symlink_to("id_rsa")
    (tmp_path / "id_dsa").symlink_to("plain")
    (tmp_path / "disk").symlink_to("/dev/no-such-disk")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def judged(places: Places, check: str, text: str) -> str | None:
    """Return code, word and hint of a refusal."""
    try:
        getattr(places, f"check_{check}")(text)
    except RefusedError as refused:
        refusal = refused.refusal
        return f"{refusal.code} {refusal.token}: {refusal.hint}"
    return None


@pytest.mark.parametrize(
    ("check", "name", "told"),
    [
        ("list", "plain", None),
        ("list", "folder", None),
        ("list", "missing", None),
        ("list", "hard", None),
        ("list", "secret", f"secret secret: {KEYS}"),
        ("list", "folder/../secret", f"secret folder/../secret: {KEYS}"),
        ("list", "null", "device null: no device; what is in /dev is never read"),
        ("read", "plain", None),
        ("read", "other", None),
        ("read", "missing", None),
        ("read", "secret", f"secret secret: {KEYS}"),
        ("read", "hard", f"secret hard: {KEYS}"),
        ("read", "trace", "device trace: no debugging interface of the kernel"),
        ("read", "loop", None),
        (
            "read",
            "fifo",
            "device fifo: a file; this is a device, a FIFO or a socket",
        ),
        ("list", "fifo", None),
        ("tree", "folder", None),
        ("tree", "hard", f"secret hard: {KEYS}"),
        ("tree", ".", "secret .: another folder; {}/secret is in it"),
        ("tree", "/", "secret /: another folder; /no/such/place is in it"),
        ("tree", "/dev", "device /dev: no device; what is in /dev is never read"),
        ("block", "/dev/no-such-disk", None),
        ("block", "/dev/null", "device /dev/null: a block device such as /dev/sda"),
        ("block", "/dev", "device /dev: a block device such as /dev/sda"),
        ("block", "plain", "device plain: a block device such as /dev/sda"),
        ("block", "missing", "device missing: a block device such as /dev/sda"),
        ("block", "disk", "device disk: a block device such as /dev/sda"),
        ("block", "null", "device null: a block device such as /dev/sda"),
        ("block", "/dev/../etc", "device /dev/../etc: a block device such as /dev/sda"),
    ],
)
def test_place_is_judged_for_its_use(
    host: Path, check: str, name: str, told: str | None
) -> None:
    """Relative to the folder of the waiter, after all links, with its other names."""
    fixed = ("/no/such/place", f"{host}/secret")
    places = Places(fixed=fixed, folder=str(host))
    assert judged(places, check, name) == (told and told.format(host))


def test_no_tree_holds_the_kernel() -> None:
    """Also where nothing else is secret."""
    told = "secret /: another folder; /proc is in it"
    assert judged(Places(fixed=()), "tree", "/") == told


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("/a/../b", "/b"),
        ("//a//b/", "/a/b"),
        ("a", "/srv/a"),
        ("../a", "/a"),
        ("/X/a", "/X/a"),
        (".", "/srv"),
        ("/", "/"),
    ],
)
def test_path_is_made_absolute(text: str, written: str) -> None:
    """From the folder of the waiter, with one slash."""
    assert Places(folder="/srv").resolved(text)[0] == written


@pytest.mark.parametrize(
    ("name", "hidden", "kernel"),
    [
        ("plain", False, False),
        ("missing", False, False),
        ("other", False, False),
        ("secret", True, False),
        ("hard", True, False),
        ("harmless", True, False),
        ("id_dsa", True, False),
        ("secret/x", True, False),
        ("null", False, True),
        ("cpu", False, True),
        ("/devices", False, False),
        ("plain\0", False, False),
    ],
)
def test_word_that_may_be_a_path(
    host: Path, name: str, hidden: bool, kernel: bool
) -> None:
    """What hides a secret, and what leads into the kernel."""
    places = Places(fixed=("/no/such/place", f"{host}/secret"), folder=str(host))
    assert places.hides(name) is hidden
    if "\0" not in name:
        assert places.kernel(name) is kernel


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/proc", "device"),
        ("/proc/interrupts", "device"),
        ("/proc/net/tcp", "device"),
        ("/proc/1/cmdline", "secret"),
        ("/proc/self/environ", "secret"),
        ("/proc/thread-self/environ", "secret"),
        ("/proc/kcore", "secret"),
        ("/proc/keys", "secret"),
        ("/proc/key-users", "secret"),
        ("/proc/sys/kernel/random/uuid", "secret"),
        ("/proc/sys/kernel/hostname", "device"),
        ("/dev/stdin", "device"),
        ("/dev/shm/x", "device"),
        ("/sys/kernel/debug", "device"),
        ("/sys/kernel/tracing/trace", "device"),
        ("/sys/fs/pstore/x", "device"),
        ("/sys/class/net", "None"),
        ("/proc/cpuinfo", "None"),
        ("//proc//cpuinfo", "None"),
        ("//etc//shadow", "secret"),
        ("/devices", "None"),
    ],
)
def test_kernel_interfaces(path: str, code: str) -> None:
    """Of /proc what is listed, of /dev nothing, of /sys no debugging."""
    assert str(judged(PLACES, "list", path)).split(" ")[0] == code


@pytest.fixture
def tree() -> Iterator[Path]:
    """A folder whose own path has no name that looks like a secret."""
    with tempfile.TemporaryDirectory(prefix="plain-") as folder:
        yield Path(folder)


def grep(places: Places, *words: str) -> tuple[list[str], list[str]]:
    """Return what becomes of a line of grep, and what is left out."""
    parsed = GRAMMARS["grep"].usual.parse(words)
    return spelled_out(["grep", *words], parsed, places)


def grow(folder: Path, *names: str) -> None:
    """Make files, with the folders above them."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")


@pytest.mark.parametrize(
    ("words", "argv"),
    [
        ("-r x", "grep -r -H -- x ./a ./b/c"),
        ("-r x .", "grep -r -H -- x ./a ./b/c"),
        ("-r x b", "grep -r x b"),
        ("-r x b .", "grep -r -H -- x b/c ./a ./b/c"),
        ("-rn x a .", "grep -r -n -H -- x a ./a ./b/c"),
        ("-rh x .", "grep -r -h -- x ./a ./b/c"),
        ("-r --no-filename x .", "grep -r --no-filename -- x ./a ./b/c"),
        ("-r -e x .", "grep -r -e x -H -- ./a ./b/c"),
        ("-r --regexp=x .", "grep -r --regexp=x -H -- ./a ./b/c"),
        ("-r --regexp x .", "grep -r --regexp=x -H -- ./a ./b/c"),
        ("-rm1 -5 x .", "grep -r -m 1 -5 -H -- x ./a ./b/c"),
        ("-r --exclude-dir=b x .", "grep -r --exclude-dir=b -H -- x ./a"),
        ("-r --exclude-dir=b/ x .", "grep -r --exclude-dir=b/ -H -- x ./a"),
        ("-r --exclude-dir=[ab] x .", "grep -r --exclude-dir=[ab] -H -- x ./a"),
        ("-r --color x .", "grep -r --color -H -- x ./a ./b/c"),
        ("-r x missing", "grep -r x missing"),
        ("-r x keys", "grep -r -H -- x /dev/null"),
        ("-r x b/", "grep -r x b/"),
        ("-r x ./", "grep -r -H -- x ./a ./b/c"),
        ("x .", "grep x ."),
    ],
)
def test_folder_with_a_secret_is_spelled_out(tree: Path, words: str, argv: str) -> None:
    """All other files by name, in order, with the options as they were."""
    grow(tree, "a", "b/c", ".env", "keys/id_rsa")
    (tree / "b/link").symlink_to("../a")
    spelled, left_out = grep(Places(folder=str(tree)), *words.split())
    assert spelled == argv.split()
    folders = {"./keys/id_rsa", "keys/id_rsa", "./.env"}
    assert set(left_out) <= folders
    assert bool(left_out) is ("--" in argv.split())


def test_only_folders_that_are_named_are_left_out(tree: Path) -> None:
    """Not those that are called like another option's value."""
    grow(tree, ".env", "5/a", "X/b", "leaveX/c")
    spelled, _ = grep(
        Places(folder=str(tree)), "-r", "-m", "5", "--exclude-dir=leaveX", "x", "."
    )
    assert sorted(spelled[-2:]) == ["./5/a", "./X/b"]
    assert "./leaveX/c" not in spelled


@pytest.mark.parametrize("option", ["-R", "--dereference-recursive"])
def test_links_are_followed_only_where_asked(tree: Path, option: str) -> None:
    """With -R what they lead to counts, and each folder is seen once."""
    grow(tree, "a", "b/c", ".env", "far/d")
    (tree / "b/up").symlink_to("..")
    (tree / "b/leak").symlink_to("../.env")
    (tree / "b/file").symlink_to("../a")
    (tree / "b/proc").symlink_to("/proc")
    (tree / "b/lost").symlink_to("nowhere")
    places = Places(folder=str(tree))
    assert grep(places, "-r", "x", "b") == (["grep", "-r", "x", "b"], [])
    spelled, left_out = grep(places, option, "x", "b")
    assert spelled[:5] == ["grep", option, "-H", "--", "x"]
    assert sorted(spelled[5:]) == ["b/c", "b/file", "b/up/a", "b/up/far/d"]
    assert sorted(left_out) == ["b/leak", "b/proc", "b/up/.env"]


def test_nothing_to_look_through() -> None:
    """Without a folder the words stay as they are."""
    assert spelled_out(["grep", "x"], Parsed(), PLACES) == (["grep", "x"], [])


def test_names_that_would_not_fit_are_refused(tree: Path) -> None:
    """A line has a longest; the folder is named, and what would be right."""
    grow(tree, ".env")
    deep = tree / ("d" * 250) / ("d" * 250) / ("d" * 250)
    deep.mkdir(parents=True)
    for number in range(MOST_BYTES // 1000 + 1):
        (deep / f"{number:0>250}").touch()
    with pytest.raises(RefusedError) as refused:
        grep(Places(folder=str(tree)), "-r", "x", ".")
    refusal = refused.value.refusal
    told = (refusal.code, refusal.token, refusal.hint)
    hint = "a smaller folder; there are secrets in this one"
    assert told == ("count", ".", hint)
    (tree / ".env").unlink()
    assert grep(Places(folder=str(tree)), "-r", "x", ".")[1] == []


@pytest.mark.parametrize("more", [0, 1])
def test_entries_are_counted_over_all_folders(tree: Path, more: int) -> None:
    """As many as are allowed pass, one more does not."""
    for folder in ("a", "b"):
        (tree / folder).mkdir()
        for number in range(MOST_ENTRIES // 2 - 1 + (more if folder == "b" else 0)):
            (tree / folder / str(number)).touch()
    places = Places(folder=str(tree))
    if not more:
        assert grep(places, "-r", "x", ".")[1] == []
        return
    with pytest.raises(RefusedError) as refused:
        grep(places, "-r", "x", ".")
    refusal = refused.value.refusal
    assert (refusal.code, refusal.token) == ("count", ".")
    assert refusal.hint == "a folder with at most 10000 entries in it"

"""Options that do harm, disguised: prefixes, bundles, quotes, other places.

From each command's refused options every form is made that its program might still
understand as that option; none may pass.
"""

from __future__ import annotations

from collections.abc import Iterator
import itertools

from conftest import code_of
import pytest

# Command: letters that are refused, long names that are refused, and words that make
# the rest of the line acceptable.
HARMFUL = {
    "sort": ("oST", "output compress-program files0-from random-source parallel"
             " temporary-directory buffer-size batch-size", "-r", "f"),
    "sed": ("if", "in-place file", "-n", "p f"),
    "grep": ("Pf", "perl-regexp file exclude-from", "-n", "x f"),
    "tail": ("fFs", "follow retry pid sleep-interval max-unchanged-stats", "-q", "f"),
    "date": ("sf", "set file", "-u", "+%F"),
    "du": ("X", "exclude-from files0-from", "-h", "f"),
    "wc": ("", "files0-from", "-l", "f"),
    "file": ("mfCzZspPScd", "magic-file files-from compile uncompress special-files"
             " preserve-date parameter no-sandbox", "-b", "f"),
    "df": ("", "sync", "-h", "/"),
    "hostname": ("Fb", "file boot", "-f", ""),
    "mount": ("aBMRoOTNLUmwrfiFcn", "all bind move rbind options test-opts fstab"
              " namespace source target mkdir make-shared fake fork", "-l", ""),
    "dmesg": ("CcDEFHnwWs", "clear read-clear console-off console-on file human"
              " console-level follow follow-new buffer-size", "-T", ""),
    "lsblk": ("", "sysroot", "-f", ""),
    "ss": ("DEFKNr", "diag events filter kill net resolve", "-t", ""),
    "netstat": ("c", "continuous", "-n", ""),
    "journalctl": ("DMfgi", "directory file root image machine namespace follow grep"
                   " vacuum-size vacuum-time vacuum-files rotate flush sync"
                   " relinquish-var smart-relinquish-var setup-keys update-catalog"
                   " cursor-file", "-q", ""),
    "systemctl": ("HMrifs", "host machine root image now force runtime global"
                  " recursive wait", "-l", "status"),
    "smartctl": ("tXCsSoBFPr", "test abort captive smart set saveauto offlineauto"
                 " drivedb firmwarebug presets report", "-i", "/dev/sda"),
    "mdadm": ("", "stop fail remove add config create grow assemble", "-D", "/dev/md0"),
    "top": ("", "secure", "-b -n1", ""),
    "last": ("fd", "file dns", "-x", ""),
    "who": ("", "lookup", "-b", ""),
    "ping": ("fblpNRA", "flood", "-c 1", "192.0.2.1"),
    "dig": ("fkybpmi", "file", "-4", "example.org"),
    "lsof": ("rDkmAeOSKEoxZMCfV", "repeat", "-n", "/srv"),
    "iostat": ("gf", "group", "-x", "sda"),
    "ip": ("bnaBrlt", "batch netns all force resolve", "-4", "addr"),
    "zpool status": ("c", "command", "-v", "tank"),
    "zpool iostat": ("c", "command", "-v", "tank"),
    "zpool events": ("fc", "follow clear", "-v", "tank"),
    "docker ps": ("HDc", "host context config tls tlscacert debug log-level", "-a", ""),
    "docker logs": ("fH", "follow details host", "-t", "web"),
    "docker stats": ("H", "host config", "--no-stream -a", "web"),
    "docker top": ("eo", "host", "", "web"),
    "docker images": ("H", "host", "-a", ""),
    "docker volume ls": ("H", "cluster", "-q", ""),
}  # fmt: skip


# Beginnings of harmful names that are harmless options in full.
HARMLESS = frozenset({"--exclude", "--exclude=/tmp/x", "--cursor", "--cursor=/tmp/x"})


def _forms(command: str) -> Iterator[str]:
    letters, long_names, allowed, rest = HARMFUL[command]
    for letter in letters:
        one = f"-{letter}"
        written = [one, f"'{one}'", f'"{one}"', f"-'{letter}'", f"'-'{letter}",
                   f"\\-{letter}", f"-\\{letter}"]  # fmt: skip
        last = (allowed.split() or ["-"])[-1]
        bundles = [
            f"{one}/tmp/x",
            f"{one} /tmp/x",
            f"{last}{letter}",
            f"-{letter}{last[1:]}",
        ]
        for form in [*written, *bundles]:
            yield f"{command} {allowed} {form} {rest}"
            yield f"{command} {allowed} {rest} {form}"
    for name in long_names.split():
        full = f"--{name}"
        prefixes = [full[:length] for length in range(4, len(full) + 1)]
        for form in prefixes:
            for value in ("", "=/tmp/x", " /tmp/x"):
                yield f"{command} {allowed} {form}{value} {rest}"
            yield f"{command} {allowed} {rest} {form}"
        yield f"{command} {allowed} '{full}' {rest}"
        yield f"{command} {allowed} --'{name}' {rest}"
        yield f'{command} {allowed} {full[:4]}"{full[4:]}" {rest}'
        yield f"{command} {allowed} {full[:3]}\\{full[3:]} {rest}"


@pytest.mark.parametrize("command", sorted(HARMFUL))
def test_disguised_option_is_refused(command: str) -> None:
    """No form of a harmful option passes."""
    lines = list(_forms(command))
    assert lines
    passed = [
        line
        for line in lines
        if code_of(line) == "accepted" and not HARMLESS.intersection(line.split(" "))
    ]
    assert passed == []


@pytest.mark.parametrize("command", sorted(HARMFUL))
def test_line_without_it_is_accepted(command: str) -> None:
    """It is the option that is refused, not the line."""
    _, _, allowed, rest = HARMFUL[command]
    assert code_of(f"{command} {allowed} {rest}") == "accepted"


FIND_ACTIONS = (
    "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -regex -iregex"
    " -regextype -files0-from -D"
).split()


@pytest.mark.parametrize("action", FIND_ACTIONS)
def test_find_action_is_refused_wherever_it_stands(action: str) -> None:
    """Behind tests, in brackets, negated, quoted and escaped."""
    forms = [
        action,
        f"'{action}'",
        f'"{action}"',
        f"\\{action}",
        f"{action[:2]}''{action[2:]}",
    ]
    places = ["find . {}", "find {}", "find . -name x {}", "find . {} x \\;",
              r"find . \( {} x \)", r"find . \! {}", "find -L . -type f -o {} x"]  # fmt: skip
    for form, place in itertools.product(forms, places):
        assert code_of(place.format(form)) in ("option", "operand"), place.format(form)
    assert code_of(f"find . -name '{action}'") == "accepted"

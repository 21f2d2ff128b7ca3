"""Regular expressions: how large they grow, and that what passes ends."""

from __future__ import annotations

from pathlib import Path
import re
import resource
import shlex

from conftest import code_of, plan_of
from programs import plan
import pytest

from homeagent_waiter.executor import Bounds, execute
from homeagent_waiter.gate.patterns import MOST, check_patterns, cost
from homeagent_waiter.gate.plan import Code
from homeagent_waiter.gate.refused import RefusedError
from homeagent_waiter.gate.sed_script import check_script


@pytest.mark.parametrize(
    ("pattern", "grows"),
    [
        ("", 0),
        ("abc", 0),
        ("a" * 4000, 0),
        (r"\.\\\w", 0),
        ("[a-z][.][^]{9}][[:alpha:].]", 0),
        ("a{5}", 4),
        ("a{2,5}", 4),
        ("a{,5}", 4),
        ("a{5,}", 5),
        ("a{0}", 0),
        ("a{1,2}{3}", 5),
        ("a*{3}?", 2),
        ("(a?){9}", 8),
        ("(a*){9}", 8),
        ("(ab{0}c){9}", 24),
        ("a{,}", 0),
        ("a{0,9999999999}", 999_999_998),
        ("a+", 1),
        (r"a\+", 1),
        ("((a+)+)+", 7),
        ("[^x]{9}", 8),
        (r"\.{9}", 8),
        ("é{3}", 5),
        (".", 4),
        ("^$", 8),
        (".{9}", 44),
        ("ab{9}", 8),
        ("(ab){9}", 16),
        (r"\(ab\)\{9\}", 16),
        (r"ab\{9\}", 8),
        ("(ab){9}(c){9}", 24),
        ("((a{9}){9}){9}", 728),
        (r"\(\(a\{9\}\)\{9\}\)\{9\}", 728),
        # A group of the other dialect neither opens nor closes one of this.
        (r"(a{9}\(b){9}", 96),
        (r"(a{9}\)b){9}", 96),
        ("(a{9}[(]b){9}", 96),
        (r"\(a\{9\}(b\)\{9\}", 96),
        # What closes nothing may have closed all.
        ("a{9})b{9}", 16),
        ("a{9}){9}", 80),
        ("a|{9}b", 0),
        ("(|{9}b", 0),
        ("({9}b)", 0),
        ("{9}a", 0),
        ("+a", 0),
        ("a{", 0),
        ("a{9", 0),
        ("a{9}" + "{9}" * 4, 9**5 - 1),
        ("a{999999999999}", 999_999_998),
        ("a{000000000200}", 199),
        ("a{000000000200,}", 200),
        ("(a{0000000000200}){0000000000200}", 200**2 - 1),
        ("[一二]{3}", 17),
        ("[^é]{3}", 5),
        ("[一-二]{3}", 317),
        (r"([0-9]{1,3}\.){3}[0-9]{1,3}", 12),
        ("\udc80{3}", 2),
    ],
)  # fmt: skip
def test_pattern_grows(pattern: str, grows: int) -> None:
    """By its repetitions, in the dialect in which it grows more."""
    assert cost(pattern) == grows


def test_patterns_of_one_command_count_together() -> None:
    """As much as is allowed passes; the one that is too much is named."""
    check_patterns([f"a{{{MOST + 1}}}"])
    check_patterns(["b{1001}", "c{1001}"])
    with pytest.raises(RefusedError) as refused:
        check_patterns(["b{1001}", "c{1001}", "a+"])
    refusal = refused.value.refusal
    hint = "patterns whose repetitions come to at most 2000, a . counted 5"
    assert (refusal.code, refusal.token, refusal.hint) == ("count", "a+", hint)


LINES = r"""
count    grep '.\{0,1000\}' f
count    grep -E 'a{0,4900}b' f
count    grep -e 'a\{1000\}' -e 'b\{1000\}' --regexp='c\{1000\}' f
count    grep -E '((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+' f
count    sed -E -n '/a{1000}/p;/b{1000}/p;s/c{1000}/d/' f
count    sed -n -e '/a\{1500\}/p' --expression='/b\{1500\}/p' f
count    sed -E 's.a\.{0,500}.x.' f
count    sed -E 's,a{1\,1500}(b{1\,900}),x,' f
count    sed -E -n '\|((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+|p' f
count    nl -b 'pa\{1500\}' -h 'pa\{1500\}' f
count    tac -s 'a\{3000\}' f
accepted grep '.\{0,300\}' f
accepted grep -oE '.{0,150}error.{0,150}' f
accepted grep -e 'a\{900\}' -e 'b\{900\}' f
accepted sed -E -n '/a{600}/p;/b{600}/p;s/c{600}/d{9999}/' f
accepted nl -b 'pa\{900\}' -h 'pa\{900\}' f
accepted nl -b a -h n f
accepted ls -I 'a{9999}' f
option   nl -b x f
option   nl -b '' f
""".strip().splitlines()


@pytest.mark.parametrize("row", LINES)
def test_line(row: str) -> None:
    """Of grep, sed, nl and tac, in whichever option a pattern stands."""
    code, line = row.split(maxsplit=1)
    assert code_of(line) == code


def _largest(shape: str) -> str:
    """Return the largest pattern of a shape that may pass; ``@`` is its number."""
    least, most = 1, MOST + 1
    while least < most:
        middle = (least + most + 1) // 2
        if cost(shape.replace("@", str(middle))) <= MOST:
            least = middle
        else:
            most = middle - 1
    return shape.replace("@", str(least))


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("grep -E {} f", ".{0,@}x"),
        ("grep -iwE {} f", "a{1,@}b"),
        ("grep -E {} f", "^{0,@}b"),
        ("grep -iwE {} f", r"\w{0,@}.(a|b){0,@}z"),
        ("sed -nE {} f", "[^x]{@,}b"),
        ("sed -nE {} f", "(.?){@,}b"),
        ("sed -nE {} f", "(.{1,9}){0,@}z"),
    ],
)
async def test_largest_pattern_ends(tmp_path: Path, line: str, shape: str) -> None:
    """Of the real programs, long before the kernel would end them."""
    pattern = _largest(shape)
    assert cost(pattern) > MOST * 0.9
    (tmp_path / "f").write_text("hello world\n")
    word = shlex.quote(f"/{pattern}/p" if line.startswith("sed") else pattern)
    words = line.format(word).removesuffix(" f")
    accepted = plan_of(f"{words} {tmp_path}/f")
    outcome = await execute(accepted, Bounds(timeout=60))
    assert not outcome.timed_out
    assert outcome.exit_code in (0, 1), outcome.stderr


TELLS = """
import resource
limits = (-1, -1)
while limits[0] == resource.RLIM_INFINITY:
    limits = resource.getrlimit(resource.RLIMIT_CPU)
print(*limits)
"""


async def test_command_cannot_compute_for_ever() -> None:
    """The kernel ends it soon after its time, also where nobody else does."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    outcomes = [await execute(plan(TELLS), Bounds(timeout=each)) for each in (30, 40.5)]
    assert [outcome.stdout for outcome in outcomes] == ["31 32\n", "42 43\n"]
    assert resource.getrlimit(resource.RLIMIT_CPU) == before


async def test_pattern_whose_search_never_ends_is_stopped(tmp_path: Path) -> None:
    """Backreferences can take any time with any size; then the time limit counts."""
    (tmp_path / "f").write_text("a" * 5000 + "x\n")
    line = rf"grep -E '(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5(.)\6x' {tmp_path}/f"
    outcome = await execute(plan_of(line), Bounds(timeout=0.5, patience=0.3))
    assert outcome.timed_out
    assert re.fullmatch(r"-(9|15)", str(outcome.exit_code))


@pytest.mark.parametrize(
    ("script", "patterns"),
    [
        ("p", []),
        ("/a{2}/p", ["a{2}"]),
        (r"/a/,\,b\,c,p;s/d\/e/f/g", ["a", "b,c", "d/e"]),
        (r"s.a\.b.c.", ["a.b"]),
    ],
)
def test_patterns_of_a_script_are_found(script: str, patterns: list[str]) -> None:
    """As the program reads them, without the backslash of a delimiter."""
    assert check_script(script, Code.OPERAND) == patterns

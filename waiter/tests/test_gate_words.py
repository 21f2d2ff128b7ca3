"""What values may be, what hosts may be asked, what scripts of sed may say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homeagent_waiter.gate.hosts import check_host, is_address
from homeagent_waiter.gate.plan import Code
from homeagent_waiter.gate.refused import RefusedError
from homeagent_waiter.gate.sed_script import check_script
from homeagent_waiter.gate.values import (
    Kind,
    Value,
    choice,
    listed,
    matching,
    number,
    size,
)


def judged(value: Value, text: str) -> str:
    """Return the code of a refused value, or ``ok``."""
    try:
        value.judge(text, Code.OPTION, "token")
    except RefusedError as refused:
        return f"{refused.refusal.code} {refused.refusal.token}"
    return "ok"


@pytest.mark.parametrize(
    ("make", "what", "good", "too_much", "wrong"),
    [
        (
            lambda: number(1, 60),
            "a number from 1 to 60",
            "1 60 060",
            "0 61 99999999999999999999 -5 1.5 .5 -1.5 61.",
            "a 1a ' ' \u0661 1e3 X1 1X .",
        ),
        (
            lambda: number(0.2, 30, decimal=True),
            "a number from 0.2 to 30",
            "0.2 .5 30 30.0 .200000",
            "0.1 30.1 0 1.0000000 +1",
            "a . 1..2 \u0661 X1",
        ),
        (
            lambda: number(0, 5, signs="-"),
            "a number from 0 to 5",
            "5 -5 0 -0",
            "6 -6 +5",
            "--5 - X5 5-",
        ),
        (lambda: number(1, 9, signs="+-"), "a number from 1 to 9", "+9 -1", "+10", "+"),
        (
            lambda: size(1024),
            "a number up to 1024",
            "0 1024 +1024 -1024 1K 2b 1kB 1k 1KiB",
            "1025 2K 1M 1T +2K 3b 2kB 2KiB 9999999999999999",
            "K 1x 1KK \u0663 X1 1X 1i",
        ),
        (
            lambda: size(2 * 1024**3),
            "a number up to 2147483648",
            "2G 2GB 2048M 2GiB 2147483648 2000m 2MB 2MiB",
            "3G 2147483649 1P 3GB 3GiB 1E 1Z 1Y 2049M",
            "2g 1p",
        ),
        (
            lambda: size(9, signs="+"),
            "a number up to 9",
            "+9 9 0",
            "-9 +10",
            "+ -",
        ),
        (lambda: choice("b a"), "one of a, b", "a b", "", "c ab A"),
        (lambda: choice(["b", "a c"]), "one of a c, b", "b", "", "a c"),
        (
            lambda: listed("b a"),
            "a list with commas of a, b",
            "a b a,b b,a,b",
            "",
            "c a,c a, ,a a,,b",
        ),
        (lambda: matching("[ab]+", "letters"), "letters", "a ab", "", "c abc a\n"),
    ],
)
def test_value(
    make: Callable[[], Value], what: str, good: str, too_much: str, wrong: str
) -> None:
    """What fits, what is a number out of bounds, and what is no such thing."""
    value = make()
    assert value.what == what
    assert value.kind is None
    assert {judged(value, text) for text in good.split(" ")} == {"ok"}
    over = [judged(value, text) for text in too_much.split()]
    assert over == ["count token"] * len(over)
    none = [judged(value, text) for text in [*wrong.split(" "), ""]]
    assert none == ["option token"] * len(none)


def test_value_may_name_something() -> None:
    """Then its words are judged by the places, too."""
    assert matching("a", "a", Kind.LIST).kind is Kind.LIST


@pytest.mark.parametrize(
    "host",
    "192.0.2.1 255.255.255.255 ::1 2001:db8::1 fe80::1%eth0 example.org EXAMPLE.org"
    " example.org. a.example.com a.b.example.net router.lan ROUTER.lan. _x.example.org"
    f" fe80::1%Eth0 {'a.' * 120}a.example.org".split(),
)
def test_host_may_be_asked(host: str) -> None:
    """Addresses, examples, and what the owner lists."""
    check_host(host, {"router.lan"})


@pytest.mark.parametrize(
    "host",
    ["host", "evil.test", "example.org.evil.test", "badexample.org", "x.router.lan", "lan",
     "127.1", "1", "0x7f.1", "192.0.2.1.", "192.0.2.256", "fe80::1%", "fe80::1%a b", "::1%$(x)",
     "-x.example.org", "x-.example.org", ".example.org", "a..example.org", "", ".", "@192.0.2.1",
     "a b.example.org", f"{'a' * 64}.example.org", f"{'a.' * 120}ab.example.org", "é.example.org",
     "192.0.2.1/24", "[::1]"],
)  # fmt: skip
def test_host_may_not_be_asked(host: str) -> None:
    """A name carries data to whoever answers for it."""
    assert not is_address(host)
    with pytest.raises(RefusedError) as refused:
        check_host(host, {"router.lan"})
    assert refused.value.refusal.code == "network"


@pytest.mark.parametrize(
    "script",
    ["", " ", ";", "p", "5p", "$p", "1,5p", "1,$d", "1~2p", "0,/a/p", "/a/,+3p", "/a/,~4d", "=",
     "n;d", "q", "q5", "q 5", "10q", "1!p", "1 ! p", "/a/I,/b/Mp", r"/a\/b/p", r"\,a,p",
     "s/a/b/", "s/a/b/g", "s/a/b/3gpiImM", "s|a|b|", "s,a,b,;p", "s/a/b/ ; s/c/d/", r"s/a/\//",
     r"s/\(a\)/\1/", "s/[[:space:]]*$//", "s/[^]]x/y/", "s/[]a]/y/", "s/a/[/", "s/w/e/",
     " 1 , 2 p ", "p;;p", "/w/p", "s/x/w f/"],
)  # fmt: skip
def test_script_that_shows(script: str) -> None:
    """Addresses and p d q = n s."""
    check_script(script, Code.OPERAND)


@pytest.mark.parametrize(
    "script",
    ["w f", "W f", "qw f", "qx", "q5x", "sXaXbX", "pw f", "dw f", "=w f", "nw f", "/a/Iw f", "q5w f", "s/a/b/gw", "r f", "R f", "e", "e id", "1e", "1,2e id", "/a/w f", "$!w f", "p;w f", ";w f", " ; ;w f", "p;;w f",
     "s/a/b/w f", "s/a/b/e", "s/a/b/ge", "s/a/b/gw f", "s/a/b/ w f", "s/a/b/we", "s,a,b,w f",
     "y/a/b/", "a x", "i x", "c x", "a\\", "l", "F", "z", "v", "Q", "N", "P", "D", "h", "H", "g",
     "G", "x", ":a", "ba", "ta", "T", "{p}", "{", "}", "p}", "#n", "p # x", "p p", "p1", "5",
     "1,", "1,p", ",2p", "+1p", "~2p", "1~p", "/a", "/a/,", "s", "s/a", "s/a/b", "s/a/b\\",
     "sxaxbx", "s a b ", "s;a;b;", "s\\a\\b\\", "snanbn", r"\na", "\\", "s/[/]/x/w f",
     "s/[[:a:]/]/p;s/a/g/", "s/[]/x/", "s/[^/x/", r"s/[\]/x/", "s/[[]/x/", "s/[[x]/y/",
     "/[/]/w f", "s:[[:alpha:]]:x:", "s/a/b/0", "s/a/b/gx", "!", "1!", "q1234567890123"],
)  # fmt: skip
def test_script_that_does_more(script: str) -> None:
    """Whatever reads, writes, runs, branches, or is read in different ways."""
    with pytest.raises(RefusedError) as refused:
        check_script(script, Code.OPTION)
    assert refused.value.refusal.code == "option"


def test_hint_says_what_is_allowed() -> None:
    """The refusal names what would be right."""
    with pytest.raises(RefusedError) as refused:
        number(1, 60).judge("x", Code.OPERAND, "x")
    assert refused.value.refusal.hint == "allowed is a number from 1 to 60"

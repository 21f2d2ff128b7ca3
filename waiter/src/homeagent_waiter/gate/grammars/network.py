"""Gate, accept-lists: programs that show the network. Data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import re

from ..grammar import NONE, Operands, Options, Parsed, count, names, operand, option
from ..hosts import is_network
from ..plan import Code
from ..refused import RefusedError, shown
from ..values import HOST, TEXT, Claim, Kind, choice, listed, matching, number

HELP = "help version"
_INTERFACE = matching(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,31}", "an interface such as eth0")

# ``-c`` goes on for ever.
NETSTAT = Options(
    flags="rigsMveWnNpolaFCZtuUSwx46hV",
    valued={"A": listed("inet inet6 unix ipx ax25 netrom ddp bluetooth link")},
    long=names(
        "route interfaces groups statistics masquerade verbose wide numeric"
        " numeric-hosts numeric-ports numeric-users symbolic extend programs timers"
        " listening all fib cache context tcp udp udplite sctp raw unix inet inet6"
        f" {HELP}"
    ),
    operands=NONE,
)
NETSTAT_BUSYBOX = Options(flags="raltuwxenWp", operands=NONE)

# An address in brackets or without colons may have a port, and any may have none.
_SOCKET = re.compile(
    r"(?:\[(?P<in>[^\]]+)\]|(?P<plain>[^:*\[\]]+)|\*)?:(?:\d{1,5}|[a-z][a-z0-9-]{0,20}|\*)",
    re.ASCII,
)
_PORT = re.compile(r":?(\d{1,5}|[a-z][a-z0-9-]{0,20})")
_FILTER = names(
    "state exclude sport dport src dst and or not autobound dev = == != eq ne neq gt ge"
    " lt le geq leq > < >= <= ( ) all connected synchronized bucket big established"
    " syn-sent syn-recv fin-wait-1 fin-wait-2 time-wait closed close-wait last-ack"
    " listening closing listen unconnected"
)


def _filters_by_number(parsed: Parsed) -> None:
    """A name behind src or dst would be looked up; there only addresses stand."""
    expects = ""
    for word in re.findall(r"[()]|[^ ()]+", " ".join(parsed.operands)):
        if word in ("src", "dst", "sport", "dport"):
            expects = word
        elif word in _FILTER:
            continue
        elif (expects in ("src", "dst") and _is_socket(word)) or (
            expects in ("sport", "dport") and _PORT.fullmatch(word)
        ):
            expects = ""
        else:
            raise operand(word, "a filter of states, ports and addresses")


def _is_socket(word: str) -> bool:
    """Return whether a word is an address or network, a port, or both."""
    match = _SOCKET.fullmatch(word)
    host = (match["in"] or match["plain"]) if match else re.sub(r"[\[\]]", "", word)
    return host is None or is_network(host)


# ``-D`` writes a file, ``-F`` reads one, ``-K`` closes, ``-E`` follows, ``-N`` is
# another namespace, ``-r`` looks up names.
_SOCKETS = listed(
    "all inet tcp mptcp udp raw unix unix_dgram unix_stream unix_seqpacket packet"
    " packet_raw packet_dgram netlink dccp sctp vsock vsock_stream vsock_dgram tipc xdp"
)
SS = Options(
    flags="naloempTisbZz460tMSudwxHOQBhV",
    valued={"f": choice("inet inet6 link unix netlink vsock tipc xdp"), "A": _SOCKETS},
    long=names(
        "numeric all listening options extended memory processes threads info tipcinfo"
        " summary tos cgroup bpf context contexts ipv4 ipv6 packet tcp mptcp sctp udp"
        " dccp raw unix tipc vsock xdp no-header oneline inet-sockopt no-queues"
        f" bound-inactive {HELP}"
    ),
    long_valued={
        "family": choice("inet inet6 link unix netlink vsock tipc xdp"),
        "query": _SOCKETS,
        "socket": _SOCKETS,
    },
    operands=Operands(most=50, value=TEXT),
    rule=_filters_by_number,
)

_SHOW = names("show list lst ls")
_IP_OBJECTS = {
    **dict.fromkeys("address addr a".split(), _SHOW | names("s sh")),
    **dict.fromkeys("link l".split(), _SHOW),
    **dict.fromkeys("route ro r".split(), _SHOW | {"get"}),
    **dict.fromkeys("neighbour neighbor neigh n".split(), _SHOW),
    **dict.fromkeys("rule ru".split(), _SHOW),
    **dict.fromkeys("maddress maddr".split(), _SHOW),
    **dict.fromkeys("nexthop token ntable".split(), _SHOW),
}
_IP_OPTIONS = names(
    "-s -stats -statistics -d -details -h -human -human-readable -iec -j -json -p"
    " -pretty -4 -6 -0 -o -oneline -br -brief -c -color -N -Numeric -V -Version"
)
_IP_WORD = matching(r"[A-Za-z0-9_][A-Za-z0-9_.:/@%-]{0,63}", "a name or address")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ip:
    """ip: options, an object, and a verb that shows; short forms only as listed."""

    objects: dict[str, frozenset[str]]
    options: frozenset[str]

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        words = list(args)
        parsed = Parsed()
        while words and words[0].startswith("-"):
            self._option(parsed, words)
        if not words:
            return parsed
        thing, *rest = words
        verbs = self.objects.get(thing)
        if verbs is None:
            raise operand(thing, "allowed are " + " ".join(sorted(self.objects)))
        parsed.operands = words
        if rest and rest[0] not in verbs:
            raise operand(rest[0], "allowed are " + " ".join(sorted(verbs)))
        for word in rest[1:]:
            _IP_WORD.judge(word, Code.OPERAND, word)
        if rest[:1] == ["get"]:
            self._address(rest[1:])
        return parsed

    def _option(self, parsed: Parsed, words: list[str]) -> None:
        word = words.pop(0)
        if word in ("-f", "-family"):
            family = words.pop(0) if words else ""
            choice("inet inet6 link mpls bridge").judge(family, Code.OPTION, word)
        elif word not in self.options:
            raise option(word, "allowed are -f " + " ".join(sorted(self.options)))
        parsed.options.append((word, None))

    def _address(self, words: list[str]) -> None:
        if not words or not is_network(words[0]):
            raise operand(words[0] if words else "get", "an address")


IP = Ip(objects=_IP_OBJECTS, options=_IP_OPTIONS)
IP_BUSYBOX = Ip(
    objects={
        **dict.fromkeys("address addr a".split(), names("show list")),
        **dict.fromkeys("link l".split(), names("show list")),
        **dict.fromkeys("route r".split(), names("show list")),
        **dict.fromkeys("neigh".split(), names("show list")),
    },
    options=names("-4 -6 -o -oneline"),
)


def _ping_ends(parsed: Parsed) -> None:
    if not parsed.has("-c", "-V"):
        raise count("ping", "a count, such as: ping -c 3 192.0.2.1")
    pause, times = parsed.last("-i") or "1", parsed.last("-c") or "1"
    if float(pause) * int(times) > 60:
        raise count(times, "at most 60 seconds all in all")


# ``-f`` and ``-A`` flood, ``-b`` broadcasts, ``-p`` sends data, ``-N`` asks nodes.
PING = Options(
    flags="46nqvDOUV",
    valued={
        "c": number(1, 60),
        "i": number(0.2, 30, decimal=True),
        "W": number(0, 30, decimal=True),
        "w": number(1, 60),
        "s": number(0, 9000),
        "t": number(1, 255),
        "I": _INTERFACE,
        "M": choice("do want dont"),
    },
    operands=Operands(least=1, most=1, value=HOST),
    rule=_ping_ends,
)
PING_BUSYBOX = Options(
    flags="46q",
    valued={
        "c": number(1, 60),
        "i": number(1, 30),
        "W": number(1, 30),
        "w": number(1, 60),
        "s": number(0, 9000),
        "t": number(1, 255),
        "I": _INTERFACE,
    },
    operands=Operands(least=1, most=1, value=HOST),
    rule=_ping_ends,
)

_DIG_TYPES = names(
    "a aaaa any caa cname dnskey ds https mx naptr ns ptr soa srv sshfp svcb tlsa txt"
)
_DIG_CLASSES = names("in ch hs")
_DIG_PLUS = names(
    "short noshort all noall answer noanswer authority noauthority additional"
    " noadditional question noquestion comments nocomments stats nostats cmd nocmd"
    " multiline nomultiline tcp notcp recurse norecurse dnssec nodnssec identify ttlid"
    " nottlid class noclass ttlunits nosearch nocookie noedns yaml crypto nocrypto"
)
_DIG_NUMBERS = {
    "time": number(1, 10),
    "timeout": number(1, 10),
    "tries": number(1, 3),
    "retry": number(0, 3),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dig:
    """dig: names that may be looked up, their types, and how the answer looks."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = Parsed()
        words = list(args)
        while words:
            word = words.pop(0)
            if word.startswith("@"):
                hint = "no server; the host's own is asked"
                raise RefusedError(Code.NETWORK, shown(word), hint)
            if word.startswith("+"):
                self._plus(word)
            elif word in ("-x", "-q", "-t", "-c"):
                self._valued(parsed, word, words)
            elif word in ("-4", "-6", "-r", "-u", "-v"):
                parsed.options.append((word, None))
            elif word.startswith("-"):
                raise option(
                    word, "allowed are -4 -6 -c -q -r -t -u -v -x and +options"
                )
            elif word.lower() not in _DIG_TYPES | _DIG_CLASSES:
                self._name(parsed, word)
        if len(parsed.claims) > 4:
            raise operand(parsed.claims[4].text, "at most 4 names")
        return parsed

    def _name(self, parsed: Parsed, word: str) -> None:
        if "%" in word:
            hint = "an address without a zone; dig looks the whole of it up"
            raise RefusedError(Code.NETWORK, shown(word), hint)
        parsed.claims.append(Claim(kind=Kind.HOST, text=word))

    def _plus(self, word: str) -> None:
        name, equals, given = word[1:].partition("=")
        if equals and name in _DIG_NUMBERS:
            _DIG_NUMBERS[name].judge(given, Code.OPTION, word)
        elif equals or name not in _DIG_PLUS:
            raise option(word, "allowed are +short +noall +answer +time=… and the like")

    def _valued(self, parsed: Parsed, word: str, words: list[str]) -> None:
        if not words:
            raise option(word, "a value after the option")
        given = words.pop(0)
        if word == "-t" and given.lower() not in _DIG_TYPES:
            raise option(given, "allowed are " + " ".join(sorted(_DIG_TYPES)))
        if word == "-c" and given.lower() not in _DIG_CLASSES:
            raise option(given, "allowed are " + " ".join(sorted(_DIG_CLASSES)))
        if word in ("-x", "-q"):
            self._name(parsed, given)


DIG = Dig()

"""Both ends of the link together: it holds, breaks, comes back, and runs nothing twice."""

import asyncio
from collections.abc import Callable, Iterator
import logging

import pytest

from custom_components.homeagent.hosts.host import (
    Host,
    HostLostError,
    HostOfflineError,
    HostRecord,
)
from custom_components.homeagent.hosts.protocol import Close, ProtocolError, new_key
from custom_components.homeagent.hosts.registry import Trouble
from homeagent_waiter.keys import HostKey

from ..virtual_time import run_virtual
from .wires import KEY, NAS, Home, Nas, running, settle

DAY = 24 * 60 * 60.0


def the_nas(home: Home) -> Host:
    host = home.registry.get("nas")
    assert host is not None
    return host


async def ask(home: Home, command: str = "uptime") -> object:
    answer = await the_nas(home).ask("command", {"command": command})
    return answer.get("outcome", answer)


async def begin(home: Home) -> asyncio.Future[object]:
    """Let the host connect, and ask it something that it has begun to do by then."""
    await settle()
    asked = asyncio.ensure_future(ask(home))
    await settle()
    return asked


def test_command_is_run_and_answered() -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home)
        async with running(nas.link()):
            await settle()
            assert await ask(home) == {"stdout": "did uptime"}
            host = the_nas(home)
            assert (host.about, host.metrics) == ({"authorized": True}, {"cpu": 1.5})
            assert host.waiter_version == "0.1.0"
        await home.leave()

    run_virtual(story())


def test_offline_host_answers_at_once() -> None:
    async def story() -> None:
        with pytest.raises(HostOfflineError):
            await ask(Home(NAS))
        assert asyncio.get_running_loop().time() == 0

    run_virtual(story())


def test_result_outlives_the_connection_and_nothing_runs_twice() -> None:
    """The line breaks during a command; the result comes over the next line."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=10)
        async with running(nas.link()):
            asked = await begin(home)
            home.cut()
            assert await asked == {"stdout": "did uptime"}
            assert nas.ran == ["uptime"]
        await home.leave()

    run_virtual(story())


def test_result_that_came_while_the_line_was_down_is_sent_once() -> None:
    async def story() -> None:
        home = Home(NAS)
        link = Nas(home, takes=10).link()
        async with running(link):
            asked = await begin(home)
            home.away = True
            home.cut()
            await asyncio.sleep(20)
            assert len(link.work.held()) == 1
            home.away = False
            assert await asked == {"stdout": "did uptime"}
            await settle()
            assert link.work.held() == []
        await home.leave()

    run_virtual(story())


def test_result_that_nobody_fetches_is_given_up_after_a_minute() -> None:
    async def story() -> None:
        home = Home(NAS)
        link = Nas(home, takes=10).link()
        async with running(link):
            asked = await begin(home)
            home.away = True
            home.cut()
            await asyncio.sleep(69)
            assert len(link.work.held()) == 1
            await asyncio.sleep(2)
            assert link.work.held() == []
            with pytest.raises(HostLostError):
                await asked
        await home.leave()

    run_virtual(story())


def test_result_of_a_waiter_that_was_killed_is_lost() -> None:
    """It comes back without the request, and says so by not naming it."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=10)
        async with running(nas.link()):
            asked = await begin(home)
        async with running(nas.link()):
            with pytest.raises(HostLostError):
                await asked
            assert asyncio.get_running_loop().time() < 10
            assert nas.ran == ["uptime"]
        await home.leave()

    run_virtual(story())


def test_result_of_a_host_that_stays_away_is_lost_after_a_minute() -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=10)
        async with running(nas.link()):
            asked = await begin(home)
            home.away = True
            home.cut()
            with pytest.raises(HostLostError):
                await asked
            assert asyncio.get_running_loop().time() == pytest.approx(60, abs=1)
        await home.leave()

    run_virtual(story())


def test_home_that_restarted_does_not_get_old_results_twice() -> None:
    """A result nobody waits for is taken and forgotten, by both ends."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=10)
        link = nas.link()
        async with running(link):
            asked = await begin(home)
            asked.cancel()
            home.registry.close()
            await settle()
            home.registry.set_records([NAS])
            await asyncio.sleep(30)
            assert the_nas(home).connected
            assert link.work.held() == []
        await home.leave()

    run_virtual(story())


def test_reload_loses_no_answer() -> None:
    """The entry is loaded again at once: what the host was asked comes back with it."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=10)
        async with running(nas.link()):
            asked = await begin(home)
            home.registry.rest()
            assert not home.registry.ready
            assert home.registry.get("nas") is None
            await settle()
            home.registry.set_records([NAS])
            assert await asked == {"stdout": "did uptime"}
            assert nas.ran == ["uptime"]
        assert [what for what, _ in home.told.events].count("added") == 2
        await home.leave()

    run_virtual(story())


@pytest.mark.parametrize("after", [[], None], ids=["removed", "stopped"])
def test_reload_that_does_not_bring_the_host_back_loses_its_answer(
    after: list[HostRecord] | None,
) -> None:
    """At once, not after a minute."""

    async def story() -> None:
        home = Home(NAS)
        async with running(Nas(home, takes=10).link()):
            asked = await begin(home)
            home.registry.rest()
            if after is None:
                home.registry.close()
            else:
                home.registry.set_records(after)
            before = asyncio.get_running_loop().time()
            with pytest.raises(HostLostError):
                await asked
            assert asyncio.get_running_loop().time() == before
        await home.leave()

    run_virtual(story())


@pytest.mark.parametrize("bad", ["\ud83d", object(), float("nan")])
def test_what_cannot_be_sent_ends_nothing(bad: object) -> None:
    """At either end: the question fails, or the answer says so; the line stays up."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, outcome=bad)
        async with running(nas.link()):
            await settle()
            with pytest.raises(ProtocolError):
                await the_nas(home).ask("command", {"command": bad})
            answer = await the_nas(home).ask("command", {"command": "uptime"})
            assert "internal" in str(answer["error"])
            assert len(home.dials) == 1
            assert the_nas(home).connected
        await home.leave()

    run_virtual(story())


def test_cancelled_question_stops_the_command() -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=3600)
        async with running(nas.link()):
            asked = await begin(home)
            asked.cancel()
            await settle()
            assert (nas.ran, nas.ended) == (["uptime"], ["uptime"])
        await home.leave()

    run_virtual(story())


@pytest.mark.parametrize(
    ("questions", "answered", "busy"), [(4, 4, 0), (6, 4, 2), (9, 4, 5)]
)
def test_too_many_commands_at_once_are_told_to_wait(
    questions: int, answered: int, busy: int
) -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, takes=1)
        async with running(nas.link()):
            await settle()
            results = await asyncio.gather(*(ask(home) for _ in range(questions)))
            told = [str(result) for result in results]
            assert sum("did uptime" in text for text in told) == answered
            assert sum("'busy'" in text for text in told) == busy
        await home.leave()

    run_virtual(story())


def test_a_day_away_and_back_within_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """Never gives up, tries at most once a second, tells only what changes."""
    caplog.set_level(logging.INFO, logger="homeagent_waiter.link")

    async def story() -> None:
        home = Home(NAS)
        async with running(Nas(home, luck=0.999).link()):
            await settle()
            home.away = True
            home.cut()
            await asyncio.sleep(DAY)
            assert not the_nas(home).connected
            tries = len(home.dials)
            assert DAY / 60 < tries < DAY / 50
            home.away = False
            await asyncio.sleep(61)
            assert the_nas(home).connected
        await home.leave()

    run_virtual(story())
    told = [one for one in caplog.records if one.name == "homeagent_waiter.link"]
    assert len(told) == 4, caplog.messages


def test_waits_grow_with_full_jitter() -> None:
    async def story() -> None:
        home = Home(NAS)
        home.away = True
        async with running(Nas(home, luck=0.5).link()):
            await asyncio.sleep(200)
        waits = [b - a for a, b in zip(home.dials, home.dials[1:], strict=False)]
        assert waits[:8] == pytest.approx([0.5, 1, 2, 4, 8, 16, 30, 30])

    run_virtual(story())


def test_wrong_key_is_tried_ever_more_rarely_and_is_no_wrong_login() -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home, key=HostKey("nas", new_key()))
        async with running(nas.link()):
            await asyncio.sleep(DAY)
        waits = [b - a for a, b in zip(home.dials, home.dials[1:], strict=False)]
        assert waits[:6] == pytest.approx([300, 600, 1200, 2400, 3600, 3600], abs=9)
        assert {ended.code for ended in home.ended} == {Close.BAD_KEY}
        assert not any(ended.wrong_login for ended in home.ended)
        assert home.told.troubles == {Trouble.WRONG_KEY}

    run_virtual(story())


def test_a_host_that_slept_tries_at_once() -> None:
    async def story() -> None:
        home = Home()
        nas = Nas(home)
        async with running(nas.link()):
            await asyncio.sleep(1000)
            tries = len(home.dials)
            home.registry.set_records([NAS])
            nas.slept = 3600
            await asyncio.sleep(6)
            assert len(home.dials) == tries + 1
            assert the_nas(home).connected
            home.away = True
            home.cut()
            before = asyncio.get_running_loop().time()
            await asyncio.sleep(2)
            assert home.dials[-1] - before < 2, "the waits begin anew"
        await home.leave()

    run_virtual(story())


def test_a_host_that_slept_while_connected_asks_whether_somebody_is_there() -> None:
    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home)
        async with running(nas.link()):
            await settle()
            outer, inner = home.wires[0]
            outer.hole = inner.hole = True
            nas.slept = 3600
            await asyncio.sleep(20)
            assert len(home.wires) == 2
            assert the_nas(home).connected
        await home.leave()

    run_virtual(story())


def test_black_hole_is_noticed_within_a_minute_at_both_ends() -> None:
    async def story() -> None:
        home = Home(NAS)
        link = Nas(home).link()
        async with running(link):
            await asyncio.sleep(100)
            home.away = True
            outer, inner = home.wires[0]
            outer.hole = inner.hole = True
            await asyncio.sleep(60)
            assert not the_nas(home).connected
            assert not link.connected
        await home.leave()

    run_virtual(story())


def test_a_quiet_line_stays_up() -> None:
    async def story() -> None:
        home = Home(NAS)
        async with running(Nas(home).link()):
            await asyncio.sleep(DAY)
            assert len(home.dials) == 1
        await home.leave()

    run_virtual(story())


def test_two_waiters_with_one_key_never_take_turns() -> None:
    async def story() -> None:
        home = Home(NAS)
        first, second = Nas(home).link(), Nas(home).link()
        async with running(first):
            await settle()
            async with running(second):
                await asyncio.sleep(3600)
                assert (first.connected, second.connected) == (True, False)
                assert home.told.troubles == {Trouble.DUPLICATE}
                assert len(home.dials) < 12
        await home.leave()

    run_virtual(story())


def test_a_silent_first_connection_is_replaced() -> None:
    """The host got another address; the old line was never closed."""

    async def story() -> None:
        home = Home(NAS)
        async with running(Nas(home).link()):
            await settle()
            outer, inner = home.wires[0]
            outer.hole = inner.hole = True
            again = Nas(home).link()
            async with running(again):
                await asyncio.sleep(6)
                assert again.connected
                assert home.told.troubles == set()
        await home.leave()

    run_virtual(story())


def _revoke(home: Home) -> None:
    home.registry.set_records([HostRecord(id="nas", name="Nas")])


def _remove(home: Home) -> None:
    home.registry.set_records([])


def _restart(home: Home) -> None:
    home.registry.close()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_revoke, Close.REVOKED),
        (_remove, Close.REVOKED),
        (_restart, Close.RESTARTING),
    ],
)
def test_host_that_is_sent_away_while_connected(
    change: Callable[[Home], None], code: Close
) -> None:
    async def story() -> None:
        home = Home(NAS)
        link = Nas(home).link()
        async with running(link):
            await settle()
            asked = asyncio.ensure_future(ask(home, "uptime"))
            asked.add_done_callback(lambda done: done.exception())
            change(home)
            await settle()
            assert not link.connected
            assert home.wires[0][0].close_code == code
        await home.leave()

    run_virtual(story())


def test_revoked_host_is_told_so_and_is_no_wrong_login() -> None:
    async def story() -> None:
        home = Home(HostRecord(id="nas", name="Nas"))
        async with running(Nas(home).link()):
            await settle()
        assert [(end.code, end.wrong_login) for end in home.ended] == [
            (Close.REVOKED, False)
        ]

    run_virtual(story())


def test_new_key_is_used_from_the_next_connection_on() -> None:
    """Until the host has come with it, the old one is good too."""

    async def story() -> None:
        home, key = Home(NAS), new_key()
        nas = Nas(home)
        async with running(nas.link()):
            await settle()
            home.registry.set_records(
                [HostRecord(id="nas", name="Nas", keys=(KEY, key))]
            )
            home.cut()
            await asyncio.sleep(2)
            assert the_nas(home).connected
            assert ("rekeyed", "") not in home.told.events
            nas.key = HostKey("nas", key)
            home.cut()
            await asyncio.sleep(3)
            assert the_nas(home).connected
            assert ("rekeyed", "") in home.told.events
        await home.leave()

    run_virtual(story())


@pytest.mark.parametrize(
    ("home_speaks", "connected", "troubles"),
    [
        ((1,), True, set()),
        ((1, 2), True, {Trouble.WAITER_OUTDATED}),
        ((2,), False, {Trouble.WAITER_OUTDATED}),
        ((0,), False, {Trouble.HOMEAGENT_OUTDATED}),
    ],
)
def test_versions(
    home_speaks: tuple[int, ...], connected: bool, troubles: set[Trouble]
) -> None:
    async def story() -> None:
        home = Home(NAS, versions=home_speaks)
        link = Nas(home).link()
        async with running(link):
            await settle()
            assert link.connected is connected
            assert home.told.troubles == troubles
        await home.leave()

    run_virtual(story())


@pytest.fixture(autouse=True)
def _no_task_dies_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    bad = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert bad == []

"""Pairing by a one-time code, with both real ends and a real key file."""

import asyncio
from pathlib import Path

import pytest

from custom_components.homeagent.hosts.pairing import (
    MOST_OPEN,
    Paired,
    Pairing,
    PairingEnd,
    PairingEndedError,
    TooManyPairingsError,
)
from custom_components.homeagent.hosts.protocol import Close, new_code
from homeagent_waiter.keys import HostKey, KeyFile
from homeagent_waiter.pairing import PairingError, pair

from ..virtual_time import run_virtual
from .wires import NAS, Home, settle

OLD = HostKey("old", bytes(32))


async def pair_with(home: Home, code: str, file: KeyFile) -> str:
    async with home.dial() as socket:
        return await pair(socket, code=code, name="Shelf", about={}, file=file)


async def added(home: Home, pairing: Pairing) -> Paired:
    """Do what the dialog does: wait for the host, add it."""
    paired = await pairing.found
    home.pairings.settle({paired.key})
    return paired


def test_host_gets_its_key(tmp_path: Path) -> None:
    async def story() -> None:
        home, file = Home(), KeyFile(tmp_path / "new" / "key")
        pairing = home.pairings.open()
        paired, host_id = await asyncio.gather(
            added(home, pairing), pair_with(home, pairing.code, file)
        )
        assert (paired.id, paired.name) == (host_id, "Shelf")
        assert file.load() == HostKey(paired.id, paired.key)
        assert file.path.stat().st_mode & 0o777 == 0o600
        assert home.pairings.usable() == []

    run_virtual(story())


def test_key_counts_only_once_it_is_stored(tmp_path: Path) -> None:
    """A host that cannot store its key is not added."""

    async def story() -> None:
        home = Home()
        (tmp_path / "file").write_text("in the way")
        file = KeyFile(tmp_path / "file" / "key")
        pairing = home.pairings.open()
        with pytest.raises(PairingError, match="cannot be written"):
            await pair_with(home, pairing.code, file)
        await settle()
        assert not pairing.found.done()
        assert home.pairings.usable() == [pairing], "the code is good for another try"
        home.pairings.close(pairing)

    run_virtual(story())


def test_code_bears_five_tries(tmp_path: Path) -> None:
    async def story() -> None:
        home, file = Home(), KeyFile(tmp_path / "key")
        pairing = home.pairings.open()
        for _ in range(5):
            assert home.pairings.usable() == [pairing]
            with pytest.raises(PairingError, match="does not take this code"):
                await pair_with(home, new_code(), file)
        assert home.pairings.usable() == []
        with pytest.raises(PairingEndedError) as ended:
            await pairing.found
        assert ended.value.why is PairingEnd.TRIES
        with pytest.raises(PairingError, match="does not take this code"):
            await pair_with(home, pairing.code, file)
        assert all(end.wrong_login for end in home.ended)
        assert not file.exists()

    run_virtual(story())


@pytest.mark.parametrize(("wait", "open_"), [(599.0, True), (601.0, False)])
def test_code_lives_ten_minutes(wait: float, open_: bool) -> None:
    async def story() -> None:
        home = Home()
        pairing = home.pairings.open()
        await asyncio.sleep(wait)
        assert bool(home.pairings.usable()) is open_
        home.pairings.close(pairing)

    run_virtual(story())


def test_at_most_three_codes_are_open() -> None:
    async def story() -> None:
        home = Home()
        pairings = [home.pairings.open() for _ in range(MOST_OPEN)]
        with pytest.raises(TooManyPairingsError):
            home.pairings.open()
        home.pairings.close(pairings[1])
        pairings.append(home.pairings.open())
        assert len({pairing.code for pairing in pairings}) == 4
        for pairing in pairings:
            home.pairings.close(pairing)

    run_virtual(story())


def test_dialog_that_is_closed_in_the_last_moment_leaves_the_old_key(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        home, file = Home(), KeyFile(tmp_path / "key")
        file.store(OLD)
        pairing = home.pairings.open()
        trying = asyncio.ensure_future(pair_with(home, pairing.code, file))
        await pairing.found
        home.pairings.close(pairing)
        with pytest.raises(PairingError, match="does not take this code"):
            await trying
        assert file.load() == OLD

    run_virtual(story())


def test_unconfirmed_pairing_says_what_is_not_known(tmp_path: Path) -> None:
    async def story() -> None:
        home, file = Home(), KeyFile(tmp_path / "key")
        pairing = home.pairings.open()
        trying = asyncio.ensure_future(pair_with(home, pairing.code, file))
        paired = await pairing.found
        home.cut()
        with pytest.raises(PairingError, match="not confirmed"):
            await trying
        assert file.load().id == paired.id
        home.pairings.close(pairing)

    run_virtual(story())


def test_code_is_used_once(tmp_path: Path) -> None:
    async def story() -> None:
        home = Home()
        pairing = home.pairings.open()
        first = asyncio.ensure_future(
            pair_with(home, pairing.code, KeyFile(tmp_path / "first"))
        )
        await pairing.found
        with pytest.raises(PairingError, match="does not take this code"):
            await pair_with(home, pairing.code, KeyFile(tmp_path / "second"))
        home.pairings.settle({pairing.host_key})
        assert await first == pairing.host_id

    run_virtual(story())


def test_host_that_is_paired_again_keeps_its_id(tmp_path: Path) -> None:
    async def story() -> None:
        home, file = Home(NAS), KeyFile(tmp_path / "key")
        pairing = home.pairings.open("nas")
        paired, host_id = await asyncio.gather(
            added(home, pairing), pair_with(home, pairing.code, file)
        )
        assert host_id == paired.id == "nas"
        assert paired.key not in NAS.keys

    run_virtual(story())


def test_without_any_code_open_nobody_is_paired(tmp_path: Path) -> None:
    async def story() -> None:
        home = Home()
        with pytest.raises(PairingError, match="does not take this code"):
            await pair_with(home, new_code(), KeyFile(tmp_path / "key"))
        assert [(end.code, end.wrong_login) for end in home.ended] == [
            (Close.BAD_KEY, True)
        ]

    run_virtual(story())

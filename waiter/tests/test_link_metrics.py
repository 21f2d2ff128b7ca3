"""What is measured: plausible figures, no network mounts, no disk that is woken."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from homeagent_waiter import metrics


def test_this_host_is_measured() -> None:
    measured: Any = metrics.measure()
    assert 0 <= measured["cpu"] <= 100
    assert 0 < measured["memory"] <= 100
    assert len(measured["load"]) == 3
    assert measured["boot"] > 1_000_000_000
    assert all(0 <= disk["used"] <= 100 for disk in measured["disks"])


def mount(point: str, kind: str, device: str = "/dev/sda1") -> Any:
    return SimpleNamespace(mountpoint=point, fstype=kind, device=device)


def test_network_mounts_and_no_disks_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are not even asked: one that is gone would never answer."""
    asked: list[str] = []

    def usage(point: str) -> Any:
        asked.append(point)
        if point == "/gone":
            raise OSError
        return SimpleNamespace(percent=10.0, total=100, free=90)

    parts = [
        mount("/", "ext4"),
        mount("/again", "ext4"),
        mount("/gone", "xfs", "/dev/sdb1"),
        *(
            mount(f"/{kind}", kind, kind)
            for kind in ("nfs4", "cifs", "fuse.sshfs", "autofs", "tmpfs", "squashfs")
        ),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: parts)
    monkeypatch.setattr(psutil, "disk_usage", usage)
    assert [disk["mount"] for disk in metrics.disks()] == ["/"]
    assert asked == ["/", "/again", "/gone"]


@pytest.mark.parametrize(
    ("groups", "warmth"),
    [
        ({}, None),
        ({"drivetemp": [40.0], "nvme": [50.0]}, None),
        ({"coretemp": [41.0, 45.0], "zzz": [90.0]}, 45.0),
        ({"zzz": [30.0], "drivetemp": [99.0]}, 30.0),
        ({"coretemp": [0.0], "acpitz": [33.0]}, 33.0),
    ],
)
def test_temperature_wakes_no_disk(
    monkeypatch: pytest.MonkeyPatch,
    groups: dict[str, list[float]],
    warmth: float | None,
) -> None:
    told = {
        name: [SimpleNamespace(current=value) for value in values]
        for name, values in groups.items()
    }
    monkeypatch.setattr(psutil, "sensors_temperatures", lambda: told, raising=False)
    assert metrics.temperature() == warmth


def test_busiest_processes_have_names_and_no_arguments() -> None:
    rows = metrics.busiest()
    assert 0 < len(rows) <= metrics.MOST_PROCESSES
    assert all(set(row) == {"pid", "name", "cpu", "memory"} for row in rows)

"""The gate under fuzzing; takes long."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import pytest


@pytest.mark.long
@pytest.mark.timeout(300)
def test_gate_withstands_fuzzing() -> None:
    """Two minutes of mutated lines, by coverage where atheris is installed."""
    script = Path(__file__).with_name("fuzz_gate.py")
    ran = subprocess.run(
        [sys.executable, str(script), "120"],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]

"""The command line."""

from __future__ import annotations

import pytest

from homeagent_waiter import __version__
from homeagent_waiter.cli import main


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The option --version prints the version and ends well."""
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])

    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"waiter {__version__}\n"


def test_no_argument_prints_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Without arguments there is nothing to do yet; that is an error."""
    assert main([]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: waiter")


def test_unknown_argument_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown argument is an error, told on standard error."""
    with pytest.raises(SystemExit) as stopped:
        main(["serve"])

    assert stopped.value.code == 2
    assert "invalid choice: 'serve'" in capsys.readouterr().err

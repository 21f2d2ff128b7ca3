"""Tests inside a Home Assistant."""

import pytest

import custom_components.homeagent  # noqa: F401  # before any other of that name


@pytest.fixture(name="hass_config_dir")
def hass_config_dir_fixture(
    request: pytest.FixtureRequest, hass_config_dir: str
) -> str:
    """Return the common folder, which nobody writes into, or one of the test's own."""
    if request.node.get_closest_marker("own_folder") is None:
        return hass_config_dir
    return str(request.getfixturevalue("hass_tmp_config_dir"))


@pytest.fixture(autouse=True)
def _enable_custom_integrations(request: pytest.FixtureRequest) -> None:
    """Let Home Assistant find HomeAgent in every test that has one.

    A recorder must be there before Home Assistant looks for integrations.
    """
    for name in ("recorder_mock", "enable_custom_integrations"):
        if name in request.fixturenames or name == "enable_custom_integrations":
            request.getfixturevalue(name)

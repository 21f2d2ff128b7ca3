"""What a sequence brings to a real Home Assistant, also after a restart."""

import json

from demohome.real_home import RealHome

from .test_actions import GROUPS


async def test_action_and_entities(home: RealHome) -> None:
    """The action keeps its name and its form, the event entity what it told."""
    await home.api.call_action(
        "homeagent.seq_create", {"name": "Own", "groups": GROUPS}
    )
    told = await home.api.call_action("homeagent.run_own", {"title": "Up"})
    assert told["status"] == "ok", told["text"]
    await home.restart()
    async with home.api.socket() as socket:
        services = await socket.command("get_services")
    assert isinstance(services, dict)
    assert services["homeagent"]["run_own"]["fields"]["title"]["required"] is True
    assert (await home.api.state("button.own_run"))["state"] == "unavailable"
    event = await home.api.state("event.own_run_finished")
    assert '"status": "ok"' in json.dumps(event["attributes"])
    again = await home.api.call_action("homeagent.run_own", {"title": "Down"})
    assert again["status"] == "ok", again["text"]

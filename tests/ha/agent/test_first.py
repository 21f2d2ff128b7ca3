from .agent_home import AgentHome
from .scripted_server import calls, words


async def test_words(home: AgentHome) -> None:
    home.server.say(words("Hello ", "there."))
    assert await home.hear("Hi") == "Hello there."


async def test_calls(home: AgentHome) -> None:
    home.server.say(calls(("test__a", {"n": 1}), ("test__b", {"n": 2})), words("Done."))
    assert await home.hear("Do it") == "Done."
    assert home.counted.ended == ["a1", "b2"]
    assert home.answers() == ['{"did":"a1"}', '{"did":"b2"}']

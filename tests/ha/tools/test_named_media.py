"""Which texts name an entity's pictures."""

import pytest

from custom_components.homeagent.tools.named_media import entities_of_media


@pytest.mark.parametrize(
    ("value", "entities"),
    [
        ("media-source://camera/camera.study", "camera.study"),
        ({"media_content_id": "media-source://camera/camera.study"}, "camera.study"),
        ([{"a": ["see media-source://camera/CAMERA.Study!"]}], "camera.study"),
        ("media-source://image/image.door?x=1", "image.door"),
        ("media-source://tts/tts.cloud?message=hello", "tts.cloud"),
        ("/api/camera_proxy/camera.study", "camera.study"),
        ("/api/camera_proxy_stream/camera%2Estudy", "camera.study"),
        ("http://home.local:8123/api/./image_proxy/image.door", "image.door"),
        ("/api/media_player_proxy/media_player.tv?token=1", "media_player.tv"),
        ("media-source://camera", ""),
        ("media-source://media_source/local/image.jpg", ""),
        ("media-source://radio/camera.study", ""),
        ("https://example.com/image.jpg", ""),
        ("/api/tts_proxy/abc.mp3", ""),
        ("camera.study is on", ""),
        (5, ""),
    ],
)
def test_named(value: object, entities: str) -> None:
    assert entities_of_media({"x": value}) == frozenset(entities.split())


def test_arguments_without_end() -> None:
    """Nobody has checked them yet where other arguments are wrong."""
    endless: dict[str, object] = {}
    endless |= {"again": [endless], "seen": "media-source://camera/camera.study"}
    assert entities_of_media(endless) == {"camera.study"}

"""What a query finds, and in which order."""

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.tools.word_ranking import Document, Found, rank

NAMES = [
    "light.turn_on",
    "light.turn_off",
    "cover.open_cover",
    "notify.mobile_app",
    "Küche Deckenlampe",
    "客厅顶灯",
    "客厅空调",
    "卧室灯",
]


def find(query: str, names: list[str] = NAMES) -> list[Found]:
    return rank(query, [Document(key=name, texts=[(1.0, name)]) for name in names])


@pytest.mark.parametrize(
    ("query", "first", "words"),
    [
        ("turn on light", "light.turn_on", 3),
        ("LIGHT-turn_OFF", "light.turn_off", 3),
        ("lights", "light.turn_off", 1),
        ("opne", "cover.open_cover", 1),
        ("kuche", "Küche Deckenlampe", 1),
        ("客厅灯", "客厅顶灯", 1),
        ("卧室灯", "卧室灯", 2),
        ("灯", "卧室灯", 1),
        ("please notify me", "notify.mobile_app", 1),
    ],
)
def test_best(query: str, first: str, words: int) -> None:
    best = find(query)[0]
    assert (best.key, best.words) == (first, words)


@pytest.mark.parametrize("query", ["", "!?", "xyzzy", "_", "on of"])
def test_what_fits_nothing(query: str) -> None:
    assert {one.key for one in find(query)} <= {"light.turn_on"}


def test_weightier_texts_win() -> None:
    """A word in the name says more than one in the description."""
    documents = [
        Document(key="told", texts=[(3.0, "cover"), (1.0, "opens a lamp")]),
        Document(key="named", texts=[(3.0, "lamp"), (1.0, "a cover")]),
    ]
    assert [one.key for one in rank("lamp", documents)] == ["named", "told"]


def test_rare_words_say_more() -> None:
    names = ["set volume", "set mode", "set level", "mute volume"]
    assert find("set mode", names)[0].key == "set mode"
    assert find("set mute", names)[0].key == "mute volume"


@given(query=st.text(), names=st.lists(st.text(), unique=True, max_size=8))
def test_total(query: str, names: list[str]) -> None:
    """Any texts are searched; nothing is found twice, and the order is stable."""
    found = find(query, names)
    assert len({one.key for one in found}) == len(found)
    assert found == find(query, names[::-1])

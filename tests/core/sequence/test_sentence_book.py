"""Which sequence was meant by what somebody said."""

import pytest

from custom_components.homeagent.sequence.sentence_book import SentenceBook


@pytest.fixture(name="book")
def book_fixture() -> SentenceBook:
    """A book of three sequences."""
    book = SentenceBook()
    book.put("night", ["good night", "turn in [now]"])
    book.put("check", ["check {host}", "巡检{host}"])
    book.put("deep", ["check {host} and {other}", "check everything"])
    return book


@pytest.mark.parametrize(
    ("text", "key", "slots"),
    [
        ("good night", "night", {}),
        ("Good night!", "night", {}),
        ("turn in now", "night", {}),
        ("check nas", "check", {"host": "nas"}),
        ("Check the big NAS.", "check", {"host": "the big NAS"}),
        ("check nas and pi", "deep", {"host": "nas", "other": "pi"}),
        ("check everything", "deep", {}),
        ("巡检三号机", "check", {"host": "三号机"}),
    ],
)
def test_meant(book: SentenceBook, text: str, key: str, slots: dict[str, str]) -> None:
    """The one with the most words of its own."""
    (heard,) = book.find(text)
    assert heard.key == key
    assert {name: said.strip() for name, said in heard.slots.items()} == slots


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("巡检 [{host}]", ["巡检", "巡检书房", "巡检nas", "巡检 nas", "巡检 书房"]),
        ("切换 [那个] 灯", ["切换灯", "切换那个灯", "切换 那个 灯"]),
        ("打开 (书房|客厅) 的 灯", ["打开书房的灯", "打开客厅的灯"]),
        ("{host} 巡检", ["书房巡检", "nas 巡检"]),
        ("把 {a} (调到|设为) {level}", ["把灯设为五十", "把 灯 调到 五十"]),
        ("打开 [客厅] {b}", ["打开客厅灯", "打开灯"]),
        ("{a} [的] {b} 打开", ["客厅的灯打开"]),
        ("打开 (客厅 | 卧室) 的灯", ["打开客厅的灯", "打开卧室的灯"]),
        ("打开 [ 客厅 ] 的灯", ["打开客厅的灯", "打开的灯"]),
        ("打开（客厅|卧室） {b}", ["打开客厅灯"]),
        ("打开 3 号 灯", ["打开3号灯", "打开 3 号 灯"]),
        ("start the 巡检 now", ["start the 巡检 now"]),
        ("turn [the] lights off", ["turn lights off", "turn the lights off"]),
    ],
)
def test_nobody_speaks_spaces_between_chinese_words(
    sentence: str, texts: list[str]
) -> None:
    """Written with spaces it is understood without them, too; English needs them."""
    book = SentenceBook()
    book.put("x", [sentence])
    assert [text for text in texts if not book.find(text)] == []
    assert book.find("turnlights off") == ()


def test_best_of_one(book: SentenceBook) -> None:
    """Of the sentences of one sequence, too, the one with more words of its own."""
    book.put("check", ["check {host}", "check {host} in full"])
    (heard,) = book.find("check nas in full")
    assert heard.slots["host"].strip() == "nas"


@pytest.mark.parametrize("text", ["good", "good night everybody", "check", "", "晚安"])
def test_nobody_meant(book: SentenceBook, text: str) -> None:
    """A part of a sentence, or more than it, is none."""
    assert book.find(text) == ()


def test_several(book: SentenceBook) -> None:
    """Who cannot be told apart are all named."""
    book.put("other", ["good (night|morning)"])
    assert {heard.key for heard in book.find("good night")} == {"night", "other"}


def test_changes(book: SentenceBook) -> None:
    """What is put in or taken out counts at once, and says whether it is new."""
    assert book.find("good night")
    assert book.put("night", ["good night", "turn in [now]"]) is False
    assert book.put("night", ["sleep well"]) is True
    assert book.find("good night") == ()
    assert book.find("sleep well")
    assert book.put("night", ()) is True
    assert book.put("night", ()) is False
    assert "sleep well" not in book.sentences()


WIDE = {ord(each): chr(ord(each) + 0xFEE0) for each in "[](){}|"}


def test_wide_brackets() -> None:
    """They mean what plain ones mean, to Home Assistant too, which is given these."""
    book = SentenceBook()
    book.put("check", ["(运行|开始){host}的巡检[吧]".translate(WIDE)])
    assert book.sentences() == ["(运行|开始){host}的巡检[吧]"]
    (heard,) = book.find("开始客厅的巡检")
    assert heard.slots == {"host": "客厅"}

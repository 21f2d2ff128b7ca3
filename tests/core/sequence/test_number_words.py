"""Numbers as people say them."""

from hassil.numbers import get_rbnf_engine
import pytest

from custom_components.homeagent.sequence.number_words import read_number


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [
        ("en", "five", 5),
        ("en", "5", 5),
        ("en", "zero", 0),
        ("en-US", "Twenty-One.", 21),
        ("en", "twenty one", 21),
        ("en", "a hundred", 100),
        ("en", "one hundred five", 105),
        ("en", "one hundred and five", 105),
        ("en", "a thousand and one", 1001),
        ("en", "twelve thousand three hundred and forty-five", 12345),
        ("en", "ninety-nine thousand nine hundred ninety-nine", 99999),
        ("en", "1,000", 1000),
        ("en", "1,234,567.5", 1234567.5),
        ("en", "-3", -3),
        ("en", "\u22123", -3),
        ("en", "-three", -3),
        ("en", "minus three", -3),
        ("en", "minus 3", -3),
        ("en", "negative twenty-one", -21),
        ("en", "+3", 3),
        ("en", "three point one four", 3.14),
        ("en", "three point zero five", 3.05),
        ("en", "point five", 0.5),
        ("en", "minus two point five", -2.5),
        ("en", "two and a half", 2.5),
        ("en", "five percent", 5),
        ("en", "five per cent", 5),
        ("en", "5 %", 5),
        ("en", "5%", 5),
        ("en", "minus five percent", -5),
        ("en", "2.50", 2.5),
        ("zh-Hans", "五", 5),
        ("zh-Hans", "零", 0),
        ("zh-CN", "二十一", 21),
        ("zh", "十", 10),
        ("zh", "一百零五", 105),
        ("zh", "一百〇五", 105),
        ("zh", "一百五", 150),
        ("zh", "一百五十", 150),
        ("zh", "两", 2),
        ("zh", "两千七", 2700),
        ("zh", "二千七百", 2700),
        ("zh", "一万二千三百四十五", 12345),
        ("zh", "三点五", 3.5),
        ("zh", "三点一四", 3.14),
        ("zh", "三个半", 3.5),
        ("zh", "零下三", -3),
        ("zh", "负三", -3),
        ("zh", "零下3", -3),
        ("zh", "零下三点五", -3.5),
        ("zh", "百分之五", 5),
        ("zh", "五%", 5),
        ("zh", "\uff15", 5),
        ("zh", "五。", 5),
        ("zh-TW", "負兩千", -2000),
        ("en", "五", 5),
        ("zh-Hans", "five", 5),
        (None, "five", 5),
        ("de", "einundzwanzig", 21),
        ("de", "minus zwei Komma fünf", -2.5),
        ("fr", "vingt-et-un", 21),
        ("xx", "five", 5),
    ],
)
def test_number(language: str | None, said: str, number: float) -> None:
    """It is read in the speaker's language, in English and in Chinese."""
    read = read_number(said, language)
    assert (read, type(read)) == (number, type(number))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ""),
        ("en", "."),
        ("en", "half"),
        ("en", "minus"),
        ("en", "percent"),
        ("en", "minus minus three"),
        ("en", "--3"),
        ("en", "\u00b15"),
        ("en", "5\u00b2"),
        ("en", "\u00bd"),
        ("en", "five six"),
        ("en", "one two three"),
        ("en", "five, six"),
        ("en", "nineteen ninety"),
        ("en", "two and three"),
        ("en", "ten to five"),
        ("en", "three point fifteen"),
        ("en", "three point"),
        ("en", "about five"),
        ("en", "five degrees"),
        ("en", "5-3"),
        ("en", "1,00"),
        ("de", "1,000"),
        ("en", "a hundred thousand"),
        ("en", "for"),
        ("en", "x" * 1000),
        ("zh", "半"),
        ("zh", "一半"),
        ("zh", "百"),
        ("zh", "三点"),
        ("zh", "三点半"),
        ("zh", "三点十五"),
        ("zh", "五六"),
        ("zh", "两三"),
        ("zh", "百分之"),
        ("zh", "零下"),
    ],
)
def test_no_number(language: str, said: str) -> None:
    """What could mean something else is not guessed."""
    assert read_number(said, language) is None


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant", "de", "fr", "ko"])
@pytest.mark.parametrize("number", [*range(0, 120, 7), 1000, 2050, 40404, 71112, -17])
def test_there_and_back(language: str, number: int) -> None:
    """Every way in which a language writes a number is read as that number."""
    written = get_rbnf_engine(language).format_number(number).text_by_ruleset
    read = {words: read_number(words, language) for words in set(written.values())}
    assert read == dict.fromkeys(read, number)

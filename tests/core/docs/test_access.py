"""docs/access.md: its tables say what the rules say, its examples have the right names."""

from collections.abc import Mapping
import json
import re

import pytest

from custom_components.homeagent.access.defaults import DEFAULTS, READY_MADE
from custom_components.homeagent.access.explaining import Explanation
from custom_components.homeagent.access.model import ENTRANCES, How, What, Where, Who
from custom_components.homeagent.access.ports import CallKind
from custom_components.homeagent.kernel.contract import Verdict
from custom_components.homeagent.kernel.requests import REQUEST_SECONDS, RequestEnd

from .markdown import anchor, fences, read, rows, section

TEXT = read("docs/access.md")
ENGLISH = json.loads(read("custom_components/homeagent/translations/en.json"))


def _table(heading: str) -> list[tuple[str, ...]]:
    return [row.cells for row in rows(TEXT) if row.heading == heading]


def test_default_rules() -> None:
    """Each with its sentence, in order."""
    told = _table("The rules you start with")
    assert told == [(one.rule.name, one.sentence) for one in DEFAULTS]


def test_ready_made_rules() -> None:
    """Each with its sentence and its risk."""
    told = _table("Ready-made rules and their risks")
    assert told == [(one.rule.name, one.sentence, one.risk) for one in READY_MADE]


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("Who", tuple(Who)),
        ("Through", ENTRANCES),
        ("What", tuple(What)),
        ("Where", tuple(Where)),
        ("How", tuple(How)),
    ],
)
def test_every_choice_of_the_form(heading: str, words: tuple[str, ...]) -> None:
    """By the name that it has in the form, in the form's order."""
    labels: Mapping[str, str] = ENGLISH["selector"][f"access_{heading.lower()}"][
        "options"
    ]
    assert [labels[str(word)] for word in words] == [row[0] for row in _table(heading)]


def test_fields_of_the_actions() -> None:
    """The examples and the text use fields that the actions have."""
    for action in ("answer_request", "explain_access"):
        (example,) = [
            one.text for one in fences(TEXT) if f"homeagent.{action}" in one.text
        ]
        fields = set(ENGLISH["services"][action]["fields"])
        used = set(re.findall(r"^  (\w+):", example, re.MULTILINE))
        assert used <= fields
        assert set(re.findall(r"`(\w+)`", TEXT)) >= fields - used - {"entrance"}


def test_explanation_is_told_whole() -> None:
    """Every key of the response that the text names is one."""
    told = Explanation(tool="t", kind=CallKind.OPEN, verdict=Verdict.ALLOW)
    named = set(re.findall(r"`told\.(\w+)`", section(TEXT, "Explaining")))
    assert named <= {*told.as_dict(), "text"}
    assert {"verdict", "things", "left_out", "concerned", "text"} <= named


def test_requests() -> None:
    """How long one waits, and how it may end."""
    asking = section(TEXT, "Asking first")
    assert REQUEST_SECONDS == 120
    assert "two minutes" in asking
    assert all(f"`{end}`" in asking for end in RequestEnd)


def test_links_lead_somewhere() -> None:
    """Every heading that is linked exists."""
    headings = {anchor(one) for one in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)}
    links = set(re.findall(r"\(#([\w-]+)\)", TEXT))
    assert links
    assert links <= headings

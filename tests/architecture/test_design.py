"""What docstrings say of the design can be looked up in docs/design.md."""

from pathlib import Path

import pytest

from .references import check_references, references, sections

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
FOLDERS = ("custom_components/homeagent", "tests", "waiter", "benchmarks", "scripts")
SMALL = (
    "## Page 2: x\n### Page 2 §2.2: x\n1. a\n2. b\n## §7: x\n## §10: x\n- **D2**: c\n"
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_reference_leads_somewhere(folder: str) -> None:
    known = sections(PAGE)
    findings: list[str] = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.parent != Path(__file__).parent:
            name = path.relative_to(ROOT).as_posix()
            findings += check_references(name, path.read_text(encoding="utf-8"), known)
    assert findings == []


def test_the_integration_makes_references() -> None:
    """A pattern that finds nothing would find no fault either."""
    texts = (ROOT / FOLDERS[0]).rglob("*.py")
    keys = {key for path in texts for key, _ in references(path.read_text("utf-8"))}
    assert keys >= {"Page 1 §1.1", "Page 2 §2.4", "§4.2", "§7.1", "Page 3 §3.3"}


@pytest.mark.parametrize(
    "text",
    [
        "(page 2 §2.2)",
        "(page 2\n    §2.2, checks 1 and 2)",
        "# see page 2\n# §2.2",
        "§2.2, check 2; §7",
        "page 2",
        "(§10, D2)",
    ],
)
def test_good_reference(text: str) -> None:
    assert check_references("f", text, sections(SMALL)) == []


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("(page 1 §1.1)", "no section 'Page 1 §1.1'"),
        ("(page 2 §2.3)", "no section 'Page 2 §2.3'"),
        ("§2.2, §2.9", "no section 'Page 2 §2.9'"),
        ("page 2 §2.2, checks 1, 3", "'Page 2 §2.2' has no number 3"),
        ("§2.2 rule 4", "has no number 4"),
        ("§7.3", "no section '§7.3'"),
        ("(§10, D3)", "has no number D3"),
        ("page 3", "no section 'Page 3'"),
        ("(plan 1c)", "no section 'Plan 1c'"),
        ("§ of the API", "no section '§ of the API'"),
    ],
)
def test_bad_reference_is_reported(text: str, finding: str) -> None:
    (found,) = check_references("f", text, sections(SMALL))
    assert finding in found


def test_section_that_stands_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two sections"):
        sections(f"{SMALL}## §7: y\n")

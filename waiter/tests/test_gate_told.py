"""What a refusal tells, to the letter: models and people act on it."""

from __future__ import annotations

from pathlib import Path

from conftest import EVERYTHING, json_lines
import pytest

from homeagent_waiter.gate import Plan, Policy, Refusal, decide
from homeagent_waiter.gate.places import Places
from homeagent_waiter.gate.plan import Code, Step
from homeagent_waiter.gate.programs import Programs
from homeagent_waiter.gate.refused import RefusedError, shown


@pytest.mark.parametrize(
    "case", json_lines("told.jsonl"), ids=lambda case: case["line"]
)
def test_refusal_tells_where_why_what_and_what_would_be_right(
    case: dict[str, str],
) -> None:
    """Stage, code, the word that was found, and a hint; for every kind of refusal."""
    assert decide(case["line"], EVERYTHING) == Refusal(
        stage=Step(case["stage"]),
        code=Code(case["code"]),
        token=case["token"],
        hint=case["hint"],
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…"),
        ("ä\t\u202e\0", "ä\\t\\u202e\\x00"),
    ],
)
def test_words_are_shown_printable_and_short(text: str, told: str) -> None:
    """Whatever was written, it can be shown."""
    error = RefusedError(Code.LINE, shown(text), "hint")
    assert error.refusal.token == told
    assert str(error) == f"line: {told}"


def refusal(line: str, policy: Policy) -> tuple[str, str, str]:
    """Return code, token and hint."""
    decision = decide(line, policy)
    assert isinstance(decision, Refusal)
    return decision.code, decision.token, decision.hint


def test_commands_that_are_listed_are_named() -> None:
    """Both lists, in order."""
    policy = Policy(allowed=frozenset({"pwd", "ls"}), unchecked=frozenset({"my"}))
    told = ("not_allowed", "nosuch", "allowed are ls my pwd")
    assert refusal("nosuch", policy) == told


@pytest.mark.parametrize(
    ("content", "mode", "listed", "told"),
    [
        (
            b"x",
            0o755,
            "ls",
            (
                "no_grammar_here",
                "ls",
                "ls of coreutils; this one is unknown;"
                " device_cmd_unchecked: [ls] runs it with any plain words",
            ),
        ),
        (
            b"x",
            0o755,
            "my",
            (
                "no_grammar",
                "my",
                "a command with a grammar;"
                " device_cmd_unchecked: [my] runs it with any plain words",
            ),
        ),
        (
            b"GNU coreutils",
            0o757,
            "ls",
            (
                "not_allowed",
                "ls",
                "a program that only root may change; {}/ls: others may write it",
            ),
        ),
    ],
)
def test_program_that_is_not_what_it_should_be(
    tmp_path: Path, content: bytes, mode: int, listed: str, told: tuple[str, str, str]
) -> None:
    """Whose it is, and what the owner could do."""
    file = tmp_path / listed
    file.write_bytes(content)
    file.chmod(mode)
    owners = frozenset({0, file.stat().st_uid})
    programs = Programs(
        path=(str(tmp_path),), owners=owners, markers=frozenset({b"GNU coreutils"})
    )
    policy = Policy(allowed=frozenset({listed}), programs=programs)
    code, token, hint = told
    assert refusal(listed, policy) == (code, token, hint.format(tmp_path))


@pytest.mark.parametrize(
    "form",
    ["{}", "{}/x", "-{}", "--{}", "-f{}", "--from={}", "--a=b={}", "a={}", "a:{}", "{}:a",
     "--mount=a:{}:ro", "a,{}", "{},a", "-I{}:a", "@{}", "a@{}", "+{}", "%{}%"],
)  # fmt: skip
@pytest.mark.parametrize("folder", ["/", "/srv"])
def test_unchecked_words_that_name_a_secret(form: str, folder: str) -> None:
    """As they stand, behind dashes and a letter, and between the usual separators."""
    places = Places(fixed=("/srv/mine",), folder=folder)
    policy = Policy(unchecked=frozenset({"my"}), places=places)
    for path in ("/srv/mine", "mine" if folder == "/srv" else "srv/mine"):
        word = form.format(path)
        if word in (f"-f{path}", f"-I{path}:a") and not path.startswith("/"):
            continue
        assert decide(f"my {word}", policy) == Refusal(
            stage=Step.VALUES, code=Code.SECRET, token=word, hint="no place of keys"
        ), word


@pytest.mark.parametrize(
    "word",
    ["", "-", "--", "x=", "=", "/srv", "/srv/mines", "srv/mine", "/x/srv/mine", "x/srv/mine",
     "--from=/srv", "-f/srv", "X/srv/mine", "/srv/mine-"],
)  # fmt: skip
def test_unchecked_words_that_name_none(word: str) -> None:
    """They come through as they are."""
    places = Places(fixed=("/srv/mine",), folder="/srv")
    plan = decide(f"my '{word}'", Policy(unchecked=frozenset({"my"}), places=places))
    assert isinstance(plan, Plan)
    assert list(plan.stages[0].argv) == ["my", word]


@pytest.mark.parametrize(
    ("words", "code"),
    [("-r x keep", "secret"), ("-r x keep/a", None), ("x keep", None)],
)
def test_only_what_is_read_to_its_depth_is_judged_so(
    tmp_path: Path, words: str, code: str | None
) -> None:
    """A folder that holds a secret, in the folder of the waiter."""
    (tmp_path / "keep/a").mkdir(parents=True)
    places = Places(fixed=(f"{tmp_path}/keep/b",), folder=str(tmp_path))
    decision = decide(f"grep {words}", Policy(places=places))
    assert (decision.code if isinstance(decision, Refusal) else None) == code

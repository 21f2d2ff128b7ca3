"""The integration keeps to the house plan, and the checks would notice if not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from . import checker, plan

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "homeagent"

CHECKS = (
    checker.check_parts,
    checker.check_core,
    checker.check_reserved,
    checker.check_platform_names,
    checker.check_kernel_words,
    checker.check_future,
    checker.check_length,
)

type Check = Callable[[Path], list[str]]
type Plant = Callable[[dict[str, str]], Path]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Return a function that writes a small house and returns its folder."""

    def write(files: dict[str, str]) -> Path:
        for name, source in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_house_plan(check: Check) -> None:
    assert check(INTEGRATION) == []


@pytest.mark.parametrize("folder", [ROOT / "tests", ROOT / "scripts"], ids=["t", "s"])
def test_tests_and_scripts_need_no_future(folder: Path) -> None:
    assert checker.check_future(folder) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_there_is_no_finding(check: Check, tmp_path: Path) -> None:
    assert check(tmp_path / "not_there") == []


@pytest.mark.parametrize(
    ("path", "source", "finding"),
    [
        (
            "kernel/a.py",
            "from ..sequence import model",
            "kernel must not import sequence",
        ),
        ("kernel/a.py", "from .. import const", "kernel must not import const"),
        ("kernel/a.py", "import custom_components.homeagent.tools", "import tools"),
        ("kernel/a.py", "from .. import DATA", "kernel must not import __init__"),
        (
            "kernel/sub/a.py",
            "from ...hosts.mcp import x",
            "kernel must not import hosts",
        ),
        ("access/a.py", "from ..hosts import mcp", "access must not import hosts"),
        ("hosts/a.py", "def f():\n    from ..sequence import x", "import sequence"),
        (
            "sequence/a.py",
            "from ..runtime import x",
            "sequence must not import runtime",
        ),
        ("tools/a.py", "from ..runtime import x", "tools must not import runtime"),
        ("tools/a.py", "from ..conversation import x", "import conversation"),
        ("sensor.py", "from .button import x", "sensor must not import button"),
        ("llm.py", "from . import conversation", "llm must not import conversation"),
        ("panel.py", "import importlib\nimportlib.import_module('.llm')", "import llm"),
        ("unheard_of.py", "from .sensor import x", "unheard_of must not import sensor"),
        ("sensor.py", "from .unheard_of import x", "sensor must not import unheard_of"),
        ("entity.py", "from .sensor import x", "entity must not import sensor"),
        ("const.py", "from .kernel import x", "const must not import kernel"),
    ],
)
def test_forbidden_part_is_reported(
    plant: Plant, path: str, source: str, finding: str
) -> None:
    house = plant(
        {
            "__init__.py": "",
            **{f"{name}/__init__.py": "" for name in (*plan.CORE, "tools")},
            **{
                f"{name}.py": ""
                for name in (
                    *plan.ENTRANCES,
                    "const",
                    "runtime",
                    "entity",
                    "unheard_of",
                )
            },
            path: source,
        }
    )

    (found,) = checker.check_parts(house)

    assert found.startswith(f"{path}:")
    assert finding in found


def test_allowed_parts_are_not_reported(plant: Plant) -> None:
    house = plant(
        {
            "__init__.py": "from . import panel, runtime, services",
            "const.py": "from homeassistant.const import Platform",
            "kernel/__init__.py": "from .door import Door",
            "kernel/door.py": "import asyncio\nfrom . import errors",
            "kernel/errors.py": "",
            "access/__init__.py": "from ..kernel.errors import Reason",
            "hosts/__init__.py": "import aiohttp\nfrom ..kernel import errors",
            "sequence/__init__.py": "from ..kernel import door",
            "tools/__init__.py": "from .. import const, hosts, sequence\nimport homeassistant",
            "runtime.py": "from . import access, hosts, kernel, sensor, tools",
            "entity.py": "from .runtime import Runtime",
            "sensor.py": "from .const import D\nfrom .entity import E\nfrom .kernel import x",
            "services.py": "",
            "panel.py": "",
        }
    )

    assert checker.check_parts(house) == []
    assert checker.check_core(house) == []


@pytest.mark.parametrize("name", sorted(plan.NOT_IN_CORE))
@pytest.mark.parametrize("part", sorted(plan.CORE))
def test_foreign_package_in_the_core_is_reported(
    plant: Plant, part: str, name: str
) -> None:
    house = plant({f"{part}/a.py": f"\nfrom {name}.core import x\n"})

    assert checker.check_core(house) == [
        f"{part}/a.py:2: {part} must not import {name}.core.x"
    ]


def test_call_past_the_door_is_reported(plant: Plant) -> None:
    house = plant(
        {
            "kernel/door.py": "async def f(tool): return await tool.call_tool(1)",
            "llm.py": "async def f(tool): return await tool.call_tool(1)",
            "services.py": "x = ToolProvider.call\ny = other.call",
            "tools/a.py": "class T:\n    async def call_tool(self, x): ...",
        }
    )

    why = "every tool call goes through the door"
    assert checker.check_reserved(house) == [
        f"llm.py:1: .call_tool is for kernel/door.py only: {why}",
        f"services.py:1: .call is for kernel/door.py only: {why}",
    ]


def test_platform_name_is_reported(plant: Plant) -> None:
    house = plant(
        {"trigger.py": "", "intent/__init__.py": "", "sensor.py": "", "x.py": ""}
    )

    assert [
        finding.partition(":")[0] for finding in checker.check_platform_names(house)
    ] == [
        "intent",
        "trigger",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "group = 1",
        "def run_group(): ...",
        "class SlotGiver: ...",
        "x = thing.slot",
        "x = 'the condition'",
        "def f(*, condition): ...",
        "f(slot=1)",
        "from .. import seq_thing",
        "x = 'seq_value'",
    ],
)
def test_word_of_sequences_in_the_kernel_is_reported(plant: Plant, source: str) -> None:
    house = plant({"kernel/a.py": source, "sequence/a.py": source})

    findings = checker.check_kernel_words(house)

    assert findings
    assert all(found.startswith("kernel/a.py:1:") for found in findings)


def test_words_of_python_in_the_kernel_are_not_reported(plant: Plant) -> None:
    house = plant(
        {
            "kernel/a.py": (
                "@dataclass(slots=True)\nclass A: ...\n"
                "async def f():\n    async with asyncio.TaskGroup(): ...\n"
                "    try: ...\n    except ExceptionGroup: ...\n"
            ),
            "kernel/errors.py": "CONDITION = 'condition'",
        }
    )

    assert checker.check_kernel_words(house) == []


def test_future_annotations_are_reported(plant: Plant) -> None:
    source = "from __future__ import annotations\n"
    house = plant({"hosts/protocol.py": source, "hosts/a.py": source})

    assert checker.check_future(house) == [
        "hosts/a.py:1: needs no annotations of the future"
    ]


def test_long_file_is_reported(plant: Plant) -> None:
    house = plant({"a.py": "x = 1\n" * 400, "b.py": "x = 1\n" * 401})

    assert checker.check_length(house) == ["b.py: 401 lines, 400 are allowed"]

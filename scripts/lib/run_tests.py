"""Run the checks and tests in stages and sum them up; see scripts/test."""

from collections.abc import Iterable
from dataclasses import dataclass, field
import os
from pathlib import Path
import shutil
import subprocess
import sys
import time
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "test-results"
NO_TESTS = 5
LIMIT = 20 * 60
LIMIT_LONG = 60 * 60
COVERED = ("kernel", "sequence", "access", "hosts")
# Options of pytest whose value is the next argument, and so is no path.
VALUED = frozenset(
    "-k -m -p -n -W -o -c -r --tb --durations --maxfail --timeout".split()
)


@dataclass
class Result:
    """What came of a stage."""

    stage: str
    state: str
    seconds: float = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    tested: bool = False

    @property
    def bad(self) -> bool:
        """Return whether the whole run fails by this stage."""
        return self.state not in ("ok", "no match", "left out")


@dataclass
class Suite:
    """A stage that runs pytest."""

    name: str
    folders: tuple[str, ...]
    python: Path = ROOT / ".venv/bin/python"
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    coverage: bool = False
    browser: bool = False
    # How many processes a whole run has, each with some of the files.
    processes: int = 1
    limit: float = LIMIT


SUITES = (
    Suite(
        "core",
        ("tests/core", "tests/architecture"),
        # These run without Home Assistant; its plugin would load it.
        options=("-p", "no:homeassistant"),
        coverage=True,
    ),
    Suite("home assistant", ("tests/ha",), processes=2),
    Suite("end to end", ("tests/e2e",), browser=True),
    Suite(
        "waiter",
        ("waiter/tests",),
        options=("-c", "waiter/pyproject.toml", "-p", "no:homeassistant"),
    ),
    Suite(
        "waiter on 3.11",
        ("waiter/tests",),
        python=ROOT / ".venv-waiter311/bin/python",
        options=("-c", "waiter/pyproject.toml"),
    ),
)


MODEL = Suite(
    "real model",
    ("tests/model",),
    # What the model said is for people to read.
    options=("-s",),
    limit=LIMIT_LONG,
    environment={
        "HOMEAGENT_MODEL_PYTHON": str(ROOT / ".venv-model/bin/python"),
        "HOMEAGENT_MODEL_FILE": str(ROOT / ".venv-model/model.gguf"),
    },
)
"""Runs only when it is asked for: it compiles the model's server."""


@dataclass
class Request:
    """The arguments, taken apart."""

    long: bool = False
    model: bool = False
    options: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    filtered: bool = False

    @property
    def partial(self) -> bool:
        """Return whether only some tests were asked for."""
        return bool(self.options or self.paths)


def parse(arguments: Iterable[str]) -> Request:
    """Tell paths from options, and take the paths relative to the root."""
    request = Request()
    origin = Path(os.environ.get("HOMEAGENT_ORIGIN", ROOT))
    value = False
    for argument in arguments:
        if value or argument.startswith("-"):
            if not value and argument == "--long":
                request.long = True
                continue
            if not value and argument == "--with-model":
                request.model = True
                continue
            if not value and argument[:2] in ("-k", "-m"):
                request.filtered = True
            value = not value and argument in VALUED
            request.options.append(argument)
            continue
        name, separator, node = argument.partition("::")
        found = next((p for p in (ROOT / name, origin / name) if p.exists()), None)
        if found is None:
            raise SystemExit(f"scripts/test: there is no {name}.")
        path = found.resolve()
        if not path.is_relative_to(ROOT):
            raise SystemExit(f"scripts/test: {name} is not in this work tree.")
        request.paths.append(f"{path.relative_to(ROOT)}{separator}{node}")
    return request


def chosen(suite: Suite, request: Request) -> list[str]:
    """Return the paths of this suite that are to run."""
    if not request.paths:
        return list(suite.folders)
    targets: list[str] = []
    for path in request.paths:
        wanted = ROOT / path.partition("::")[0]
        for folder in suite.folders:
            if wanted.is_relative_to(ROOT / folder):
                targets.append(path)
            elif (ROOT / folder).is_relative_to(wanted):
                targets.append(folder)
    return targets


def heading(name: str) -> None:
    """Print where a stage begins."""
    print(f"\n===== {name} =====", flush=True)


def run(command: list[str], limit: float, environment: dict[str, str]) -> int | None:
    """Run a command and return its exit code, or None when it took too long."""
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            check=False,
            stdin=subprocess.DEVNULL,
            env=os.environ | environment,
            timeout=limit,
        ).returncode
    except subprocess.TimeoutExpired:
        print(f"Stopped: it took longer than {limit:.0f} seconds.", flush=True)
        return None


def run_check(name: str, script: str) -> Result:
    """Run a stage that is a script of its own."""
    heading(name)
    begun = time.monotonic()
    code = run([str(ROOT / script)], LIMIT, {})
    state = "ok" if code == 0 else "failed"
    return Result(name, state, time.monotonic() - begun)


def find_browser() -> str | None:
    """Return a browser's path, which may mean to install one."""
    found = subprocess.run(
        [ROOT / "scripts/lib/chromium"],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    return found.stdout.strip() if found.returncode == 0 else None


def coverage_options(request: Request) -> list[str]:
    """Return the options that measure coverage, for a full run only."""
    if request.partial:
        return []
    base = ROOT / "custom_components/homeagent"
    packages = [name for name in COVERED if (base / name).is_dir()]
    return [
        "--cov-branch",
        "--cov-report=term",
        *(f"--cov={base.relative_to(ROOT)}/{name}" for name in packages),
    ]


def read_counts(report: Path, result: Result) -> None:
    """Read from pytest's report how many tests passed, failed and were skipped."""
    if not report.exists():
        return
    for suite in ET.parse(report).iter("testsuite"):  # noqa: S314
        tests, errors, failures, skipped = (
            int(suite.get(name, 0))
            for name in ("tests", "errors", "failures", "skipped")
        )
        result.failed += errors + failures
        result.skipped += skipped
        result.passed += max(0, tests - errors - failures - skipped)


def run_suite(suite: Suite, targets: list[str], request: Request) -> Result:
    """Run a stage of tests."""
    heading(suite.name)
    begun = time.monotonic()
    missing = [path for path in suite.folders if not (ROOT / path).is_dir()]
    if missing and not request.paths:
        print(f"There is no {missing[0]}.", flush=True)
        return Result(suite.name, "missing", failed=1, tested=True)
    environment = dict(suite.environment)
    if suite.browser:
        browser = find_browser()
        if browser is None:
            return Result(suite.name, "no browser", failed=1, tested=True)
        environment["HOMEAGENT_CHROMIUM"] = browser

    report = RESULTS / f"{suite.name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    command = [str(suite.python), "-m", "pytest", *suite.options]
    command += ["--rootdir", str(ROOT), f"--junit-xml={report}"]
    if suite.coverage:
        command += coverage_options(request)
    if suite.processes > 1 and not request.partial:
        command += ["-n", str(suite.processes), "--dist", "loadfile"]
    if request.long:
        command += ["-m", ""]
    code = run(
        [*command, *request.options, *targets],
        LIMIT_LONG if request.long else suite.limit,
        environment,
    )

    result = Result(suite.name, "failed", time.monotonic() - begun, tested=True)
    read_counts(report, result)
    if code == 0:
        result.state = "ok"
    elif code == NO_TESTS:
        result.state = "no match" if request.filtered else "no tests"
    elif code is None:
        result.state = "too long"
    if result.bad and not result.failed:
        result.failed = 1
    return result


def summarize(results: list[Result]) -> int:
    """Print the table and the closing line; return the exit code."""
    heading("summary")
    print(
        f"{'stage':<16}{'result':<12}{'seconds':>8}{'passed':>8}{'failed':>8}{'skipped':>9}"
    )
    for result in results:
        counts = (result.passed, result.failed, result.skipped)
        shown = counts if result.tested else ("-", "-", "-")
        print(
            f"{result.stage:<16}{result.state:<12}{result.seconds:>8.1f}"
            f"{shown[0]:>8}{shown[1]:>8}{shown[2]:>9}"
        )
    passed = sum(result.passed for result in results)
    # A stage that failed as a whole, such as a check, counts as one.
    failed = sum(
        max(1, result.failed) if result.bad else result.failed for result in results
    )
    if not passed and not failed:
        print("No test was run.")
        failed = 1
    print(f"\n{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def main() -> int:
    """Run what the arguments ask for."""
    request = parse(sys.argv[1:])
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir()
    results: list[Result] = []
    if not request.partial:
        results.append(run_check("lint", "scripts/lint"))
        results.append(run_check("types", "scripts/typecheck"))
    suites = list(SUITES)
    if request.model:
        results.append(run_check("the model", "scripts/lib/model"))
        suites.append(MODEL)
    for suite in suites:
        targets = chosen(suite, request)
        if not targets:
            continue
        if not suite.python.exists():
            results.append(Result(suite.name, "left out"))
            continue
        results.append(run_suite(suite, targets, request))
    return summarize(results)


if __name__ == "__main__":
    sys.exit(main())

"""References name what is declared, and lead somewhere (§7.3, §7.4).

Part of the static checks (page 2 §2.1, §2.2, checks 2 and 6); pure.
"""

from collections.abc import Iterable
from functools import partial

from .callees import Resolve, result_shape
from .fields import nearest_name
from .findings import Findings
from .model import CALL_TOOLS, Group, Reference
from .problems import Path, list_names, show
from .reference_syntax import format_reference, format_steps
from .shapes import DeadEnd, Shape, declared, follow, narrowed
from .usage import Use, uses_of


def check_references(
    group: Group, path: Path, findings: Findings, resolve: Resolve
) -> None:
    """Check every reference of a group, and that every input and output has a use."""
    uses = list(uses_of(group, path))
    told: set[tuple[Path, Reference]] = set()
    for use in uses:
        if (use.path, use.reference) in told:
            continue
        told.add((use.path, use.reference))
        if use.reference.root == "args":
            _check_input(use, group, path, findings)
        else:
            _check_output(use, group, path, findings)
    check_results(group, path, findings, resolve, uses)
    if not any(gap[: len(path)] == path for gap in findings.gaps):
        _check_unused(group, path, findings, uses)


def _check_input(use: Use, group: Group, path: Path, findings: Findings) -> None:
    reference = use.reference
    if not reference.steps or (*path, "in") in findings.gaps:
        return
    key = str(reference.steps[0])
    parameter = group.inputs.get(key)
    if parameter is None:
        findings.error(
            "arg_undeclared",
            use.path,
            partial(findings.reference_spot, use.path, reference),
            written=format_reference(reference),
            key=show(key),
            legal=list_names(group.inputs),
            nearest=_nearest_input(key, group),
        )
    else:
        _check_steps(use, declared(parameter), findings)


def _nearest_input(key: str, group: Group) -> str:
    """Return the reference that was meant; text right behind a key asks for braces."""
    for end in range(len(key) - 1, 0, -1):
        if key[:end] in group.inputs:
            return f"${{args.{key[:end]}}}"
    near = nearest_name(key, group.inputs)
    return f"$args.{near}" if near else ""


def _check_output(use: Use, group: Group, path: Path, findings: Findings) -> None:
    code = _output_fault(use, group, path, findings)
    if code is None:
        slot = group.outputs.get(str(use.reference.steps[0]))
        if slot is not None:
            _check_steps(use, declared(slot), findings)
        return
    key = str(use.reference.steps[0])
    near = nearest_name(key, group.outputs)
    findings.error(
        code,
        use.path,
        partial(findings.reference_spot, use.path, use.reference),
        written=format_reference(use.reference),
        key=show(key),
        legal=list_names(group.outputs),
        nearest=f"$out.{near}" if near else "",
    )


def _output_fault(use: Use, group: Group, path: Path, findings: Findings) -> str | None:
    """Return why a slot cannot be read here, None where it can, or nothing is known."""
    key = str(use.reference.steps[0])
    if use.entry is None:
        return "when_reads_out"
    if group.parallel and (*path, "parallel") not in findings.gaps:
        return "out_in_parallel"
    if (*path, "out") in findings.gaps:
        return None
    if key not in group.outputs:
        return "out_undeclared"
    written = {entry.as_ for entry in group.tools[: use.entry]}
    broken = (*path, "tools") in findings.gaps or any(
        {(*path, "tools", index), (*path, "tools", index, "as")} & findings.gaps
        for index in range(use.entry)
    )
    return None if key in written or broken else "out_not_written"


def _check_steps(use: Use, shape: Shape, findings: Findings) -> None:
    """No step behind the key may lead nowhere for certain."""
    end = follow(shape, use.reference.steps[1:])
    if isinstance(end, DeadEnd):
        _dead_end(use, end, findings)


def _dead_end(use: Use, end: DeadEnd, findings: Findings) -> None:
    before = Reference(
        root=use.reference.root, steps=use.reference.steps[: end.index + 1]
    )
    findings.error(
        "no_such_step" if end.shape.members is None else "no_such_key",
        use.path,
        partial(findings.reference_spot, use.path, use.reference),
        written=format_reference(use.reference),
        before=format_reference(before),
        type=end.shape.type,
        step=format_steps(use.reference.steps[end.index + 1 : end.index + 2]),
        legal=list_names(end.shape.members or {}),
    )


def check_results(
    group: Group,
    path: Path,
    findings: Findings,
    resolve: Resolve,
    uses: Iterable[Use],
) -> None:
    """A step into the result of a call by name must be one that its callee gives."""
    if not any(entry.tool in CALL_TOOLS for entry in group.tools):
        return
    shapes: list[Shape | None] = []
    for index, entry in enumerate(group.tools):
        shape = result_shape(entry, resolve)
        if isinstance(shape, DeadEnd):
            findings.error(
                "select_leads_nowhere",
                (*path, "tools", index, "select"),
                step=format_steps((entry.select or ())[shape.index : shape.index + 1]),
                legal=list_names(shape.shape.members or {}),
            )
            shape = None
        shapes.append(shape)
    for use in uses:
        if use.entry is not None and use.reference.root == "out":
            _check_result(use, group, shapes[: use.entry], findings)


def _check_result(
    use: Use, group: Group, shapes: list[Shape | None], findings: Findings
) -> None:
    key = str(use.reference.steps[0])
    slot = group.outputs.get(key)
    written = [
        shape
        for shape, entry in zip(shapes, group.tools, strict=False)
        if entry.as_ == key
    ]
    known = [shape for shape in written if shape is not None]
    if slot is None or not known or len(known) < len(written):
        return
    outer = declared(slot)
    if isinstance(follow(outer, use.reference.steps[1:]), DeadEnd):
        return  # told already
    _check_steps(use, narrowed(outer, known), findings)


def _check_unused(
    group: Group, path: Path, findings: Findings, uses: Iterable[Use]
) -> None:
    """Inputs that nobody reads, outputs that nobody writes: warnings (§7.3 rule 6)."""
    reads = {use.reference for use in uses if use.reference.root == "args"}
    whole = any(not reference.steps for reference in reads)
    read = {reference.steps[0] for reference in reads if reference.steps}
    for key in group.inputs:
        if not whole and key not in read:
            findings.warning(
                "input_unused",
                (*path, "in", key),
                key=show(key),
                written=format_reference(Reference(root="args", steps=(key,))),
            )
    written = {entry.as_ for entry in group.tools}
    for key in group.outputs:
        if key not in written:
            findings.warning("output_unwritten", (*path, "out", key), key=show(key))

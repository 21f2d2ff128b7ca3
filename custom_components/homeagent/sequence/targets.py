"""What `seq_call` and `seq_when_call` name (§8, §8.2 rule 5).

    target = group | "#" sequence [ "/" group ]

Low layer of the language; whether the target exists is for others to say.
"""

from collections.abc import Mapping

from .model import Argument, CallTarget
from .names import name_fault, normal_name


def parse_target(text: str) -> CallTarget | None:
    """Return what a target names; None for a form that can name nothing."""
    if not text.strip().startswith("#"):
        group = normal_name(text)
        return None if name_fault(group) else CallTarget(group=group)
    sequence, slash, group = text.strip()[1:].partition("/")
    names = [normal_name(sequence), *([normal_name(group)] if slash else [])]
    if any(map(name_fault, names)):
        return None
    return CallTarget(sequence=names[0], group=names[1] if slash else None)


def target_of(args: Mapping[str, Argument]) -> CallTarget | None:
    """Return the target among the arguments of a call; None where there is none."""
    target = args.get("target")
    return parse_target(target) if isinstance(target, str) else None


def format_target(target: CallTarget) -> str:
    """Return a target as it is written."""
    if target.sequence is None:
        return target.group or ""
    group = f"/{target.group}" if target.group is not None else ""
    return f"#{target.sequence}{group}"

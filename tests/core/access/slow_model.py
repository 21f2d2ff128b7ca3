"""Who may do what, told a second time: slow, plain, from the rules' own page.

Knows the tables of the small home and the words of a rule, and nothing of the policy,
of its ports or of how the home's views resolve a call. It looks at every rule and every
entity again for every question.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from custom_components.homeagent.access.model import AccessRule
from custom_components.homeagent.kernel.contract import Caller

from .house import House

SETS_NO_TARGET = {"notify.phone", "shell_command.wipe", "group.set"}
HARMLESS = {"tool_search"}
CAPABLE = ("script.", "scene.", "automation.")
ONLY = {"light.turn_on": "light.", "lock.unlock": "lock.", "scene.turn_on": "scene."}
READS = {"get_state", "find_entities"}


@dataclass(frozen=True)
class Outcome:
    """`no`, `ask` or `yes`; on what entities; how many were left out."""

    answer: str
    acts_on: frozenset[str] = frozenset()
    left_out: int = 0


NO = Outcome("no")


@dataclass(frozen=True)
class Question:
    """One call of one caller, in a home with rules."""

    house: House
    rules: tuple[AccessRule, ...]
    caller: Caller
    tool: str
    arguments: Mapping[str, list[str]]

    # ---- who -------------------------------------------------------------

    def user(self) -> str:
        """Return what the caller's user is, `none` without one."""
        if self.caller.user_id is None:
            return "none"
        kind = self.house.users.get(self.caller.user_id)
        return "nobody" if kind is None else kind.value

    def is_voice_device(self) -> bool:
        """A device that spoke, with no person's login behind it."""
        return (
            self.caller.device_id is not None
            and self.caller.entrance in ("conversation", "sentence")
            and self.user() in ("none", "system")
        )

    def concerns(self, rule: AccessRule) -> bool:
        """Whether a rule is for this caller and this entrance."""
        if not rule.enabled:
            return False
        if self.caller.entrance == "system":
            return False
        if self.caller.entrance == "automation":
            return (
                "automations" in rule.who
                and "automation" in rule.through
                and rule.how == "allow"
            )
        ways = {self.caller.entrance.value}
        if "sentence" in ways:
            ways.add("conversation")
        if not ways & {each.value for each in rule.through}:
            return False
        if self.caller.entrance == "unknown":
            return "unknown" in rule.who
        user = self.user()
        if user == "nobody":
            return False
        return (
            (user != "none" and self.caller.user_id in rule.users)
            or ("administrators" in rule.who and user == "administrator")
            or ("signed_in" in rule.who and user in ("administrator", "person"))
            or ("voice_devices" in rule.who and self.is_voice_device())
            or (self.is_voice_device() and self.caller.device_id in rule.devices)
            or ("unknown" in rule.who and user == "none" and not self.is_voice_device())
        )

    # ---- where -----------------------------------------------------------

    def place(self, area: str | None, rule: AccessRule) -> bool:
        """Whether a rule reaches an area, or what stands in none."""
        if area is None:
            return "no_area" in rule.where
        if area in rule.areas or self.house.floors.get(area) in rule.floors:
            return True
        speaks = self.is_voice_device() and self.caller.area_id == area
        return "speaking_area" in rule.where and speaks

    def area_of(self, entity_id: str) -> str | None:
        """Its own area first, then its device's."""
        entity = self.house.entities[entity_id]
        if entity.area is not None:
            return entity.area
        return None if entity.device is None else self.house.devices[entity.device]

    def reaches(self, rule: AccessRule, entity_id: str) -> bool:
        """Whether a rule's `where` holds an entity."""
        if "everywhere" in rule.where:
            return True
        entity = self.house.entities.get(entity_id)
        if entity is None:
            return False
        exposed = "exposed" in rule.where and entity.exposed
        return exposed or self.place(self.area_of(entity_id), rule)

    # ---- what ------------------------------------------------------------

    def names_tool(self, rule: AccessRule) -> bool:
        """Whether a pattern of the rule fits the tool; `*` stops at a dot."""
        return any(fits(pattern, self.tool) for pattern in rule.tools)

    def everything(self, rule: AccessRule) -> bool:
        """Whether the rule leaves nothing out."""
        return "everything" in rule.what and "everywhere" in rule.where

    def whole(self, rule: AccessRule) -> bool:
        """Whether the rule grants this caller everything."""
        return self.concerns(rule) and self.everything(rule)

    def grants_entity(self, rule: AccessRule, entity_id: str) -> bool:
        """Whether one rule grants the tool on one entity."""
        if not self.concerns(rule):
            return False
        exists = entity_id in self.house.entities
        exposed = exists and self.house.entities[entity_id].exposed
        if entity_id.startswith(CAPABLE) and self.tool not in READS:
            judged_by_exposure = "exposed" in rule.where and exposed
            named = entity_id in rule.entities or self.tool in (
                rule.tools if self.tool == entity_id else ()
            )
            return (
                self.everything(rule)
                or (named and ("everywhere" in rule.where or judged_by_exposure))
                or (
                    judged_by_exposure
                    and bool({"entity_actions", "everything"} & rule.what)
                )
            )
        wide = "reading" if self.tool in READS else "entity_actions"
        what = (
            "everything" in rule.what
            or wide in rule.what
            or entity_id in rule.entities
            or self.names_tool(rule)
        )
        return what and self.reaches(rule, entity_id)

    def grants_sequence(self, rule: AccessRule, sequence: str) -> bool:
        """Whether one rule grants to run one sequence."""
        if not self.concerns(rule):
            return False
        view = self.house.sequences[sequence]
        what = (
            bool({"everything", "running_sequences"} & rule.what)
            or sequence in rule.sequences
            or self.names_tool(rule)
        )
        where = "everywhere" in rule.where or ("exposed" in rule.where and view.exposed)
        ways = {each.value for each in rule.through}
        only_sentences = (
            self.caller.entrance == "sentence" and "conversation" not in ways
        )
        return what and where and (view.has_sentences or not only_sentences)

    def grants_host(self, rule: AccessRule, host: str) -> bool:
        """Whether one rule grants commands on one host."""
        what = bool({"everything", "hosts"} & rule.what) or self.names_tool(rule)
        if not (self.concerns(rule) and what):
            return False
        return "everywhere" in rule.where or self.place(self.house.devices[host], rule)

    def grants_bare(self, rule: AccessRule) -> bool:
        """Whether one rule grants a call that has no target to look at."""
        if not self.concerns(rule):
            return False
        if self.everything(rule) or self.names_tool(rule):
            return True
        if self.tool == "seq_create":
            return bool({"proposing_sequences", "editing_sequences"} & rule.what)
        return self.tool == "seq_delete" and "editing_sequences" in rule.what

    # ---- together --------------------------------------------------------

    def best(self, granting: Iterable[AccessRule]) -> str:
        """A plain rule wins over one that asks; none is no."""
        hows = {rule.how.value for rule in granting}
        return "yes" if "allow" in hows else "ask" if "ask" in hows else "no"

    def of_entity(self, entity_id: str) -> str:
        """Judge one entity alone, with HA's own permissions on top."""
        if (self.caller.user_id, entity_id) in self.house.forbidden:
            return "no"
        return self.best(
            rule for rule in self.rules if self.grants_entity(rule, entity_id)
        )

    def of_named(self, entity_id: str) -> str:
        """Judge an entity with everything that stands behind it."""
        behind = self.house_members(entity_id)
        if not entity_id.startswith("group."):
            behind |= {entity_id}
        if not behind:  # it comes to nothing, and nobody knows why
            return self.best(r for r in self.rules if self.whole(r))
        return worst(self.of_entity(each) for each in behind)

    def house_members(self, entity_id: str) -> set[str]:
        """Return all members, and theirs; no group of HA's own, which acts on nothing."""
        found: set[str] = set()
        now = {entity_id}
        while now:
            entities = [self.house.entities[e] for e in now if e in self.house.entities]
            now = {member for each in entities for member in each.members} - found
            found |= now
        return {one for one in found if not one.startswith("group.")}

    def outcome(self) -> Outcome:
        """Answer the question."""
        caller_rules = [rule for rule in self.rules if self.concerns(rule)]
        whole = self.best(rule for rule in self.rules if self.whole(rule))
        if self.tool in HARMLESS:
            return Outcome("yes") if caller_rules else NO
        if self.tool == "find_entities":
            reads = [
                rule
                for rule in caller_rules
                if {"reading", "everything"} & rule.what
                or rule.entities
                or self.names_tool(rule)
            ]
            return Outcome("yes") if reads else NO
        bare = ("seq_create", "seq_delete", *SETS_NO_TARGET)
        first = "yes"
        if self.tool in bare:
            first = self.best(rule for rule in caller_rules if self.grants_bare(rule))
            if first == "no":
                return NO
        if self.tool in ("seq_create", "notify.phone", "shell_command.wipe"):
            return Outcome(first)
        if self.tool in ("seq_run", "seq_delete", "host_run"):
            return self.of_things(first, whole)
        if self.tool == "group.set":
            return self.of_entities(first, set(self.ids("entity_id")), set())
        if self.tool == "script.movie":
            return self.of_entities("yes", {"script.movie"}, set())
        return self.of_target(whole)

    def of_things(self, first: str, whole: str) -> Outcome:
        """Judge sequences and hosts; what is not there needs everything."""
        key = "host" if self.tool == "host_run" else "name"
        known = self.house.devices if self.tool == "host_run" else self.house.sequences
        named = self.ids(key)
        answers = [first]
        if not named or any(one not in known for one in named):
            answers.append(whole)
        for one in named:
            if one in known and self.tool == "host_run":
                answers.append(
                    self.best(r for r in self.rules if self.grants_host(r, one))
                )
            if one in known and self.tool == "seq_run":
                answers.append(
                    self.best(r for r in self.rules if self.grants_sequence(r, one))
                )
        return Outcome(worst(answers))

    def of_target(self, whole: str) -> Outcome:
        """Judge a target: what is named must be granted each, what is reached is cut."""
        direct = {one for one in self.ids("entity_id") if one != "all"}
        reached = {one for one in self.house.entities if self.is_reached(one)} - direct
        given = any(self.ids(key) for key in ("entity_id", *KEYS))
        doubtful = not given or self.is_lost() or not (direct or reached)
        if not doubtful:
            return self.of_entities("yes", direct, reached)
        if whole == "no":
            return NO
        if not (direct or reached):
            return Outcome(whole)
        return self.of_entities(whole, direct, reached)

    def of_entities(self, first: str, direct: set[str], reached: set[str]) -> Outcome:
        """Judge entities; a call on nothing but what was cut away is refused."""
        kept = {one for one in reached if self.of_named(one) != "no"}
        if reached and not kept and not direct:
            return NO
        answer = worst([first, *map(self.of_named, direct | kept)])
        if answer == "no":
            return NO
        return Outcome(answer, frozenset(direct | kept), len(reached - kept))

    def ids(self, key: str) -> list[str]:
        """Return the ids of one argument."""
        return self.arguments.get(key, [])

    def is_reached(self, entity_id: str) -> bool:
        """Whether the target reaches an entity that the tool acts on."""
        if not entity_id.startswith(ONLY.get(self.tool, "")):
            return False
        entity = self.house.entities[entity_id]
        area = self.area_of(entity_id)
        return (
            "all" in self.ids("entity_id")
            or entity.device in self.ids("device_id")
            or any(label in entity.labels for label in self.ids("label_id"))
            or (area is not None and area in self.ids("area_id"))
            or (
                area is not None and self.house.floors.get(area) in self.ids("floor_id")
            )
        )

    def is_lost(self) -> bool:
        """Whether the target names a place that is not there."""
        labels = [x for each in self.house.entities.values() for x in each.labels]
        return (
            any(one not in self.house.areas for one in self.ids("area_id"))
            or any(one not in labels for one in self.ids("label_id"))
            or any(one not in self.house.devices for one in self.ids("device_id"))
            or any(
                one not in self.house.floors.values() for one in self.ids("floor_id")
            )
        )


KEYS = ("area_id", "floor_id", "label_id", "device_id")


def worst(answers: Iterable[str]) -> str:
    """No beats ask, and ask beats yes."""
    given = set(answers)
    return "no" if "no" in given else "ask" if "ask" in given else "yes"


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern fits, letter by letter."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        if fits(pattern[1:], name):
            return True
        return bool(name) and name[0] != "." and fits(pattern, name[1:])
    return bool(name) and name[0] == pattern[0] and fits(pattern[1:], name[1:])

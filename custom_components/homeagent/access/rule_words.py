"""The words that sentences about rules are made of, in English and Chinese.

Beside `model`; imports the kernel's contract only. `rule_sentence` puts them together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..kernel.contract import Entrance
from .model import What, Where, Who
from .risks import Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's words; `singles` are for what a rule names itself, by field."""

    sentence: str
    within: str
    asked: str
    off: str
    comma: str
    last_and: str
    last_or: str
    more: str
    who: Mapping[Who, str]
    through: Mapping[Entrance, str]
    where: Mapping[Where, str]
    what: Mapping[What, str]
    singles: Mapping[str, str]
    risks: Mapping[Risk, str]


ENGLISH: Final = Words(
    sentence="{who} may {what}{within}, {through}{asked}.",
    within=" {where}",
    asked=", after a person has agreed",
    off="Off: {sentence}",
    comma=", ",
    last_and=" and ",
    last_or=" or ",
    more="{number} more",
    who={
        Who.ADMINISTRATORS: "administrators",
        Who.SIGNED_IN: "everyone who is signed in",
        Who.VOICE_DEVICES: "everyone who speaks to a voice device",
        Who.AUTOMATIONS: "automations",
        Who.UNKNOWN: "whatever acts by itself",
    },
    through={
        Entrance.DIRECT: "when they act themselves",
        Entrance.AUTOMATION: "in automations",
        Entrance.CONVERSATION: "through a conversation",
        Entrance.MCP: "through an MCP client",
        Entrance.SENTENCE: "by a sentence of a sequence",
        Entrance.UNKNOWN: "with nobody behind it",
    },
    where={
        Where.NO_AREA: "in no area",
        Where.SPEAKING_AREA: "in the area of the voice device that spoke",
        Where.EXPOSED: "as far as it is exposed to Assist",
    },
    what={
        What.EVERYTHING: "do everything",
        What.ENTITY_ACTIONS: "switch entities",
        What.READING: "read states and history",
        What.RUNNING_SEQUENCES: "run sequences",
        What.PROPOSING_SEQUENCES: "have drafts of sequences written",
        What.EDITING_SEQUENCES: "create, change and delete sequences",
        What.HOSTS: "run commands on hosts",
    },
    singles={
        "users": "{names}",
        "devices": "whoever speaks to {names}",
        "areas": "in {names}",
        "floors": "on {names}",
        "tools": "use {names}",
        "entities": "switch and read {names}",
        "sequences": "run {names}",
    },
    risks={
        Risk.EVERYTHING: (
            "A text that reaches a model can do whatever the person can: unlock doors,"
            " run shell commands, restart Home Assistant."
        ),
        Risk.HOSTS: (
            "A text that reaches a model, such as a web page, can make it read whatever"
            " the host lets be read."
        ),
        Risk.MESSAGES: (
            "A text that reaches a model can make it send what it knows of your home to"
            " someone else."
        ),
        Risk.EDITING: (
            "A text that reaches a model can write a sequence that an automation runs"
            " later with all rights."
        ),
        Risk.CODE: (
            "A text that reaches a model can run commands or programs with it, and"
            " change Home Assistant itself."
        ),
        Risk.HIDDEN: (
            "A text that reaches a model can work what is not exposed to Assist, such as"
            " locks and alarm systems."
        ),
        Risk.ANYONE_NEAR: (
            "Whoever is near a voice device can do this: a child, a guest, a voice from"
            " the television."
        ),
        Risk.UNKNOWN: (
            "Nobody stands behind such a call, so nobody can be held to it: every"
            " template and every device that acts by itself can do this."
        ),
        Risk.HOUSEHOLD: (
            "Everyone with a login can do this, also what only administrators may do"
            " otherwise: run shell commands, restart Home Assistant."
        ),
    },
)

CHINESE: Final = Words(
    sentence="{who}可以{through}{what}{within}{asked}。",
    within="（{where}）",
    asked="，但须先经人同意",
    off="已停用：{sentence}",
    comma="、",
    last_and="和",
    last_or="或",
    more="另外 {number} 个",
    who={
        Who.ADMINISTRATORS: "管理员",
        Who.SIGNED_IN: "所有已登录的用户",
        Who.VOICE_DEVICES: "对语音设备说话的任何人",
        Who.AUTOMATIONS: "自动化",
        Who.UNKNOWN: "来历不明的调用",
    },
    through={
        Entrance.DIRECT: "亲自操作",
        Entrance.AUTOMATION: "在自动化中",
        Entrance.CONVERSATION: "通过对话",
        Entrance.MCP: "通过 MCP 客户端",
        Entrance.SENTENCE: "通过序列的语句",
        Entrance.UNKNOWN: "在无人操作时",
    },
    where={
        Where.NO_AREA: "不属于任何区域的",
        Where.SPEAKING_AREA: "说话的语音设备所在区域",
        Where.EXPOSED: "仅限已公开给 Assist 的",
    },
    what={
        What.EVERYTHING: "做任何事",
        What.ENTITY_ACTIONS: "操作实体",
        What.READING: "读取状态与历史",
        What.RUNNING_SEQUENCES: "运行序列",
        What.PROPOSING_SEQUENCES: "起草序列",
        What.EDITING_SEQUENCES: "创建、修改和删除序列",
        What.HOSTS: "在主机上运行命令",
    },
    singles={
        "users": "{names}",
        "devices": "对 {names} 说话的人",
        "areas": "区域 {names}",
        "floors": "楼层 {names}",
        "tools": "使用 {names}",
        "entities": "操作和读取 {names}",
        "sequences": "运行 {names}",
    },
    risks={
        Risk.EVERYTHING: (
            "进入模型的一段文字就能做这个人能做的一切：开锁、运行 shell 命令、重启 Home"
            " Assistant。"
        ),
        Risk.HOSTS: "进入模型的一段文字（例如网页）能让它读取主机允许读取的任何内容。",
        Risk.MESSAGES: "进入模型的一段文字能让它把所知道的家中情况发送给别人。",
        Risk.EDITING: "进入模型的一段文字能写出一个序列，之后由自动化以全部权限运行。",
        Risk.CODE: "进入模型的一段文字能借此运行命令或程序，并更改 Home Assistant 本身。",
        Risk.HIDDEN: "进入模型的一段文字能操作未公开给 Assist 的设备，例如门锁和警报系统。",
        Risk.ANYONE_NEAR: "语音设备附近的任何人都能这样做：孩子、客人、电视里的声音。",
        Risk.UNKNOWN: (
            "这种调用背后没有人，也就无人负责：任何模板和任何自行动作的设备都能这样做。"
        ),
        Risk.HOUSEHOLD: (
            "每个有登录账户的人都能这样做，包括原本只有管理员能做的事：运行 shell"
            " 命令、重启 Home Assistant。"
        ),
    },
)


def words_of(language: str) -> Words:
    """Return the words of a language; English where there are no others."""
    return CHINESE if is_chinese(language) else ENGLISH


def is_chinese(language: str) -> bool:
    """Whether a language tag means Chinese."""
    return language.lower().startswith("zh")

"""What is said aloud about a run, in the languages that are known: a catalogue.

Data only. A language is chosen by its beginning (`zh`), English stands for all others.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.errors import Reason

PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "ok": "{name} is done.",
        "ok_out": "{name} is done: {out}.",
        "partial": "{name} is done, but not all of it: {failures}.",
        "failed": "{name} has failed: {failures}.",
        "cancelled": "{name} was cancelled.",
        "started": "{name} has started and takes a while.",
        "refused": "I could not run {name}: {failures}.",
        "may_not_run": "I may not run {name} for you.",
        "may_not_do_part": "I could not run {name}: I may not do a part of it for you.",
        "rights": (
            "{said} An administrator can change that in Home Assistant, under Settings, "
            "Devices & services, HomeAgent, access rules."
        ),
        "unconfirmed": (
            "{name} needs somebody's consent, and did nothing. The question waits in "
            "HomeAgent."
        ),
        "choices": "I did not understand {heard} for {key}. You can say: {choices}.",
        "no_value": "I did not understand {heard} for {key}. It should be {type}.",
        "several": "That could mean {names}. Please say it in another way.",
        "gone": "That sequence is not there any more.",
        "internal": "Something went wrong inside HomeAgent. The log tells more.",
        "failure": "{what}: {why}",
        "more": "and {count} more",
        "join": ", ",
        "or": ", ",
        "value": "{key}: {value}",
        "yes": "yes",
        "no": "no",
    },
    "zh": {
        "ok": "{name}已完成。",
        "ok_out": "{name}已完成：{out}。",
        "partial": "{name}已完成，但有部分没有做到：{failures}。",
        "failed": "{name}失败了：{failures}。",
        "cancelled": "{name}已取消。",
        "started": "{name}已开始，还需要一些时间。",
        "refused": "无法运行{name}：{failures}。",
        "may_not_run": "我没有权限为您运行{name}。",
        "may_not_do_part": "无法运行{name}：其中有一部分我没有权限为您执行。",
        "rights": (
            "{said}管理员可以在 Home Assistant 的设置、设备与服务、HomeAgent、"
            "访问规则中更改。"
        ),
        "unconfirmed": "{name}需要有人同意，什么都没有做。请求正在 HomeAgent 中等待。",
        "choices": "没有听懂{key}“{heard}”。可以说：{choices}。",
        "no_value": "没有听懂{key}“{heard}”。应当是{type}。",
        "several": "这可能是指{names}。请换一种说法。",
        "gone": "这个序列已经不存在了。",
        "internal": "HomeAgent 内部出错了，日志里有详细信息。",
        "failure": "{what}{why}",
        "more": "另有{count}项",
        "join": "，",
        "or": "、",
        "value": "{key}是{value}",
        "yes": "是",
        "no": "否",
    },
}

REASONS: Final[Mapping[str, Mapping[Reason, str]]] = {
    "en": {
        Reason.REQUIRED: "an input is missing",
        Reason.TYPE: "a value is of the wrong kind",
        Reason.VALUE: "a value is not accepted",
        Reason.ARGUMENTS: "its arguments cannot be read",
        Reason.UNAUTHORIZED: "not allowed",
        Reason.UNCONFIRMED: "somebody has to agree first",
        Reason.NOT_FOUND: "it does not exist",
        Reason.UNAVAILABLE: "not available",
        Reason.TIMEOUT: "no answer in time",
        Reason.CANCELLED: "cancelled",
        Reason.BUSY: "busy",
        Reason.REFUSED: "refused",
        Reason.FAILED: "it failed",
        Reason.INTERNAL: "a bug",
        Reason.FORBIDDEN: "not allowed in a sequence",
        Reason.CONDITION: "a condition cannot be judged",
        Reason.DEPTH: "the calls go too deep",
        Reason.CYCLE: "the calls go in a circle",
    },
    "zh": {
        Reason.REQUIRED: "缺少输入",
        Reason.TYPE: "值的类型不对",
        Reason.VALUE: "值不被接受",
        Reason.ARGUMENTS: "参数无法读取",
        Reason.UNAUTHORIZED: "没有权限",
        Reason.UNCONFIRMED: "需要有人先同意",
        Reason.NOT_FOUND: "不存在",
        Reason.UNAVAILABLE: "不可用",
        Reason.TIMEOUT: "没有及时回应",
        Reason.CANCELLED: "已取消",
        Reason.BUSY: "正忙",
        Reason.REFUSED: "被拒绝",
        Reason.FAILED: "执行失败",
        Reason.INTERNAL: "程序出错",
        Reason.FORBIDDEN: "在序列中不允许",
        Reason.CONDITION: "条件无法判断",
        Reason.DEPTH: "调用层数过深",
        Reason.CYCLE: "调用成环",
    },
}

TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "integer": "a whole number",
        "number": "a number",
        "boolean": "on or off",
    },
    "zh": {"integer": "整数", "number": "数字", "boolean": "“开”或“关”"},
}
"""What a value should be, by the types of inputs that cannot be any text."""

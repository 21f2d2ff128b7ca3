"""Default and ready-made rules in Chinese: one sentence each, and the risk.

Lowest layer of the package; the keys and the English texts are those of `defaults`.
"""

from collections.abc import Mapping
from typing import Final

_CLIENTS: Final = {"conversation": "对话", "mcp": " MCP 客户端"}

_READY: Final = {
    "hosts": (
        "管理员可以通过{by}在自己的主机上运行命令。",
        "进入{by}的一段文字（例如网页）能让它读取主机允许读取的任何内容。",
    ),
    "messages": (
        "管理员可以通过{by}向任何接收者发送消息。",
        "进入{by}的一段文字能让它把所知道的家中情况发送给别人。",
    ),
    "editing": (
        "管理员可以通过{by}创建、修改和删除序列。",
        "进入{by}的一段文字能写出一个序列，之后由自动化以全部权限运行。",
    ),
    "everything": (
        "管理员可以通过{by}做任何事。",
        (
            "进入{by}的一段文字能做您能做的一切：开锁、运行 shell 命令、重启 Home"
            " Assistant。"
        ),
    ),
}

CHINESE_READY: Final[Mapping[str, tuple[str, str]]] = {
    "administrators_directly": (
        "管理员亲自操作时（通过动作、按钮或面板）可以做任何事。",
        "",
    ),
    "people_directly": (
        (
            "所有已登录的用户亲自操作时，可以操作和读取 Home Assistant"
            " 允许其控制的内容，并运行任何序列。"
        ),
        "",
    ),
    "people_talking": (
        (
            "所有已登录的用户（包括管理员）可以通过对话或 MCP 客户端操作和读取已公开给"
            " Assist 的内容，并运行已公开的序列。"
        ),
        "",
    ),
    "voice_devices": (
        "对语音设备说话的任何人可以操作和读取已公开给 Assist 的内容，并运行已公开的序列。",
        "",
    ),
    "administrators_propose": (
        "管理员可以让对话或 MCP 客户端起草序列；在管理员确认之前，草稿什么也不做。",
        "",
    ),
    "sentences": (
        "说出序列语句的人可以运行该序列；其中每一步都需要说话的设备或人具有相应权限。",
        "",
    ),
    "automations": ("自动化可以做任何事：它们是管理员编写的。", ""),
    "unknown": (
        "自行动作的一切（例如模板或设备）可以读取已公开给 Assist 的内容。",
        "",
    ),
} | {
    f"{key}_{client}": (sentence.format(by=by), risk.format(by=by))
    for key, (sentence, risk) in _READY.items()
    for client, by in _CLIENTS.items()
}
"""The sentence and the risk by key; no risk is an empty text."""

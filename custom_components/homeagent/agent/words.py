"""What the agent itself says, in English and Chinese: one catalogue.

Pure. English stands in where there is no other text. A placeholder is `{name}`.
"""

from typing import Final

ENGLISH: Final = "en"
CHINESE: Final = "zh-Hans"

WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        # The model server
        "unreachable": "I cannot reach the model server.",
        "timeout": "The model server did not answer within {detail} seconds.",
        "too_slow": "The model's answer took longer than {detail} seconds, so I stopped.",
        "bad_key": "The model server does not accept the API key. An administrator can"
        " enter a new one in HomeAgent's settings.",
        "forbidden": "The model server does not allow this request.",
        "not_found": "The model server does not know this model, or the address is not"
        " that of a chat completions server.",
        "rate_limit": "The model server gets too many requests at the moment. Please try"
        " again later.",
        "no_credit": "The account at the model server has no credit left.",
        "overloaded": "The model server is overloaded or not ready. Please try again.",
        "server_error": "The model server reports an error of its own.",
        "too_long": "This conversation is too long for the model. Please start a new one.",
        "no_tools": "The model server does not know tools, so I can do nothing in the"
        " home with it.",
        "no_streaming": "The model server cannot stream its answers.",
        "no_pictures": "The model cannot see pictures.",
        "refused": "The model server refused the request.",
        "broken_off": "The connection to the model server broke off.",
        "not_understood": "I did not understand the model server's answer.",
        "too_much": "The model's answer was much longer than any answer should be, so I"
        " stopped.",
        "it_says": "It says: {detail}",
        # The turn
        "one_moment": "One moment, please.",
        "done": "Done: {what}.",
        "done_noted": "Please note: {what}.",
        "unavailable": "unavailable: {entities}",
        "in_part": "a part was not done",
        "remark": "there is something to note",
        "still_running": "still running",
        "not_done": "This did not work: {what}.",
        "no_answer": "The model gave no answer.",
        "cut_off": "(The answer was cut off at the model's token limit.)",
        "filtered": "The model server's content filter held the answer back.",
        "too_many_rounds": "I stopped after {rounds} rounds of tool calls without coming"
        " to an end.",
        "nothing_heard": "I did not hear anything.",
        "internal": "Something went wrong inside HomeAgent; its log tells more.",
        "no_prompt": "The instructions of this agent cannot be rendered; the template has"
        " an error.",
        # Asking first
        "ask_one": "Please say yes or no: shall I do this: {what}?",
        "ask_many": "Please say yes or no: shall I do all of this: {what}?",
        "declined": "All right, I left it.",
        "expired": "That request is no longer waiting, so I did nothing.",
        # Pictures
        "picture_hidden": "[{label}: a picture, which this model cannot see]",
        "file_hidden": "[{label}: a file of type {kind}, which is not shown]",
        "file_missing": "[{label}: cannot be read]",
        "picture_before": "[{label}: a picture, shown in an earlier turn]",
        # Without a model
        "can_do": "Without a language model I list sequences and run them by name. Say:"
        " list sequences, or: run, and a name.",
        "no_sequences": (
            "There are no sequences that I may run for you. In the settings of the voice"
            " assistants, the button of a sequence can be exposed to Assist."
        ),
        "sequences": "I can run: {names}.",
        "more_sequences": "I can run: {names}, and {count} more.",
        "did_you_mean": "Did you mean {names}?",
        "not_known": "I know no sequence like that.",
        "which_value": "What is {name} for {sequence}?",
        "which_of": "{name} is one of {choices}. Which one for {sequence}?",
        "left": "All right, I run nothing.",
    },
    "zh-Hans": {
        "unreachable": "我连接不上模型服务器。",
        "timeout": "模型服务器在 {detail} 秒内没有回应。",
        "too_slow": "模型的回答超过了 {detail} 秒，所以我停止了。",
        "bad_key": "模型服务器不接受该 API 密钥。管理员可以在 HomeAgent 的设置中输入新的密钥。",
        "forbidden": "模型服务器不允许此请求。",
        "not_found": "模型服务器不认识这个模型，或者该地址不是聊天补全服务器。",
        "rate_limit": "模型服务器目前收到的请求过多，请稍后再试。",
        "no_credit": "模型服务器上的账户余额已用完。",
        "overloaded": "模型服务器负载过高或尚未就绪，请再试一次。",
        "server_error": "模型服务器报告了它自身的错误。",
        "too_long": "这次对话对模型来说太长了，请开始新的对话。",
        "no_tools": "模型服务器不支持工具，所以我无法用它操作家里的设备。",
        "no_streaming": "模型服务器无法流式输出回答。",
        "no_pictures": "该模型看不了图片。",
        "refused": "模型服务器拒绝了请求。",
        "broken_off": "与模型服务器的连接中断了。",
        "not_understood": "我看不懂模型服务器的回答。",
        "too_much": "模型的回答远远超出了正常长度，所以我停止了。",
        "it_says": "它说：{detail}",
        "one_moment": "请稍等。",
        "done": "已完成：{what}。",
        "done_noted": "请注意：{what}。",
        "unavailable": "不可用：{entities}",
        "in_part": "有一部分没有执行",
        "remark": "有需要注意的地方",
        "still_running": "仍在运行",
        "not_done": "未能完成：{what}。",
        "no_answer": "模型没有给出回答。",
        "cut_off": "（回答达到模型的令牌上限而被截断。）",
        "filtered": "模型服务器的内容过滤器拦下了回答。",
        "too_many_rounds": "经过 {rounds} 轮工具调用仍未结束，我停止了。",
        "nothing_heard": "我什么也没听到。",
        "internal": "HomeAgent 内部出错了，详情见日志。",
        "no_prompt": "无法生成此助手的指令：模板有错误。",
        "ask_one": "请说“是”或“否”：要我执行这项操作吗：{what}？",
        "ask_many": "请说“是”或“否”：要我执行以下全部操作吗：{what}？",
        "declined": "好的，我没有执行。",
        "expired": "该请求已不再等待，所以我什么也没做。",
        "picture_hidden": "[{label}：一张图片，此模型看不了]",
        "file_hidden": "[{label}：类型为 {kind} 的文件，未显示]",
        "file_missing": "[{label}：无法读取]",
        "picture_before": "[{label}：在之前的轮次中显示过的图片]",
        "can_do": "没有语言模型时，我可以列出序列并按名称运行。请说：列出序列；或者说：运行，再加上名称。",
        "no_sequences": "没有我可以为您运行的序列。可以在语音助手的设置中，把序列的按钮公开给 Assist。",
        "sequences": "我可以运行：{names}。",
        "more_sequences": "我可以运行：{names}，还有另外 {count} 个。",
        "did_you_mean": "您是指{names}吗？",
        "not_known": "我不知道这样的序列。",
        "which_value": "{sequence} 的 {name} 是什么？",
        "which_of": "{name} 可选：{choices}。{sequence} 用哪一个？",
        "left": "好的，我什么都不运行。",
    },
}


def language_of(language: str) -> str:
    """Return the catalogue's language for Home Assistant's name of one."""
    return CHINESE if language.lower().startswith("zh") else ENGLISH


def say(key: str, language: str, **values: object) -> str:
    """Return a sentence of the catalogue with its places filled."""
    return WORDS[language_of(language)][key].format(**values)


def listed(names: list[str], language: str) -> str:
    """Return names as one enumeration."""
    return ("、" if language_of(language) == CHINESE else ", ").join(names)


FILLERS: Final = frozenset(texts["one_moment"] for texts in WORDS.values())
"""What is said to pass the time; no part of what a model said."""

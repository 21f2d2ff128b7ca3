"""What models are told about the execution of their calls (§6.5).

Beside `batch` and `gate`, whose rules these texts state: one text for calls of one
reply that are run as a batch, one for calls that another agent starts one by one.
"""

from typing import Final

BATCH: Final = {
    "en": (
        "Tool calls in one reply run at the same time by default. Do not use the output "
        "of one call in another call of the same reply: make the second call in your "
        "next reply. Two exceptions, in which all calls of the reply run one after the "
        "other, in the order you wrote them: (1) two calls act on the same output channel "
        "or the same entity; (2) a call uses a tool that is not declared parallel safe."
    ),
    "zh-Hans": (
        "同一条回复中的工具调用默认同时执行。不要把一个调用的输出用作同一条回复中另一个调用的输入："
        "请在下一条回复中再发出第二个调用。有两种例外，此时该回复中的所有调用按书写顺序依次执行："
        "（1）两个调用作用于同一输出通道或同一实体；（2）某个调用使用了未声明可安全并行的工具。"
    ),
}

GATE: Final = {
    "en": (
        "Tool calls start in the order you wrote them and run at the same time by default. "
        "Do not use the output of one call in another call of the same reply: make the "
        "second call in your next reply. Two exceptions: (1) a call that acts on the same "
        "output channel or the same entity as a running call waits for it; (2) a call to a "
        "tool that is not declared parallel safe runs alone, and later calls wait for it."
    ),
    "zh-Hans": (
        "工具调用按书写顺序开始，默认同时执行。不要把一个调用的输出用作同一条回复中另一个调用的输入："
        "请在下一条回复中再发出第二个调用。有两种例外：（1）与正在执行的调用作用于同一输出通道或同一"
        "实体的调用会等待其结束；（2）对未声明可安全并行的工具的调用单独执行，后面的调用会等待它。"
    ),
}


def execution_rules(language: str, *, gate: bool = False) -> str:
    """Return the section on tool execution; English where there is no other text."""
    texts = GATE if gate else BATCH
    return texts["zh-Hans" if language.lower().startswith("zh") else "en"]

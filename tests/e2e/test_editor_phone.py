"""The editor on a phone, in Chinese."""

import re

from demohome.folder import LEAN_CONFIGURATION
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from playwright.async_api import expect

from .at_editor import AtEditor
from .person import person_at

PHONE = (390, 844)
LONG = "巡检三节点并把所有灯都打开然后关上窗帘再通知全家人"
GROUPS = [
    {
        "name": LONG,
        "in": {"host": {"type": "string", "description": LONG, "default": "nas"}},
        "tools": [
            {
                "tool": "persistent_notification.create",
                "args": {"message": f"$args.host {LONG}", "title": LONG},
            },
            {"tool": "no.such_tool_of_a_name_that_is_rather_long", "args": {"a": 1}},
        ],
        "missing": "skip",
    }
]

_DEEP_TEXT = """() => {
  const read = node => node.nodeType === 3 ? node.data :
    ['STYLE', 'SCRIPT'].includes(node.nodeName) ? '' :
    [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(read).join(' ');
  return read(document.querySelector('home-assistant'));
}"""
_WIDE = """() => {
  const wide = [];
  const look = node => {
    // Code scrolls by itself.
    if (node.nodeName === 'PRE') return;
    const box = node.getBoundingClientRect?.();
    if (box && box.width && box.right > innerWidth + 1 &&
        getComputedStyle(node).visibility !== 'hidden') wide.push(node.nodeName);
    for (const child of [...(node.shadowRoot?.children ?? []), ...node.children])
      look(child);
  };
  const dialog = document.querySelector('home-assistant').shadowRoot
    .querySelector('dialog-data-entry-flow');
  look(dialog);
  return wide;
}"""
_RAW = re.compile(r"component\.homeagent|formatjs|\{(?!host)\w+\}|\bat_\w+\b|\brow_\w+")


async def sound(at: AtEditor, name: str) -> None:
    """Assert that a page has no raw key and nothing beyond the edge of the screen."""
    await at.picture(f"phone-{name}")
    text = str(await at.page.evaluate(_DEEP_TEXT))
    assert _RAW.findall(text) == [], name
    assert await at.page.evaluate(_WIDE) == [], name


async def test_on_a_phone_in_chinese(home: RealHome) -> None:
    """Every page of the editor is whole, and in the person's language."""
    made = await home.api.call_action(
        "homeagent.seq_create", {"name": LONG, "groups": GROUPS}
    )
    assert made["success"], made
    async with person_at(home, locale="zh-CN", size=PHONE) as person:
        await person.log_in()
        at = AtEditor(person)
        await person.open("/config/integrations/integration/homeagent")
        row = at.page.locator("ha-config-entry-row").filter(has_text=LONG)
        await row.get_by_label("配置").first.click()
        await expect(at.title("序列编辑器")).to_be_visible()
        await sound(at, "editor")
        assert "现在没有工具" in str(await at.page.evaluate(_DEEP_TEXT))
        await at.choose("详情和输入")
        await sound(at, "details")
        await at.press("下一步")
        await at.choose("组")
        await sound(at, "groups")
        # The line of the list is too short for the name.
        below = at.page.locator("step-flow-menu").get_by_text(LONG, exact=True)
        await expect(below).to_be_visible()
        await at.page.locator("ha-list-item").first.click()
        await expect(at.page.get_by_text("从输入中读到的内容")).to_be_visible()
        await sound(at, "group")
        await at.choose("编辑")
        await at.fill("最长", "20")
        await at.press("下一步")
        await expect(at.page.locator("ha-alert")).to_contain_text('请写 "20s"')
        await sound(at, "error")
        await at.fill("最长", "20s")
        await at.press("下一步")
        await at.choose("返回组列表", "返回编辑器", "以 JSON 编辑")
        await sound(at, "json")
        await at.press("下一步")
        await sound(at, "check")
        await at.choose("返回编辑器", "立即运行")
        await sound(at, "run")
        await at.press("运行")
        await expect(at.page.get_by_text("部分完成").first).to_be_visible()
        await expect(at.page.get_by_text("请在这一行另选一个")).to_be_visible()
        await sound(at, "report")
        await at.choose("返回编辑器", "删除")
        await sound(at, "delete")
    assert complaints(home.log_text()) == []


async def test_lists_on_a_phone_in_chinese() -> None:
    """In the place of menus; what a line of a menu has below itself is not lost."""
    async with (
        RealHome(HomeOptions(configuration=LEAN_CONFIGURATION)) as home,
        person_at(home, locale="zh-CN", size=PHONE) as person,
    ):
        wants_lists = {"next_step_id": "kernel", "lists": True}
        await home.api.run_flow("homeagent", wants_lists, {})
        made = await home.api.call_action(
            "homeagent.seq_create", {"name": LONG, "groups": GROUPS}
        )
        assert made["success"], made
        await person.log_in()
        at = AtEditor(person)
        await person.open("/config/integrations/dashboard/add?domain=homeagent")
        await at.page.get_by_role("button", name="确定").click()
        await expect(at.page.get_by_role("radio", name="序列")).to_be_checked()
        await sound(at, "list-begin")
        await at.press("下一步")
        await expect(at.page.get_by_role("radio", name="从模板")).to_be_visible()
        await sound(at, "list-sequence")
        await person.open("/config/integrations/integration/homeagent")
        row = at.page.locator("ha-config-entry-row").filter(has_text=LONG)
        await row.get_by_label("配置").first.click()
        await at.mark("组")
        await sound(at, "list-editor")
        await at.press("下一步")
        await expect(at.page.get_by_role("radio", name=LONG)).to_be_checked()
        await sound(at, "list-groups")
        await at.press("下一步")
        await expect(at.page.get_by_role("radio", name="编辑")).to_be_visible()
        await sound(at, "list-group")
        log = home.log_text()
    assert complaints(log) == []

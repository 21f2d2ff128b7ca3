"""The editor on a phone, in Chinese, and its forms by keyboard."""

import json
import re

from demohome.log import complaints
from demohome.real_home import RealHome
from playwright.async_api import Locator, Page, expect

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
_FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const words = node => node?.getAttribute?.('aria-label') || node?.textContent?.trim();
  return words(at) || words(at?.getRootNode().host) || at?.nodeName;
}"""


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


async def _tab_to(page: Page, label: str, key: str = "Tab") -> None:
    """Press Tab until something of that label has the focus."""
    passed = []
    for _ in range(60):
        await page.keyboard.press(key)
        passed.append(str(await page.evaluate(_FOCUSED))[:40])
        if label in passed[-1]:
            return
    raise AssertionError(f"{label} cannot be reached by keyboard: {passed}")


async def _open_new_row(page: Page) -> None:
    """Go from the form's first field to the list of calls, and open a new row."""
    # A dialog that opens or closes moves the focus once, a little later.
    await page.wait_for_timeout(1000)
    await _tab_to(page, "Name")
    await _tab_to(page, "Add")
    await page.keyboard.press("Space")
    await expect(page.get_by_text("Or a tool").first).to_be_visible()


async def _add_row(page: Page) -> None:
    # Forward stands Home Assistant's YAML editor, which takes the key for itself.
    await _tab_to(page, "Cancel", "Shift+Tab")
    await _tab_to(page, "Add")
    await page.keyboard.press("Space")
    await expect(page.get_by_text("Or a tool")).to_be_hidden()


async def _create_without_menus(at: AtEditor) -> None:
    """Make a sequence on the page of actions, where everything can be reached."""
    page = at.page
    await at.person.open("/config/tools/action")
    await expect(page.get_by_text("Perform action")).to_be_visible()
    await _tab_to(page, "YAML mode")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_placeholder("Search").last).to_be_focused()
    await page.keyboard.type("seq_create")
    await expect(page.get_by_text("homeagent.seq_create").last).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    name = page.get_by_role("textbox").first
    await expect(name).to_be_visible()
    await _tab_into(page, name)
    await page.keyboard.type("Night")
    # To the check box of the description, to that of the groups, into the editor.
    for key in ("Tab", "Tab", "Space", "Tab"):
        await page.keyboard.press(key)
    groups = [{"name": "g", "tools": [{"tool": "wait", "args": {"seconds": 0}}]}]
    await page.keyboard.insert_text(json.dumps(groups))
    await at.picture("actions-by-keyboard")
    # From now on the key leaves the editor.
    await page.keyboard.press("Control+m")
    await _tab_to(page, "Enter fullscreen")
    await _tab_to(page, "function")
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Response").first).to_be_visible()


async def _tab_into(page: Page, field: Locator) -> None:
    for _ in range(20):
        await page.keyboard.press("Tab")
        if await field.evaluate("node => node.getRootNode().activeElement === node"):
            return
    raise AssertionError("the field cannot be reached by keyboard")


async def test_forms_by_keyboard(home: RealHome) -> None:
    """Rows of both kinds are added and a group is sent without a mouse.

    Enter would submit the form, from wherever it is pressed. Home Assistant's menus
    cannot be reached by keyboard: its page of actions is the way around.
    """
    groups = [{"name": "g", "tools": [{"tool": "wait", "args": {"seconds": 0}}]}]
    made = await home.api.call_action(
        "homeagent.seq_create", {"name": "Keys", "groups": groups}
    )
    assert made["success"], made
    async with person_at(home) as person:
        await person.log_in()
        at = AtEditor(person)
        await at.open("Keys")
        await at.choose("Groups", "1. g (1 call)", "Edit")
        await expect(at.title("Group")).to_be_visible()
        page = at.page
        await _open_new_row(page)
        await _tab_to(page, "Or a tool")
        await page.keyboard.type("seq_list")
        await _add_row(page)
        await expect(at.rows(0)).to_contain_text("seq_list")
        await _open_new_row(page)
        await _tab_to(page, "Add action")
        await page.keyboard.press("Enter")
        await expect(page.get_by_placeholder("Search").last).to_be_focused()
        await page.keyboard.type("dismiss all")
        await expect(page.get_by_text("Dismiss all").last).to_be_visible()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        chosen = page.get_by_role("paragraph").filter(has_text="Deletes all persistent")
        await expect(chosen).to_be_visible()
        await _add_row(page)
        await expect(at.rows(0)).to_contain_text("persistent_notification.dismiss_all")
        await _tab_to(page, "Next")
        await page.keyboard.press("Space")
        await expect(page.get_by_text("3 calls at the same time")).to_be_visible()
        await _create_without_menus(at)
    listed = await home.api.call_action("homeagent.seq_list", {})
    assert "Night" in json.dumps(listed)

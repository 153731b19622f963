#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""page_browser_test.py MAKE_PAGES [AXE_JS]: opens pages of all sizes in headless Chromium from disk,
and does what people do there: select by click, key, row and link, sort, filter, search, zoom, change
the theme, copy, print. No page may write an error to its console or request anything.

Skipped (77) where there is no chromium or no python3-selenium. AXE_JS, or the variable
ROOFMARK_AXE, names axe.min.js of the npm package axe-core; without it accessibility is checked by
this file alone.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import page_outputs
import still_pages
from in_browser import CONTRAST, GEOMETRY, By, Keys, Page, at_any_width, at_width, check, requests_of, start

# How many walls have names, and dots that these cover.
WALLS = """
const boxes = (query) => [...document.querySelectorAll(query)].map((part) => [part, part.getBoundingClientRect()]);
const names = boxes('svg.live .rung-name').filter(([name]) => / (compulsory only|[+] )/.test(name.textContent));
const covered = [];
for (const [name, a] of names) {
  for (const [dot, b] of boxes('svg.live .point circle:last-child')) {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
      covered.push(`${name.textContent} covers ${dot.parentNode.getAttribute('aria-label')}`);
    }
  }
}
return [names.length, covered];
"""

SIZES = ("one", "demo", "thirty", "large", "stencil", "lulesh")


def test_geometry(page):
    for width in (1280, 400):
        at_width(page.driver, width)
        for size in SIZES:
            page.open(size)
            for kind in [None] + page.all(".group button"):
                if kind:
                    kind.click()
                wrong = page.run(GEOMETRY)
                check(not wrong, f"{size} at {width}: {wrong[:5]}")
        check(page.run("return document.documentElement.scrollWidth") <= width, f"page is wider than {width}")
    at_any_width(page.driver)


def test_walls_of_each_region(page):
    """Their names cover no dot, also where a small screen has little room."""
    at_width(page.driver, 400)
    walls = [0, 0]
    for size in ("demo", "thirty", "stencil", "lulesh"):
        page.open(size)
        for row in page.all("table.regions tbody tr"):
            page.run("arguments[0].querySelector('a').click()", row)
            names, covered = page.run(WALLS)
            walls[0] += names
            walls[1] += len(page.all("svg.live .wall"))
            check(not covered, f"{size}: {covered}")
    check(walls[0] > 10, f"{walls[0]} of {walls[1]} walls have names")
    at_any_width(page.driver)


def test_select(page):
    page.open("thirty")
    rows = page.all("table.regions tbody tr")
    page.run("arguments[0].scrollIntoView({block: 'center'})", rows[5])
    rows[5].find_element(By.CSS_SELECTOR, "td:nth-child(4)").click()
    first = page.title()
    check(rows[5].find_element(By.CSS_SELECTOR, "a").text in first, "a row selects")
    address = page.driver.current_url
    check("#region=" in address, "the address names the region")
    point = page.run("""const points = [...document.querySelectorAll('.point:not(.selected)')];
        return points[points.length - 1];""")
    wanted = point.get_attribute("aria-label").split(" ")[0]
    page.run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", point)
    check(page.title().split(" ")[0] == wanted, "a click selects")
    page.run("document.querySelector('.point[tabindex=\"0\"]').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    label = page.driver.switch_to.active_element.get_attribute("aria-label")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    check(page.title().split(" ")[0] == label.split(" ")[0], "a key selects")
    page.open("thirty", "#" + address.split("#", 1)[1])
    check(page.title() == first, "a link selects")
    page.driver.back()


def test_every_dot_by_keyboard(page):
    page.open("thirty")
    count = len(page.all(".point"))
    page.run("document.querySelector('.point[tabindex=\"0\"]').focus()")
    reached = set()
    for _ in range(count):
        page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        active = page.driver.switch_to.active_element
        reached.add(active.get_attribute("data-region"))
        check(len(active.get_attribute("aria-label")) > 10, "every dot has a name")
    check(len(reached) == count, f"{len(reached)} of {count} dots are reached")


def test_table(page):
    page.open("thirty")
    heads = page.all("table.regions thead button")
    time_head = next(head for head in heads if head.text == "time")
    page.run("arguments[0].click()", time_head)
    column = [head.text for head in heads].index("time") + 1
    seconds = page.run("""return [...document.querySelectorAll('table.regions tbody tr')].map(
        (row) => row.cells[arguments[0]].textContent)""", column - 1)

    def value(text):
        number = re.match(r"([\d.]+) (ks|ms|us|ns|s)", text)
        return float(number[1]) * {"ks": 1e3, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[number[2]]
    values = [value(text) for text in seconds if text != "-"]
    check(values == sorted(values, reverse=True), "sorted by time")
    page.run("arguments[0].click()", next(head for head in heads if head.text == "region"))
    before = page.shown()
    page.run("document.querySelector('button.fold').click()")
    check(page.shown() < before, "a fold hides what is inside")


def test_filters(page):
    page.open("thirty")
    everything, dots = page.shown(), len(page.all(".point"))
    page.one("input[type=search]").send_keys("spmv")
    check(0 < page.shown() < everything, "search leaves some rows")
    check(len(page.all(".point")) < dots, "and some dots")
    check("of 30 regions" in page.one(".status").text, "and says how many")
    page.one("input[type=search]").clear()
    page.one("input[type=search]").send_keys(Keys.SPACE)
    choose(page, "share of time", "0.05")
    check(page.shown() < everything, "a share of time leaves some rows")


def field(page, label):
    return next(each for each in page.all(".fields label") if each.text.startswith(label))


def choose(page, label, value):
    page.run("""const input = arguments[0].querySelector('select'); input.value = arguments[1];
        input.dispatchEvent(new Event('change'));""", field(page, label), value)


def why(page, label):
    """Why a filter is disabled; empty where it is not."""
    reason = field(page, label).find_element(By.CSS_SELECTOR, ".why").text
    disabled = not field(page, label).find_element(By.CSS_SELECTOR, "input, select").is_enabled()
    check(disabled == bool(reason), f"{label}: disabled {disabled}, and says \"{reason}\"")
    return reason


def test_filters_of_views(page):
    """Name, share and precision act in every view; the level where levels differ."""
    page.open("thirty")
    slopes = lambda: page.run("return document.querySelectorAll('svg.live .roof.memory').length")
    check(why(page, "memory level"), "the roofline has one level")
    for kind in page.all(".group button"):
        kind.click()
        every = len(page.all(".point"))
        for label in ("name", "share of time"):
            check(not why(page, label), f"{label} in {kind.text}")
        choose(page, "share of time", "0.05")
        check(0 < len(page.all(".point")) < every, f"a share of time in {kind.text}")
        choose(page, "share of time", "0")
        check(len(page.all(".point")) == every, "all are back")
    hierarchical, cache_aware = page.all(".group button")[1:3]
    for kind, less in ((hierarchical, True), (cache_aware, False)):
        kind.click()
        every, lines = len(page.all(".point")), slopes()
        choose(page, "memory level", "DRAM")
        check((len(page.all(".point")) < every) == less, f"dots of one level in {kind.text}")
        check(slopes() == 1 < lines, f"one slope in {kind.text}")
        check(not page.run(GEOMETRY), "labels stay apart")
        choose(page, "memory level", "")
    check(why(page, "precision") == "(all FLOPs are dp)", "one precision")
    check(why(page, "roofs of fewer cores"), "only in the roofline")
    page.open("one")
    check(why(page, "name") and why(page, "share of time"), "one region needs no filter")


def test_loops(page):
    page.open("lulesh")
    buttons = page.all("button.loops")
    check(len(buttons) > 5, "the table says which regions have hot loops")
    check("hot loop" in buttons[0].text, "in words")
    page.run("arguments[0].focus()", buttons[0])
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    summary = page.driver.switch_to.active_element
    check(summary.tag_name == "summary" and page.all(".loop[open] .code td"), "a key shows the code")
    text = page.one(".loop[open]").text
    for wanted in ("of the run's time", "Floating-point arithmetic", "iteration", "executed", "instruction"):
        check(wanted in text, f"{wanted} in {text[:300]}")
    summary.send_keys(Keys.ENTER)
    check(not page.all(".loop[open]"), "a key hides it")
    page.run("document.querySelector('.loop summary').click()")
    at_width(page.driver, 400)
    check(page.run("return document.documentElement.scrollWidth") <= 400, "code makes the page no wider")
    at_any_width(page.driver)
    # A region without any says nothing; a link to one with loops shows them closed.
    page.run("""[...document.querySelectorAll('table.regions tbody tr')].find(
        (row) => row.textContent.includes('CalcCourantConstraint')).querySelector('a').click()""")
    check("Hot loops" not in page.one(".panel").text, "none where there are none")


def test_a_telephones_first_screen(page):
    """The roofline and the sentence to begin with, below one line of health."""
    at_width(page.driver, 400, 800)
    for size in SIZES:
        page.open(size)
        ends = page.run("""const end = (query) => {
            const part = document.querySelector(query);
            return part ? part.getBoundingClientRect().bottom : 0; };
          return [end('.health'), end('.first li'), end('svg.live')];""")
        check(ends[2] <= 800, f"{size}: the roofline ends at {ends[2]:.0f} of 800")
        check(ends[1] < ends[2], f"{size}: the first sentence ends at {ends[1]:.0f}")
        check(not page.all("details.foldable[open]"), f"{size}: the rest is folded")
        if page.all(".health"):
            check(page.one(".health").rect["height"] < 70, f"{size}: health is short")
            page.one(".health summary").click()
            check(page.one(".health li").is_displayed(), f"{size}: and opens")
    at_width(page.driver, 1280, 800)
    check(page.one(".health li").is_displayed() and page.all(".filters[open]"), "open where there is room")
    at_any_width(page.driver)


def test_zoom_and_theme(page):
    page.open("demo")
    dots = len(page.all(".point"))
    ticks = page.run("return [...document.querySelectorAll('svg.live .tick')].map((t) => t.textContent)")
    page.button("+").click()
    page.button("+").click()
    check(page.run("return [...document.querySelectorAll('svg.live .tick')].map((t) => t.textContent)")
          != ticks, "zoom changes the axes")
    check(not page.run(GEOMETRY), "labels stay apart when zoomed")
    page.button("Reset").click()
    check(len(page.all(".point")) == dots, "all dots are back")
    for _ in range(2):
        low = page.run(CONTRAST)
        check(not low, f"contrast: {low}")
        before = page.run("return document.documentElement.dataset.theme")
        page.one("button.theme").click()
        check(page.run("return document.documentElement.dataset.theme") != before, "the theme changes")


# Names of the marks at the edge, and whether each has a text beside it.
MARKS = """
const texts = [...document.querySelectorAll('svg.live .dot-name')].map((text) => text.textContent);
return [...document.querySelectorAll('svg.live .point path')].map((mark) => {
  const key = mark.parentNode.getAttribute('aria-label').split(' ')[0];
  return [key, texts.filter((text) => text.startsWith(key + ' ') || text.startsWith(key + ':')).join()];
});
"""


def test_what_lies_outside_of_the_axes(page):
    """A mark at the edge, with its value where there is room; one button shows all, another one the cluster."""
    for width in (1280, 400):
        at_width(page.driver, width)
        page.open("lulesh")
        dots, marks = len(page.all(".point")), page.run(MARKS)
        check(len(marks) == 2, f"marks: {marks}")
        check(width == 400 or all("GFLOP/s" in text for _, text in marks), f"{width}: have their values: {marks}")
        page.button("Show all").click()
        check(not page.run(MARKS) and len(page.all(".point")) == dots, "all are dots")
        check(not page.run(GEOMETRY), f"{width}: labels stay apart in the whole")
        page.button("Zoom to dots").click()
        near = len(page.all(".point"))
        check(5 < near < dots and not page.run(MARKS), f"{near} of {dots} dots take time")
        check(f"{dots - near} dots are outside of this view" in page.one(".status").text, "and says so")
        check(not page.run(GEOMETRY), f"{width}: labels stay apart in the cluster")
        page.button("Reset").click()
        check(len(page.run(MARKS)) == 2, "the first view again")
    at_width(page.driver, 1280)
    page.run("document.querySelector('.point[tabindex=\"0\"]').focus()")
    page.driver.switch_to.active_element.send_keys("d")
    check(len(page.all(".point")) < dots, "a key zooms to the dots")
    page.driver.switch_to.active_element.send_keys("0")
    check(len(page.run(MARKS)) == 2, "the next key is the chart's, too")
    at_width(page.driver, 700)
    page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.driver.switch_to.active_element.send_keys("d")
    check(len(page.all(".point")) < dots, "and after the window has another width")
    at_width(page.driver, 1280)
    page.open("demo")
    check(not page.button("Reset").get_attribute("hidden"), "a button")
    check(not any(each.is_displayed() for each in page.all("button") if each.text == "Show all"),
          "nothing is outside")
    at_any_width(page.driver)


def test_the_first_screen(page):
    """Health, what to do first and the whole roofline are seen at once."""
    at_width(page.driver, 1280, 900)
    for size in SIZES:
        page.open(size)
        end = page.run("return document.querySelector('svg.live').getBoundingClientRect().bottom")
        check(end <= 900, f"{size}: the roofline ends at {end:.0f} of 900")
    at_any_width(page.driver)


# Texts of the table's columns that are seen without scrolling.
SEEN = """
const box = document.querySelector('.regions').parentNode.getBoundingClientRect();
return [...document.querySelectorAll('.regions thead th')].filter((head) => {
  const own = head.getBoundingClientRect();
  return own.width > 0 && own.left >= box.left - 1 && own.right <= box.right + 1;
}).map((head) => head.innerText.replace(/\\s+/g, ' ').trim());
"""


def test_tables_on_a_telephone(page):
    """Name and the columns that decide are seen; a button shows all, and the name stays."""
    at_width(page.driver, 400)
    for name, wanted in (("lulesh", {"region", "time", "share", "GFLOP/s", "of roof"}),
                         ("compare30", {"region", "time", "change"}),
                         ("strong30", {"region", "time", "speedup", "efficiency"})):
        page.open(name)
        seen = set(page.run(SEEN))
        check(wanted <= seen, f"{name}: {seen}")
        heads = "return [...document.querySelectorAll('.regions th')].filter((head) => head.offsetWidth).length"
        few = page.run(heads)
        page.button("All columns").click()
        check(page.run(heads) > few, f"{name}: all columns")
        left = page.run("""const table = document.querySelector('.regions'), box = table.parentNode;
            box.scrollLeft = 300;
            return table.querySelector('td.name').getBoundingClientRect().left - box.getBoundingClientRect().left;""")
        check(-1 <= left <= 1, f"{name}: the name stays: {left}")
    at_any_width(page.driver)


# Of one run, then of several.
ACCESSIBLE = ("one", "demo", "hostile", "lulesh", "compare30", "compare30-once", "compare-hostile", "strong1", "strong30",
              "weak5", "portability5", "portability30")


def test_axe(page, axe):
    for width in (1280, 400):
        at_width(page.driver, width)
        for name in ACCESSIBLE:
            page.open(name)
            page.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            page.run("document.querySelector('table.regions tbody tr:last-child a').click()")
            for theme in ("light", "dark"):
                page.run("document.documentElement.dataset.theme = arguments[0]", theme)
                # By the debugger, which the page's policy does not concern.
                page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
                found = page.driver.execute_async_script(
                    "const done = arguments[0]; axe.run(document).then((found) => done(found.violations))")
                bad = [f"{each['id']}: {each['nodes'][0]['html'][:150]}" for each in found
                       if each["impact"] in ("serious", "critical")]
                check(not bad, f"{name} {width} {theme}: {bad}")
    at_any_width(page.driver)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        try:
            driver = start()
        except Exception as error:  # selenium has no narrower class for it
            print(f"skipped: no chromium that starts (Debian: .ci/setup --with-browser): {str(error)[:200]}")
            return 77
        page, failed = Page(driver, folder), 0
        axe = (sys.argv[2] if len(sys.argv) > 2 else "") or os.environ.get("ROOFMARK_AXE", "")
        tests = [value for name, value in {**globals(), **vars(page_outputs), **vars(still_pages)}.items()
                 if name.startswith("test_") and name != "test_axe"]
        if axe and os.path.exists(axe):
            text = pathlib.Path(axe).read_text()
            tests.append(lambda page: test_axe(page, text))
        else:
            print("no axe-core: its checks are left out (ROOFMARK_AXE=.../axe.min.js)")
        for test in tests:
            try:
                test(page)
                complaints = page.complaints()
                check(not complaints, f"console: {complaints[:3]}")
            except Exception as error:
                failed += 1
                print(f"FAILED {getattr(test, '__name__', 'axe')}: {type(error).__name__} {str(error)[:1500]}")
        asked = requests_of(driver)
        if asked:
            failed += 1
            print(f"FAILED: requests {asked[:5]}")
        driver.quit()
        print(f"{len(tests) - failed} of {len(tests)} passed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""What a page gives away: copies, prints, texts of hostile files, the picture without its script, and how fast it is.

Tests of page_browser_test.py, which executes them.
"""
import base64
import os
import pathlib
import re
import time

from in_browser import GEOMETRY, at_any_width, at_width, check

OPEN_S, SELECT_MS = 2.0, 100


def test_copy(page):
    page.open("demo")
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    for kind in ("SVG", "PNG"):
        page.button(f"Copy {kind}").click()
        for _ in range(50):
            if kind in page.one(".status").text:
                break
            time.sleep(0.1)
        check(page.one(".status").text.startswith(f"{kind} "), f"{kind}: {page.one('.status').text}")


def test_print(page):
    for size in ("demo", "large", "lulesh"):
        page.open(size)
        pdf = base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {
            "preferCSSPageSize": True})["data"])
        pages = len(re.findall(rb"/Type\s*/Page[^s]", pdf))
        check(pages == 1, f"{size} prints on {pages} pages")


def test_print_shows_what_is_folded(page):
    at_width(page.driver, 400, 800)
    page.open("lulesh")
    page.run("""window.opened = 0;
        addEventListener('beforeprint', () => {
          window.opened = document.querySelectorAll('.health[open] li, .first [open] li').length; });""")
    page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    check(page.run("return window.opened") >= 5, "what is folded is printed")
    check(not page.all("details.foldable[open]"), "and folded again")
    at_any_width(page.driver)


def test_hostile(page):
    for name in ("hostile", "hostile-long"):
        see_hostile(page, name)


def see_hostile(page, name):
    page.open(name)
    check(page.run("return document.scripts.length") == 2, "no script of a file")
    check(page.run("return document.querySelectorAll('x, script:not([id]):empty').length") == 0, "no element")
    for row in page.all("table.regions tbody tr")[:3]:
        page.run("arguments[0].click()", row)
        check("<script>" in page.one(".panel").text, "names are text")
        for summary in page.all(".loop summary"):
            page.run("arguments[0].click()", summary)
    check(page.run("return document.querySelectorAll('.loop[open] .code td').length") > 0, "code is shown")
    check(page.run("return document.querySelectorAll('.panel x').length") == 0, "as text")
    check(not page.run(GEOMETRY), f"{name}: labels stay apart")
    for width in (1280, 400):
        at_width(page.driver, width)
        check(page.run("return document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}")
    at_any_width(page.driver)


def test_same_labels_as_the_picture(page):
    """Script and picture place labels alike: the page before its script is the picture."""
    for size in ("one", "demo", "thirty", "stencil", "lulesh"):
        page.open(size)
        page.driver.set_window_size(1280, 1400)
        picture = pathlib.Path(page.folder, size + ".html").read_text()
        static = re.search(r'<div class="wide picture"><svg.*?</svg>', picture, re.S)[0]
        names = re.findall(r'<text class="[a-z-]*name[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)', static)
        drawn = page.run("""
            const run = new DOMParser().parseFromString('<p/>', 'text/html');
            const made = window.roofmarkDraw(0, 860, 560);
            return [...made.querySelectorAll('.names text')].map((text) =>
              [text.getAttribute('x'), text.getAttribute('y'), text.textContent]);""")
        near = lambda a, b: abs(float(a) - float(b)) <= 0.6
        for x, y, text in names:
            text = text.replace("&lt;", "<").replace("&gt;", ">")
            check(any(near(x, one[0]) and near(y, one[1]) and one[2] == text for one in drawn),
                  f"{size}: {text} at {x}, {y} is not where the script puts it")
        check(len(names) == len(drawn), f"{size}: {len(names)} labels, {len(drawn)} by the script")


def test_time(page):
    page.open("large")
    opened = page.run("""const at = performance.getEntriesByType('navigation')[0];
        return at.loadEventEnd - at.startTime;""") / 1000
    selects = page.run("""
        const times = [];
        for (const row of [...document.querySelectorAll('table.regions tbody tr')].slice(10, 30)) {
          const begin = performance.now();
          row.click();
          document.body.getBoundingClientRect();
          times.push(performance.now() - begin);
        }
        return times.sort((a, b) => a - b);""")
    middle = selects[len(selects) // 2]
    print(f"large page: opened in {opened:.2f} s, a selection takes {middle:.0f} ms")
    # Machines that are busy are slow: the figures are printed, and only what is far off fails.
    slack = 1 if os.environ.get("ROOFMARK_TEST_STRICT_TIME") else 5
    check(opened <= OPEN_S * slack, f"opened in {opened:.2f} s")
    check(middle <= SELECT_MS * slack, f"selected in {middle:.0f} ms")

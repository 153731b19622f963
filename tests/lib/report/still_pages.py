# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the pages of several runs (compare, scaling, portability), for page_browser_test.py."""
import re

from in_browser import CONTRAST, GEOMETRY, at_any_width, at_width, check

KINDS = ("compare", "strong", "weak", "portability")
NAMES = [f"{kind}{regions}" for kind in KINDS for regions in (1, 5, 30, 500)] + ["compare30-once", "compare-hostile"]


def test_pictures_of_several_runs(page):
    """One picture for each width of the screen, in which nothing lies on anything."""
    for width, screen in ((1280, "roomy"), (400, "tight")):
        at_width(page.driver, width)
        for name in NAMES:
            page.open(name)
            shown = [each for each in page.all(".picture") if each.is_displayed()]
            check(len(shown) == 1 and screen in shown[0].get_attribute("class"), f"{name} at {width}: {len(shown)}")
            wrong = page.run(GEOMETRY.replace("svg.live", f".picture.{screen} svg"))
            check(not wrong, f"{name} at {width}: {wrong[:5]}")
            check(page.run("return document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}")
    at_any_width(page.driver)


def test_contrast_of_several_runs(page):
    for name in ("compare30", "compare30-once", "strong30", "portability5"):
        page.open(name)
        for theme in ("light", "dark"):
            page.run("document.documentElement.dataset.theme = arguments[0]", theme)
            low = page.run(CONTRAST.replace("svg.live", ".picture.roomy svg"))
            check(not low, f"{name} {theme}: {low}")


def test_a_row_shows_its_part_of_the_picture(page):
    for name in ("compare30", "strong5", "portability5"):
        page.open(name)
        row = page.all("table.regions tbody tr")[2]
        page.run("arguments[0].querySelector('a').click()", row)
        check("#region=" in page.driver.current_url, f"{name}: the address names the region")
        check("selected" in row.get_attribute("class"), f"{name}: the row is marked")
        chosen = page.run("""return new Set([...document.querySelectorAll('.roomy .chosen')].map(
            (each) => each.dataset.part)).size;""")
        check(chosen == 1, f"{name}: {chosen} parts are chosen")
        address = page.driver.current_url
        page.open(name, "#" + address.split("#", 1)[1])
        check(len(page.all("tr.selected")) == 1, f"{name}: a link chooses")
        page.run("document.querySelector('tr.selected a').click()")
        check(not page.all(".chosen"), f"{name}: once more shows all")
        page.run("""document.querySelector('.roomy [data-part]').dispatchEvent(
            new MouseEvent('click', {bubbles: true}))""")
        check(len(page.all("tr.selected")) == 1, f"{name}: a mark chooses its row")


def test_what_is_aside_is_shown_when_it_is_chosen(page):
    """Of many regions few have arrows; a row shows the arrow of any other."""
    page.open("compare500")
    seen = """return [...document.querySelectorAll('.roomy .arrow[data-part]')].filter(
        (arrow) => getComputedStyle(arrow).opacity > 0.5).length"""
    few = page.run(seen)
    check(10 <= few <= 25, f"{few} arrows")
    check("others that changed less" in page.one(".roomy svg").text, "says what it leaves out")
    part = page.run("return document.querySelector('.roomy .arrow.aside').dataset.part")
    row = page.run("""const [own] = JSON.parse(document.getElementById('data').textContent);
        return own.rows.findIndex(([part]) => part === Number(arguments[0]));""", part)
    page.run("document.querySelectorAll('table.regions tbody tr')[arguments[0]].querySelector('a').click()", row)
    check(page.run(seen) == 1, "its arrow alone")


def test_tables_of_several_runs(page):
    page.open("compare30")
    head = next(each for each in page.all("table.regions thead button") if each.text == "change")
    page.run("arguments[0].click()", head)
    column = page.run("return arguments[0].closest('th').cellIndex", head)
    cells = page.run("""return [...document.querySelectorAll('table.regions tbody tr')].map(
        (row) => row.cells[arguments[0]].textContent)""", column)

    def factor(text):
        times, percent = re.match(r"x([\d.]+)", text), re.match(r"([+-][\d.]+) %", text)
        return float(times[1]) if times else 1 + float(percent[1]) / 100 if percent else None
    factors = [value for value in map(factor, cells) if value is not None]
    check(len(factors) > 20 and factors == sorted(factors, reverse=True), f"sorted by change: {cells}")
    page.one("input[type=search]").send_keys("spmv")
    check(0 < page.shown() < len(cells), "search leaves some rows")
    check("rows" in page.one(".status").text, "and says how many")


def test_no_name_of_several_runs_is_markup(page):
    page.open("compare-hostile")
    check(page.run("return document.scripts.length") == 2, "no script of a file")
    check(page.run("return document.querySelectorAll('x, script:not([id]):empty').length") == 0, "no element")
    check("<script>" in page.one("table.regions").text, "names are text")


def test_several_runs_without_the_script(page):
    """What people read who do not execute it: the picture and the table are in the page."""
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.open("strong30")
        check(page.one(".picture.roomy svg").is_displayed(), "the picture")
        check(len(page.all("table.regions tbody tr")) == 30 * 4 + 4, "the table")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the page in headless Chromium share: the browser, the page in it, its geometry and its contrast.

By itself: in_browser.py PAGE.html PICTURE.png [WIDTH [HEIGHT [light|dark [ADDRESS]]]] keeps what a browser shows first;
height 0 is the whole page.
"""
import base64
import json
import pathlib
import re
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.common.by import By
except ImportError:
    print("skipped: no python3-selenium (Debian: .ci/setup --with-browser)")
    sys.exit(77)

# Texts of the chart that overlap, or leave it, by the browser's own geometry: corners of each text's
# box, turned as the text is.
GEOMETRY = """
const svg = document.querySelector('svg.live'), edge = svg.getBoundingClientRect();
const all = [...svg.querySelectorAll('text')].map((text) => {
  const box = text.getBBox(), m = text.getScreenCTM();
  // Ink: letters do not fill the height of their line.
  const y0 = box.y + 0.2 * box.height, y1 = box.y + 0.9 * box.height;
  const at = (x, y) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];
  return {text: text.textContent, points: [at(box.x, y0), at(box.x + box.width, y0),
    at(box.x + box.width, y1), at(box.x, y1)]};
});
const apart = (a, b) => {
  for (const points of [a.points, b.points]) {
    for (let i = 0; i < 2; ++i) {
      const nx = points[i + 1][1] - points[i][1], ny = points[i][0] - points[i + 1][0];
      const span = (box) => box.points.map(([x, y]) => x * nx + y * ny);
      const [one, two] = [span(a), span(b)];
      if (Math.max(...one) <= Math.min(...two) || Math.max(...two) <= Math.min(...one)) return true;
    }
  }
  return false;
};
const wrong = [];
all.forEach((a, i) => {
  if (a.points.some(([x, y]) => x < edge.left - 1 || x > edge.right + 1 || y < edge.top - 1 ||
      y > edge.bottom + 1)) wrong.push(`${a.text} leaves the chart`);
  for (const b of all.slice(0, i)) if (!apart(a, b)) wrong.push(`${a.text} lies on ${b.text}`);
});
return wrong;
"""

# Contrast of the texts and marks of the chart against the paper.
CONTRAST = """
const light = (color) => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) =>
    v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const paper = light(getComputedStyle(document.body).backgroundColor);
const ratio = (color) => (Math.max(light(color), paper) + 0.05) / (Math.min(light(color), paper) + 0.05);
const low = [];
for (const [query, property, least] of [['svg.live text', 'fill', 4.5], ['svg.live .dot', 'fill', 3],
    ['svg.live .hollow', 'stroke', 3], ['svg.live .ring', 'stroke', 3], ['svg.live .roof', 'stroke', 3]]) {
  for (const part of document.querySelectorAll(query)) {
    const found = ratio(getComputedStyle(part)[property]);
    if (found < least) low.push(`${query} ${part.getAttribute('class')}: ${found.toFixed(2)}`);
  }
}
return [...new Set(low)];
"""


class Page:
    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder

    def open(self, name, address=""):
        self.driver.get("about:blank")
        self.driver.get(f"file://{self.folder}/{name}.html{address}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def title(self):
        return self.one(".panel h3").text

    def shown(self):
        return self.run("return document.querySelectorAll('table.regions tbody tr:not([hidden])').length")

    def button(self, text):
        return next(each for each in self.all("button") if each.text == text)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]


def check(good, what):
    if not good:
        raise AssertionError(what)


def start():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1400",
                     "--disable-dev-shm-usage", "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def requests_of(driver):
    """Addresses that pages asked for, other than themselves and what they made."""
    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return [url for url in found if not re.match(r"(file:///.*\.html(#.*)?$)|about:|blob:|data:,", url)]


def at_width(driver, width, height=1400):
    """A window is never as narrow as a telephone: the device is."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def at_any_width(driver):
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def keep_picture(driver, path, whole=False):
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
    pathlib.Path(path).write_bytes(base64.b64decode(picture["data"]))


def main():
    name, path = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    width, height = (int(sys.argv[i]) if len(sys.argv) > i else 0 for i in (3, 4))
    theme = sys.argv[5] if len(sys.argv) > 5 else "light"
    driver = start()
    at_width(driver, width or 1280, height or 900)
    driver.get(f"file://{name}{sys.argv[6] if len(sys.argv) > 6 else ''}")
    driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    if not height:
        at_width(driver, width or 1280, driver.execute_script("return document.documentElement.scrollHeight"))
    keep_picture(driver, path)
    driver.quit()


if __name__ == "__main__":
    main()

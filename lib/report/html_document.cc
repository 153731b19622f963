// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/html_document.h"

#include <fmt/format.h>

#include <vector>

#include "lib/report/health_words.h"
#include "lib/report/page_assets.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Bytes given as hexadecimal digits, in base64.
std::string Base64(std::string_view hex) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = bits << 4 | static_cast<unsigned>(Digit(c));
    count += 4;
    if (count < 6) continue;
    count -= 6;
    out += kLetters[bits >> count & 63];
  }
  if (count > 0) out += kLetters[bits << (6 - count) & 63];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

// Nothing but the page's own script and styles takes effect, and nothing is loaded; pictures that
// the script makes of a chart are blobs.
std::string Policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}' 'sha256-{}'; img-src "
      "blob:; base-uri 'none'; form-action 'none'",
      Base64(kPageScript.sha256), Base64(kChartStyle.sha256), Base64(kPageStyle.sha256));
}

}  // namespace

std::string HtmlDocument(std::string_view title, std::string_view main, std::string_view data) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>roofmark: {}</title>\n<style id=\"chart-style\">{}</style>\n<style>{}</style></head>"
      "<body>\n<header><h1>roofmark</h1></header>\n<main>\n{}</main>\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n"
      "</body></html>\n",
      Policy(), XmlText(title), kChartStyle.text, kPageStyle.text, main, data, kPageScript.text);
}

std::string HtmlItems(std::span<const std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  return out;
}

std::string HtmlRest(std::string_view tag, std::span<const std::string> lines) {
  if (lines.empty()) return {};
  return fmt::format(
      "<details class=\"rest\"><summary>{} more</summary>\n<{}>\n{}</{}></details>\n", lines.size(),
      tag, HtmlItems(lines), tag.substr(0, 2));
}

std::string HtmlHealth(const ReportJob& job, std::string_view of) {
  const std::vector<std::string> lines = HealthThings(job);
  if (lines.empty()) return {};
  std::string title = HealthTitle(HealthOf(job.profile, job.analysis));
  if (!of.empty()) title = fmt::format("{}: {}", of, title);
  // Of one run the worst of them is seen at once.
  const auto all = std::span<const std::string>(lines);
  const size_t shown = of.empty() ? 1 : lines.size();
  return fmt::format(
      "<details class=\"health{}><summary><h3>{}</h3></summary>\n<ul>\n{}</ul>{}</details>\n",
      of.empty() ? " foldable\" open" : "\"", XmlText(title), HtmlItems(all.first(shown)),
      HtmlRest("ul", all.subspan(shown)));
}

}  // namespace roofmark

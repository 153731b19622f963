// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/html_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

std::string Mark(const Row& row, const std::string& look) {
  if (look.empty()) return row.key;
  return fmt::format(
      "<svg class=\"mark\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><circle class=\"{}\" "
      "cx=\"7\" "
      "cy=\"7\" r=\"4.5\"/></svg> {}",
      look, row.key);
}

std::string_view More(const Column& column) { return column.is_more ? " class=\"more\"" : ""; }

}  // namespace

std::string HtmlTable(const std::vector<Column>& columns, const std::vector<Row>& rows,
                      const std::vector<std::string>& looks, bool numbered) {
  if (columns.empty()) return {};
  constexpr size_t kDeepest = 12;  // page.css has as many indents
  std::string out = fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table{}>\n<thead><tr>"
      "<th scope=\"col\">key</th><th scope=\"col\" class=\"name\">region</th>",
      numbered ? "Regions" : "Counters", numbered ? " class=\"regions\"" : "");
  for (const Column& column : columns) {
    out += fmt::format("<th scope=\"col\"{} title=\"{}\">{}</th>", More(column),
                       XmlText(column.doc), XmlText(column.head));
  }
  out += "</tr></thead>\n<tbody>";
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    out += fmt::format("<tr><td class=\"key\">{}</td><td class=\"name d{}\">{}</td>",
                       Mark(row, i < looks.size() ? looks[i] : std::string()),
                       std::min(row.depth, kDeepest), XmlText(row.name));
    for (size_t c = 0; c < row.cells.size(); ++c) {
      out += fmt::format("<td{}>{}</td>", More(columns[c]), XmlText(row.cells[c]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string HtmlCounters(std::string_view title, const CounterTable& table,
                         const std::vector<std::string>& looks) {
  if (table.columns.empty()) return {};
  std::string out =
      fmt::format("<h3>{}</h3>\n", title) + HtmlTable(table.columns, table.rows, looks, false);
  for (const std::string& line : table.legend) out += "<div>" + XmlText(line) + "</div>\n";
  return out;
}

std::string HtmlList(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3>\n<ul>\n", XmlText(title));
  for (const std::string& line : lines) out += "<li>" + XmlText(line) + "</li>\n";
  return out + "</ul>\n";
}

}  // namespace roofmark

// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/still_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "lib/report/format.h"
#include "lib/report/html_document.h"
#include "lib/report/html_table.h"
#include "lib/report/page_data.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

constexpr double kTelephone = 380;  // px

std::string Folded(std::string_view css, const std::string& summary,
                   std::span<const std::string> lines) {
  if (lines.empty()) return {};
  return fmt::format("<details{}><summary>{}</summary>\n<ul>\n{}</ul></details>\n", css, summary,
                     HtmlItems(lines));
}

// The first is always seen, a few more are where there is room, the others when somebody asks.
std::string Sentences(const std::vector<std::string>& all) {
  constexpr size_t kFew = 8;
  if (all.empty()) return {};
  const size_t few = std::min(all.size(), kFew);
  const auto second = std::span(all).first(few).subspan(1), others = std::span(all).subspan(few);
  return "<div class=\"first\"><ul>\n" + HtmlItems(std::span(all).first(1)) + "</ul>\n" +
         Folded(" class=\"foldable\" open", fmt::format("{} more", second.size()), second) +
         Folded("", fmt::format("the other {}", others.size()), others) + "</div>\n";
}

// CSS shows one of them.
std::string Pictures(const StillSection& section) {
  std::string out;
  for (const auto& [screen, width] :
       {std::pair{"roomy", kSvgChartWidth}, std::pair{"tight", kTelephone}}) {
    const Drawing drawing = section.draw(width);
    out += fmt::format(
        "<div class=\"picture {}\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} "
        "{:.0f}\" role=\"img\" aria-label=\"{}\">{}</svg></div>\n",
        screen, width, drawing.height, XmlText(section.about), drawing.group);
  }
  return out;
}

std::string Table(const StillSection& section) {
  std::vector<Row> rows;
  std::vector<std::string> looks;
  for (const StillRow& row : section.rows) {
    rows.push_back(row.row);
    looks.push_back(row.look);
  }
  return HtmlTable(section.columns, rows, looks, true);
}

std::string Section(const StillSection& section) {
  const bool keys = std::any_of(section.rows.begin(), section.rows.end(), [](const StillRow& row) {
    return !row.row.key.empty() || !row.look.empty();
  });
  std::string out = fmt::format("<section class=\"still{}\">\n<h2>{}</h2>\n",
                                keys ? "" : " without-keys", XmlText(section.title));
  out += Sentences(section.first);
  if (!section.health.empty()) {
    out += "<div class=\"heads healths\">\n" + section.health + "</div>\n";
  }
  out += Pictures(section) + Table(section) + "<div class=\"details\">";
  for (const std::string& line : section.legend) out += "<div>" + XmlText(line) + "</div>\n";
  return out + "</div>\n</section>\n";
}

Json SortJson(const SortKey& key) {
  if (key.number) return Rounded(*key.number);
  return key.text.empty() ? Json(nullptr) : Json(key.text);
}

// Of each row its part of the picture, then what its cells are sorted by: names and keys are in the
// table, and paths belong to parts, of which several rows may be.
Json SectionJson(const StillSection& section) {
  Json rows = Json::array();
  std::vector<std::string> paths;
  for (const StillRow& row : section.rows) {
    if (row.part >= paths.size()) paths.resize(row.part + 1);
    paths[row.part] = Printable(row.path);
    Json made = Json::array({row.part});
    for (const SortKey& key : row.sort) made.push_back(SortJson(key));
    rows.push_back(std::move(made));
  }
  return {{"name", Printable(section.title)}, {"paths", paths}, {"rows", std::move(rows)}};
}

}  // namespace

std::string RenderStillPage(const std::vector<StillSection>& sections) {
  std::string main;
  Json data = Json::array();
  for (const StillSection& section : sections) {
    main += Section(section);
    data.push_back(SectionJson(section));
  }
  return HtmlDocument(sections.empty() ? "" : sections[0].title, main, ScriptText(data));
}

}  // namespace roofmark

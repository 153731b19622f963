// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "lib/core/metric.h"
#include "lib/core/settings.h"
#include "lib/core/wrap_text.h"
#include "lib/model/derived.h"
#include "lib/model/device_shortfall.h"
#include "lib/model/device_values.h"
#include "lib/model/shortfall.h"
#include "lib/report/explain_terms.h"
#include "lib/report/health_entries.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

// A meaning and the words by which it is found.
struct Entry {
  Explained explained;
  std::vector<std::string> words;
};

std::string Sentence(std::string_view text) {
  std::string sentence(text);
  if (sentence.empty()) return sentence;
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  if (!sentence.ends_with('.')) sentence += '.';
  return sentence;
}

void AddFact(std::string_view name, std::string_view value, Explained& to) {
  if (!value.empty()) to.facts.push_back(fmt::format("{}: {}", name, value));
}

// "2008 §3": docs/model.md lists these sources.
std::string SourceText(std::string_view source) {
  struct Paper {
    std::string_view year, authors;
  };
  constexpr Paper kPapers[] = {{"2008", "Williams, Waterman, Patterson 2008"},
                               {"2018", "Yang et al. 2018"}};
  for (const Paper& paper : kPapers) {
    if (!source.starts_with(paper.year)) continue;
    return std::string(paper.authors).append(source.substr(paper.year.size()));
  }
  return std::string(source);
}

Entry EntryOf(const Term& term) {
  Entry entry = {{std::string(term.word), std::string(term.kind), std::string(term.text), {}},
                 {std::string(term.word)}};
  if (!term.also.empty()) entry.words.emplace_back(term.also);
  AddFact("formula", term.formula, entry.explained);
  AddFact("source", SourceText(term.source), entry.explained);
  AddFact("example", term.example, entry.explained);
  AddFact("more", term.see, entry.explained);
  return entry;
}

// Of a DerivedInfo or a DeviceValueInfo.
template <typename Info>
Entry EntryOfValue(const Info& info, std::string_view source) {
  const std::string head(info.head.text);
  Entry entry = {{head.empty() ? std::string(info.name) : head,
                  head.empty() ? "value" : "column",
                  Sentence(info.doc),
                  {}},
                 {std::string(info.name)}};
  if (!head.empty()) {
    entry.words.push_back(head);
    AddFact("in CSV and JSON", info.name, entry.explained);
  }
  if (info.unit != "1") AddFact("unit", info.unit, entry.explained);
  AddFact("source", SourceText(source), entry.explained);
  return entry;
}

// What to do, and without what the region is then.
Entry EntryOf(const ShortfallInfo& info) {
  Entry entry = {{std::string(info.label),
                  "shortfall",
                  fmt::format("{}.{}", info.deed,
                              info.means.empty() ? "" : fmt::format(" By: {}.", info.means)),
                  {}},
                 {std::string(info.label), std::string(info.name), std::string(info.lack),
                  std::string(info.deed)}};
  AddFact("its gain is that of the region with", info.doc, entry.explained);
  AddFact("in CSV and JSON", info.name, entry.explained);
  AddFact("source", SourceText(info.source), entry.explained);
  return entry;
}

Entry EntryOf(const DeviceShortfallInfo& info) {
  Entry entry = {{std::string(info.label), "shortfall on a GPU", Sentence(info.cure), {}},
                 {std::string(info.label), std::string(info.name), std::string(info.cure)}};
  AddFact("its gain is that of the region with", info.doc, entry.explained);
  AddFact("source", SourceText(info.source), entry.explained);
  return entry;
}

Entry EntryOf(const HealthEntry& info) {
  return {{std::string(info.label), "health", std::string(info.text), {}},
          {std::string(info.label)}};
}

Entry EntryOf(const MetricInfo& info) {
  Entry entry = {{info.name, "metric of the roofline file", Sentence(info.doc), {}}, {info.name}};
  AddFact("unit", info.unit, entry.explained);
  return entry;
}

Entry EntryOf(const SettingInfo& info) {
  Entry entry = {{VariableName(info.key), "setting", Sentence(info.doc), {}},
                 {VariableName(info.key), std::string(info.key)}};
  AddFact("values", info.values, entry.explained);
  AddFact("default", info.default_text, entry.explained);
  return entry;
}

const std::vector<Entry>& Entries() {
  static const std::vector<Entry> kEntries = [] {
    std::vector<Entry> entries;
    for (const Term& term : Terms()) entries.push_back(EntryOf(term));
    for (const HealthEntry& info : HealthEntries()) entries.push_back(EntryOf(info));
    for (const DerivedInfo& info : DerivedValues())
      entries.push_back(EntryOfValue(info, info.source));
    for (size_t i = 0; i < kShortfalls; ++i)
      entries.push_back(EntryOf(InfoOf(static_cast<Shortfall>(i))));
    for (const DeviceValueInfo& info : DeviceValues()) entries.push_back(EntryOfValue(info, ""));
    for (const DeviceShortfallInfo& info : DeviceShortfallTable()) entries.push_back(EntryOf(info));
    for (MetricId id = 0; id < kMetrics; ++id) entries.push_back(EntryOf(GetMetric(id)));
    for (const SettingInfo& info : AllSettings()) entries.push_back(EntryOf(info));
    return entries;
  }();
  return kEntries;
}

}  // namespace

std::vector<Explained> Explain(std::string_view word) {
  const bool is_of_phases = word.find('/') != std::string_view::npos;
  if (word.size() > 1 && word.ends_with('?') && !is_of_phases) {  // "DRAM?"
    std::vector<Explained> meanings = Explain(word.substr(0, word.size() - 1));
    if (!meanings.empty()) meanings.insert(meanings.begin(), Explain(kMarkLikely).front());
    return meanings;
  }
  const std::string wanted = Lower(word);
  std::vector<Explained> meanings;
  for (const Entry& entry : Entries()) {
    const bool fits =
        std::any_of(entry.words.begin(), entry.words.end(),
                    [&wanted](const std::string& each) { return Lower(each) == wanted; });
    if (fits) meanings.push_back(entry.explained);
  }
  if (!meanings.empty()) return meanings;
  // "DRAM/chain+DRAM": phases, of which one has two limits.
  for (const char between : {'/', '+'}) {
    const size_t at = word.find(between);
    if (at == std::string_view::npos) continue;
    for (const std::string_view part : {word.substr(0, at), word.substr(at + 1)}) {
      for (Explained& each : Explain(part)) {
        const bool is_new =
            std::none_of(meanings.begin(), meanings.end(), [&each](const Explained& known) {
              return known.word == each.word && known.kind == each.kind;
            });
        if (is_new) meanings.push_back(std::move(each));
      }
    }
    if (between == '/' && !meanings.empty()) {
      std::vector<Explained> phases = Explain(kTermPhases);
      meanings.insert(meanings.begin(), phases.begin(), phases.end());
    }
    break;
  }
  return meanings;
}

std::vector<std::string> ExplainedWords() {
  std::vector<std::string> words;
  for (const Entry& entry : Entries())
    for (const std::string& word : entry.words)
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  return words;
}

std::string ExplainText(const std::vector<Explained>& meanings, size_t width) {
  std::string text;
  for (const Explained& each : meanings) {
    text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", each.word, each.kind);
    text += "  " + WrapText(each.text, 2, 2, width) + "\n";
    for (const std::string& fact : each.facts) text += "  " + WrapText(fact, 2, 4, width) + "\n";
  }
  return text;
}

}  // namespace roofmark

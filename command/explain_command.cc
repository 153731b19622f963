// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "command/commands.h"
#include "command/output.h"
#include "lib/core/messages/command.h"
#include "lib/core/nearest.h"
#include "lib/core/wrap_text.h"
#include "lib/report/explain.h"
#include "lib/report/explain_terms.h"
#include "lib/report/health_entries.h"

namespace roofmark::cli {
namespace {

size_t Width() { return std::clamp<size_t>(TerminalColumns(80), 40, 100); }

// Those that stand in no table; the others are in the report itself.
std::string WordsText() {
  std::vector<std::string_view> words;
  for (const Term& term : Terms()) words.push_back(term.word);
  for (const HealthEntry& entry : HealthEntries()) words.push_back(entry.label);
  return WrapText(fmt::format("{}; and each column, value, shortfall and metric as a report names "
                              "it, and each setting",
                              fmt::join(words, ", ")),
                  0, 0, Width()) +
         "\n";
}

int Unknown(const std::string& word) {
  const std::vector<std::string> words = ExplainedWords();
  const std::vector<std::string_view> known(words.begin(), words.end());
  const std::string_view nearest = NearestWord(word, known);
  Say(message::kNothingToExplain, word,
      nearest.empty() ? "`roofmark explain` lists them" : fmt::format("did you mean {}?", nearest));
  return kUsage;
}

}  // namespace

void AddExplainCommand(CommandLine& line) {
  const Command command =
      line.Add("explain",
               "Explain a word of a report: a limit, a column, a value, advice, "
               "an entry of health, a setting\n  roofmark explain chain");
  auto words = std::make_shared<std::vector<std::string>>();
  command.Value("WORD", *words, "As the report has it (default: the words are listed)");
  command.Runs([words] {
    if (words->empty()) {
      Print(WordsText());
      return 0;
    }
    const std::string word = fmt::format("{}", fmt::join(*words, " "));
    const std::vector<Explained> meanings = Explain(word);
    if (meanings.empty()) return Unknown(word);
    Print(ExplainText(meanings, Width()));
    return 0;
  });
}

}  // namespace roofmark::cli

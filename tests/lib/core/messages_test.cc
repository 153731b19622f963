// SPDX-License-Identifier: BSD-3-Clause
//
// The tables in lib/core/messages, and docs/troubleshooting.md, which is made of them:
//   ROOFMARK_TEST_WRITE_DOCS=1 ./test -R 'Messages.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/wrap_text.h"

namespace roofmark {
namespace {

struct Row {
  std::string_view name;  // of the constant; empty: the title of a section
  std::string_view text;
  std::string_view explanation;
};

#define ROOFMARK_SECTION(title, explanation) {"", title, explanation},
#define ROOFMARK_MESSAGE(name, text, explanation) {#name, text, explanation},
// clang-format off
constexpr Row kRows[] = {
#include "lib/core/messages/recording.inc"
#include "lib/core/messages/mpi.inc"
#include "lib/core/messages/collectors.inc"
#include "lib/core/messages/command.inc"
#include "lib/core/messages/command_run.inc"
};
// clang-format on
#undef ROOFMARK_MESSAGE
#undef ROOFMARK_SECTION

// "kNoRegionEntered" -> "no_region_entered".
std::string IdOf(std::string_view name) {
  std::string id;
  for (const char c : name.substr(1)) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !id.empty()) id += '_';
    id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return id;
}

// Values are `…`.
std::string Shown(std::string_view text) {
  std::string shown;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{') {
      shown += "…";
      at = text.find('}', at);
    } else {
      shown += text[at];
    }
  }
  return shown;
}

std::string Code(const std::string& text) {
  const bool has_tick = text.find('`') != std::string::npos;
  return has_tick ? "`` " + text + " ``" : "`" + text + "`";
}

constexpr std::string_view kBeginning = R"(# Troubleshooting

This page is generated from the tables in `lib/core/messages`. It has what the library says in a program, and the
command to its user, with the cause and the cure. `…` stands for what is filled in. Every line begins with `roofmark: `.
The library says it once in a job, and in the roofline file, too. `roofmark doctor` says what this machine can count,
and how to change it.
)";

std::string Page() {
  std::string page(kBeginning);
  for (const Row& row : kRows) {
    page += row.name.empty() ? fmt::format("\n## {}\n", row.text)
                             : fmt::format("\n### {}\n\n{}\n", IdOf(row.name),
                                           WrapText(Code(Shown(row.text)), 0, 0, 120));
    if (!row.explanation.empty()) page += fmt::format("\n{}\n", row.explanation);
  }
  return page;
}

TEST(Messages, ThePageIsTheTables) {
  const std::string path = SOURCE_DIR "/docs/troubleshooting.md";
  if (std::getenv("ROOFMARK_TEST_WRITE_DOCS") != nullptr) {
    ASSERT_TRUE(WriteFile(path, Page(), IfExists::kReplace));
  }
  const Result<std::string> page = ReadFile(path);
  ASSERT_TRUE(page) << page.error();
  EXPECT_EQ(*page, Page()) << "regenerate: ROOFMARK_TEST_WRITE_DOCS=1 ./test -R 'Messages.*'";
}

TEST(Messages, EachIsExplainedAndHasAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const Row& row : kRows) {
    if (row.name.empty()) continue;
    EXPECT_TRUE(ids.insert(IdOf(row.name)).second) << row.name;
    EXPECT_FALSE(row.explanation.empty()) << row.name;
    EXPECT_LE(row.text.size(), kLongestInHandler) << row.name;
  }
}

// Without values the text is said as it is (Complain).
TEST(Messages, NoneHasBracesOfItsOwn) {
  for (const Row& row : kRows) {
    EXPECT_EQ(row.text.find("{{"), std::string_view::npos) << row.name;
    EXPECT_EQ(row.text.find("}}"), std::string_view::npos) << row.name;
  }
}

}  // namespace
}  // namespace roofmark

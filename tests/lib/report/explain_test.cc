// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "lib/core/file.h"
#include "lib/model/derived.h"
#include "lib/model/shortfall.h"
#include "lib/report/explain_terms.h"
#include "lib/report/health_entries.h"

namespace roofmark {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(Explain, EveryLimitOfATable) {
  for (const char* mark : {"compute", "DRAM", "L1", "L2", "L3", "latency", "chain", "wait", "OS",
                           "kernel", "MPI", "?"})
    EXPECT_THAT(Explain(mark), Contains(Field(&Explained::kind, "limit"))) << mark;
}

TEST(Explain, EveryColumn) {
  for (const char* head : {"time", "share", "GFLOP/s", "roof", "of roof", "FLOP/B", "GB/s",
                           "held by", "imbal.", "imbalance", "visits", "FLOPs", "DRAM bytes"})
    EXPECT_THAT(Explain(head), Contains(Field(&Explained::kind, "column"))) << head;
}

TEST(Explain, EveryEntryOfHealth) {
  for (const HealthEntry& entry : HealthEntries()) {
    EXPECT_THAT(Explain(entry.label), ElementsAre(Field(&Explained::kind, "health")));
    EXPECT_TRUE(entry.text.ends_with('.')) << entry.label;
  }
}

TEST(Explain, ByTheNamesOfFiles) {
  for (const DerivedInfo& info : DerivedValues()) EXPECT_THAT(Explain(info.name), Not(IsEmpty()));
  EXPECT_THAT(Explain("flops_dp_256_fma"),
              Contains(Field(&Explained::kind, "metric of the roofline file")));
}

TEST(Explain, AdviceByWhatItLacksAndByItsDeed) {
  for (size_t i = 0; i < kShortfalls; ++i) {
    const ShortfallInfo& info = InfoOf(static_cast<Shortfall>(i));
    for (const std::string_view word : {info.label, info.name, info.lack, info.deed})
      EXPECT_THAT(Explain(word), Contains(Field(&Explained::kind, "shortfall"))) << word;
  }
}

TEST(Explain, SettingsByTheirVariable) {
  EXPECT_THAT(Explain("ROOFMARK_COLLECTOR"), Contains(Field(&Explained::kind, "setting")));
  EXPECT_THAT(Explain("collector"), Contains(Field(&Explained::word, "ROOFMARK_COLLECTOR")));
}

TEST(Explain, CapitalsDoNotMatter) {
  EXPECT_EQ(Explain("Caution").size(), 1u);
  EXPECT_EQ(Explain("dram").size(), Explain("DRAM").size());
  EXPECT_EQ(Explain("chain+DRAM").size(), Explain("chain").size() + Explain("DRAM").size());
  EXPECT_THAT(Explain("nonsense"), IsEmpty());
  EXPECT_THAT(Explain("nonsense/more"), IsEmpty());
}

TEST(Explain, PhasesAreExplainedWithEachOfThem) {
  const auto words = [](std::string_view word) {
    std::vector<std::string> all;
    for (const Explained& each : Explain(word)) all.push_back(each.word);
    return all;
  };
  EXPECT_THAT(words("DRAM/compute"), ElementsAre("phases", "DRAM", "compute"));
  EXPECT_THAT(words("chain+DRAM/DRAM?"),
              ElementsAre("phases", "chain", "DRAM", "? behind a limit"));
  EXPECT_THAT(words("?/wait"), ElementsAre("phases", "?", "? behind a limit", "wait"));
  EXPECT_THAT(words("FLOP/byte"), Each(std::string("FLOP/byte"))) << "a column";
}

// Behind a limit it says that this one is likely; alone, that none is.
TEST(Explain, AQuestionMarkIsTwoThings) {
  const std::vector<Explained> likely = Explain("DRAM?"), alone = Explain("?");
  ASSERT_EQ(likely.size(), 1 + Explain("DRAM").size());
  EXPECT_THAT(likely[0].text, HasSubstr("likely the limit, but not certain"));
  ASSERT_EQ(alone.size(), 2u);
  EXPECT_THAT(alone[0].text, HasSubstr("is not known"));
  EXPECT_THAT(alone[0].text, HasSubstr("bound is above the measured time by more than half"));
  EXPECT_EQ(alone[1].text, likely[0].text);
  EXPECT_THAT(Explain("nonsense?"), IsEmpty());
}

TEST(Explain, RowsAndMarksOfTables) {
  for (const char* row : {"(program)", "(outside)", "(elsewhere)"})
    EXPECT_THAT(Explain(row), ElementsAre(Field(&Explained::kind, "row"))) << row;
  for (const char* mark : {"*", "~", "-", "+"})
    EXPECT_THAT(Explain(mark), Contains(Field(&Explained::kind, "mark"))) << mark;
  EXPECT_EQ(Explain("*").size(), 2u) << "of a region, and of the program";
}

TEST(Explain, TheTextFitsTheWidth) {
  const std::string text = ExplainText(Explain("chain"), 60);
  EXPECT_THAT(text, StartsWith("chain (limit)\n  Each operation waits for the result of the one"));
  EXPECT_THAT(text, HasSubstr("\n  source: Williams, Waterman, Patterson 2008 A.1.3, A.3\n"));
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 60u) << text.substr(begin, end - begin);
}

// "docs/model.md#where-the-time-goes": the page has a heading of these words.
TEST(Explain, PagesOfTermsExist) {
  for (const Term& term : Terms()) {
    const size_t mark = term.see.find('#');
    const std::string file(term.see.substr(0, mark));
    const Result<std::string> page = ReadFile(std::string(ROOFMARK_DOCS_DIR "/../") + file);
    ASSERT_TRUE(page) << term.word << ": " << term.see;
    if (mark == std::string_view::npos) continue;
    bool found = false;
    for (size_t at = page->find("\n#"); at != std::string::npos; at = page->find("\n#", at + 1)) {
      std::string anchor;
      const size_t begin = page->find(' ', at) + 1, end = page->find('\n', at + 1);
      for (const char letter : page->substr(begin, end - begin)) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
          anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        } else if (letter == ' ' || letter == '-') {
          anchor += '-';
        }
      }
      found = found || anchor == term.see.substr(mark + 1);
    }
    EXPECT_TRUE(found) << term.see;
  }
}

}  // namespace
}  // namespace roofmark

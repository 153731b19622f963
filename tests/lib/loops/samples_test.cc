// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of real programs, compiled with -O3 -g: each is found once, with the line of its source,
// and nothing else is found. The programs are executed instruction by instruction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lib/binary/binary.h"
#include "lib/loops/nests.h"
#include "lib/loops/of_binary.h"
#include "tests/lib/loops/trace.h"

namespace roofmark::loops {
namespace {

// Lines that the debug information of GCC 12 does not have anywhere: the line of the body is given
// in their place. `#pragma omp simd` and `do concurrent` have bodies of one line.
const std::set<std::string> kLineOfBody = {"simd_sum", "concurrent"};

struct Marked {
  uint32_t line = 0;
  size_t nests = 1;         // that are expected: of a function that is inlined twice, two
  uint64_t iterations = 0;  // 0: not said
};

// The marks `loop NAME` of a source, by name.
std::map<std::string, Marked> MarksOf(const std::string& source) {
  std::map<std::string, Marked> marks;
  std::ifstream file(source);
  uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const size_t at = std::min(line.find("/* loop "), line.find("! loop "));
    if (at == line.npos) continue;
    std::istringstream words(line.substr(line.find("loop ", at) + 5));
    std::string name, more;
    words >> name >> more;
    marks[name] = {number + (kLineOfBody.count(name) != 0 ? 1 : 0), more == "twice" ? 2u : 1u,
                   std::strtoull(more.c_str(), nullptr, 10)};
  }
  return marks;
}

struct Program {
  const char* name;
  const char* file;
  const char* source;
  size_t least_loops;  // marks in it
};

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.name; }

class SamplesTest : public testing::TestWithParam<Program> {
 protected:
  // What was found in functions whose names begin with `kernel`.
  static std::vector<Nest> Found(binary::Binary& file, const std::vector<uint64_t>& path,
                                 test::Blocks shape) {
    const test::Trace trace = test::MakeTrace(file, path, shape);
    Input input = InputOf(file);
    input.blocks = trace.blocks;
    input.edges = trace.edges;
    std::vector<Nest> found;
    for (const Nest& nest : FindNests(input).nests) {
      if (file.functions()[nest.function].name.find("kernel") != std::string::npos) {
        found.push_back(nest);
      }
    }
    return found;
  }
};

// The frame that is in the sample's own source: a loop of a header of the system is named there,
// and asked for by the call.
const SourceFrame* OwnFrame(const Nest& nest, const std::string& source) {
  for (const SourceFrame& frame : nest.place) {
    if (frame.file.ends_with(source.substr(source.rfind('/')))) return &frame;
  }
  return nullptr;
}

void Compare(const std::vector<Nest>& found, const Program& program) {
  const auto marks = MarksOf(program.source);
  EXPECT_GE(marks.size(), program.least_loops);
  std::map<uint32_t, size_t> lines;
  std::map<uint32_t, uint64_t> iterations;
  for (const Nest& nest : found) {
    const SourceFrame* frame = OwnFrame(nest, program.source);
    ASSERT_NE(frame, nullptr) << nest.name;
    ++lines[frame->line];
    iterations[frame->line] += nest.parts.front().iterations;
  }
  for (const auto& [name, mark] : marks) {
    EXPECT_EQ(lines[mark.line], mark.nests) << name << ", line " << mark.line;
    if (mark.iterations != 0) {
      EXPECT_EQ(iterations[mark.line], mark.iterations) << name;
    }
    lines.erase(mark.line);
  }
  for (const auto& [line, count] : lines) {
    EXPECT_EQ(count, 0u) << "line " << line << " of " << program.source << " is no loop";
  }
}

// Whatever the shape of blocks, every loop is entered, repeated and left equally often.
void CompareCounts(const std::vector<Nest>& basic, const std::vector<Nest>& super) {
  ASSERT_EQ(basic.size(), super.size());
  for (size_t i = 0; i < basic.size(); ++i) {
    SCOPED_TRACE(basic[i].name);
    EXPECT_EQ(basic[i].name, super[i].name);
    EXPECT_EQ(basic[i].ranges, super[i].ranges);
    EXPECT_EQ(basic[i].exits, super[i].exits);
    EXPECT_GT(TimesOf(basic[i].exits), 0u);
    EXPECT_EQ(TimesOf(basic[i].entries), TimesOf(basic[i].exits));
    EXPECT_EQ(TimesOf(super[i].entries), TimesOf(super[i].exits));
    ASSERT_EQ(basic[i].parts.size(), super[i].parts.size());
    for (size_t part = 0; part < basic[i].parts.size(); ++part) {
      EXPECT_EQ(basic[i].parts[part].iterations, super[i].parts[part].iterations);
      EXPECT_EQ(basic[i].parts[part].entries, super[i].parts[part].entries);
    }
  }
}

TEST_P(SamplesTest, EachLoopIsFoundOnceWithItsLine) {
  auto file = binary::Binary::Open(GetParam().file);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  const auto path = test::StepThrough(GetParam().file);
  if (!path) GTEST_SKIP() << path.error();
  const auto basic = Found(*file, *path, test::Blocks::kBasic);
  const auto super = Found(*file, *path, test::Blocks::kSuper);
  Compare(basic, GetParam());
  CompareCounts(basic, super);
}

constexpr Program kPrograms[] = {
    {"c", ROOFMARK_SAMPLES_C, ROOFMARK_SAMPLES_FOLDER "/samples_c.c", 34},
    {"cxx", ROOFMARK_SAMPLES_CXX, ROOFMARK_SAMPLES_FOLDER "/samples_cxx.cc", 8},
#ifdef ROOFMARK_SAMPLES_FORTRAN
    {"fortran", ROOFMARK_SAMPLES_FORTRAN, ROOFMARK_SAMPLES_FOLDER "/samples_fortran.f90", 9},
#endif
};

INSTANTIATE_TEST_SUITE_P(All, SamplesTest, testing::ValuesIn(kPrograms));

}  // namespace
}  // namespace roofmark::loops

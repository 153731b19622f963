// SPDX-License-Identifier: BSD-3-Clause
//
// Executed code as the native engine records it, beside that of the Valgrind engine. The two cut
// straight code at different places, so it is compared byte by byte; ways are compared but for
// those that lead to the next instruction, which follow from the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/support/process.h"

namespace roofmark::test {
namespace {

using Place = std::tuple<std::string, Layer, bool, uint64_t>;  // path, layer, leads, byte
using Way = std::tuple<uint64_t, uint64_t, bool>;
using Call = std::tuple<uint64_t, std::string, uint64_t>;  // from, to a file, to a place in it
struct Code {
  std::map<Place, uint64_t> times;
  std::map<Way, uint64_t> ways;
  std::map<Call, uint64_t> calls;
  std::map<uint64_t, uint64_t> all, in_regions;  // by byte
};

// Of the program alone.
Code CodeOf(const Executed& executed, const std::string& program) {
  Code code;
  const auto module =
      std::find_if(executed.modules.begin(), executed.modules.end(),
                   [&](const ExecutedModule& each) { return each.file == program; });
  EXPECT_NE(module, executed.modules.end());
  if (module == executed.modules.end()) return code;
  std::map<uint64_t, uint64_t> ends;  // of blocks, and where they begin
  for (const ExecutedBlock& block : module->blocks) {
    for (uint64_t i = 0; i < block.bytes; ++i) code.all[block.begin + i] += block.times;
    uint64_t& begin = ends.try_emplace(block.begin + block.bytes, block.begin).first->second;
    begin = std::min(begin, block.begin);
  }
  for (const ExecutedPart& part : module->parts) {
    const std::string& path = executed.paths.at(part.path);
    if (path.empty()) continue;
    for (uint64_t i = 0; i < part.bytes; ++i) {
      code.times[{path, part.layer, part.leads, part.begin + i}] += part.times;
      if (part.layer == Layer::kWork) code.in_regions[part.begin + i] += part.times;
    }
  }
  for (const ExecutedWay& way : module->ways) {
    const auto before = ends.find(way.to);
    const bool next = before != ends.end() && before->second <= way.from && way.from < way.to &&
                      way.to - way.from <= 15 && !way.calls;
    if (!next) code.ways[{way.from, way.to, way.calls}] += way.times;
  }
  for (const ExecutedCall& call : module->calls) {
    code.calls[{call.from, executed.modules.at(call.to_module).file, call.to}] += call.times;
  }
  return code;
}

Code Execute(const std::string& engine, const std::string& program,
             const std::vector<std::string>& arguments, const std::string& count = "flops",
             bool looks_up_first = true) {
  const TempDir directory;
  std::vector<std::string> command = {ROOFMARK_GUESTS "/" + program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Ended ended = test::Run(command, {{"ROOFMARK_COLLECTOR", "counting"},
                                          {"ROOFMARK_ENGINE", engine},
                                          {"ROOFMARK_COUNT", count},
                                          {"ROOFMARK_EXECUTED", "on"},
                                          {"ROOFMARK_OUTPUT", directory.File("run.json")},
                                          {"OMP_NUM_THREADS", "2"},
                                          {"LD_BIND_NOW", looks_up_first ? "1" : ""}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto facts = ReadRoofline(directory.File("run.json")).job.run.passes.at(0).facts;
  EXPECT_EQ(facts.at("engine"), engine);
  EXPECT_EQ(facts.count("incomplete"), 0u);
  EXPECT_EQ(facts.count("executed"), 0u) << "why there is no executed code";
  const std::string file = directory.File("run.executed0.json");
  const Result<std::string> text = ReadFile(file);
  EXPECT_TRUE(text) << text.error();
  const Result<Executed> executed = ExecutedFromJson(*text, file);
  EXPECT_TRUE(executed) << executed.error();
  return CodeOf(*executed, command[0]);
}

// The native engine sees no code that is executed outside of regions.
bool IsElsewhere(const Code& code, uint64_t from) {
  const auto times = [&](const std::map<uint64_t, uint64_t>& by_byte) {
    const auto found = by_byte.find(from);
    return found == by_byte.end() ? 0 : found->second;
  };
  return times(code.all) != times(code.in_regions);
}

// From code of the program to another file, or through a pointer.
void CompareCalls(const Code& native, const Code& other) {
  const auto inside = [&](const std::map<Call, uint64_t>& calls) {
    std::map<Call, uint64_t> in_regions;
    for (const auto& [call, times] : calls)
      if (!IsElsewhere(other, std::get<0>(call))) in_regions[call] = times;
    return in_regions;
  };
  EXPECT_EQ(inside(native.calls), inside(other.calls));
  EXPECT_FALSE(inside(other.calls).empty());
}

void Compare(const Code& native, const Code& other) {
  EXPECT_GT(other.times.size(), 100u);
  EXPECT_GT(other.ways.size(), 3u);
  CompareCalls(native, other);
  for (const auto& [place, times] : other.times) {
    const auto found = native.times.find(place);
    const auto& [path, layer, leads, byte] = place;
    EXPECT_EQ(found == native.times.end() ? 0 : found->second, times)
        << path << " " << static_cast<int>(layer) << " " << leads << " " << std::hex << byte;
  }
  EXPECT_EQ(native.times.size(), other.times.size());
  for (const auto& [way, times] : other.ways) {
    if (IsElsewhere(other, std::get<0>(way))) continue;
    const auto found = native.ways.find(way);
    EXPECT_EQ(found == native.ways.end() ? 0 : found->second, times)
        << std::hex << std::get<0>(way) << " to " << std::get<1>(way);
  }
  for (const auto& [way, times] : native.ways) {
    if (IsElsewhere(other, std::get<0>(way))) continue;
    EXPECT_EQ(other.ways.count(way), 1u)
        << std::hex << std::get<0>(way) << " to " << std::get<1>(way);
  }
}

TEST(NativeExecuted, BranchesOfEveryKind) {
  const Code native = Execute("native", "executed", {});
  Compare(native, Execute("valgrind", "executed", {}));
  EXPECT_GT(native.ways.size(), 600u) << "one jump alone leads to so many places";
}

// Places are offsets from the first part of the file, wherever the linker put the others.
TEST(NativeExecuted, AFileWithGapsBetweenItsParts) {
  const Code native = Execute("native", "executed_gaps", {});
  Compare(native, Execute("valgrind", "executed_gaps", {}));
  EXPECT_GT(native.all.begin()->first, 0x100000u) << "behind the gap";
}

// LLVM's linker puts the parts far from each other, and the first page into two of them.
TEST(NativeExecuted, AFileOfLlvmsLinker) {
  if (access(ROOFMARK_GUESTS "/executed_lld", X_OK) != 0) GTEST_SKIP() << "without ld.lld";
  const Code native = Execute("native", "executed_lld", {});
  Compare(native, Execute("valgrind", "executed_lld", {}));
  EXPECT_GT(native.all.begin()->first, 0x100000u) << "behind the gap";
}

TEST(NativeExecuted, WithTheCacheModelItIsTheSame) {
  Compare(Execute("native", "executed", {}, "cache"), Execute("native", "executed", {}));
}

TEST(NativeExecuted, Kernels) {
  for (const char* kernel : {"triad", "gemm", "stencil"}) {
    SCOPED_TRACE(kernel);
    Compare(Execute("native", "marked_exact_O2_double", {kernel, "33"}),
            Execute("valgrind", "marked_exact_O2_double", {kernel, "33"}));
  }
}

// The linker looks a function up when it is called first, and jumps to what it found.
TEST(NativeExecuted, CallsOfWhatTheLinkerLooksUpOnTheWay) {
  const std::vector<std::string> force = {"force", "2"};
  CompareCalls(Execute("native", "placed_v3", force, "flops", /*looks_up_first=*/false),
               Execute("valgrind", "placed_v3", force, "flops", /*looks_up_first=*/false));
}

// The body of a parallel loop is work of each thread.
TEST(NativeExecuted, ThreadsOfATeam) {
  for (const char* kernel : {"triad", "spmv", "force"}) {
    SCOPED_TRACE(kernel);
    Compare(Execute("native", "placed_v3", {kernel, "2"}),
            Execute("valgrind", "placed_v3", {kernel, "2"}));
  }
}

}  // namespace
}  // namespace roofmark::test

// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/note_executed.h"

#include <gtest/gtest.h>

namespace roofmark::cli {
namespace {

SampledModule Sampled(std::string_view file, std::vector<SampledPlace> places) {
  SampledModule module;
  module.file = file;
  module.places = std::move(places);
  return module;
}

SampledPlace At(uint64_t offset, uint64_t samples) {
  SampledPlace place;
  place.offset = offset;
  place.samples = samples;
  return place;
}

ExecutedModule OneBlock(const char* file, uint64_t begin, uint32_t bytes) {
  ExecutedPart part;
  part.begin = begin;
  part.bytes = bytes;
  return {file, {{begin, bytes, 4, 1}}, {}, {part}};
}

TEST(ShareNotExecuted, IsThatOfSamplesOutsideOfBlocks) {
  Samples samples;
  samples.modules = {Sampled("app", {At(100, 3), At(115, 2), At(116, 4)}),
                     Sampled("libm.so", {At(100, 1)})};
  Executed executed;
  EXPECT_EQ(ShareNotExecuted(samples, executed), 1);
  executed.modules = {OneBlock("app", 100, 16)};
  EXPECT_EQ(ShareNotExecuted(samples, executed), 0.5);
  executed.modules.push_back(OneBlock("libm.so", 0, 200));
  EXPECT_EQ(ShareNotExecuted(samples, executed), 0.4);
}

// The kernel's code, and code that was made at run time, is in no file under any engine.
TEST(ShareNotExecuted, LeavesOutWhatIsInNoFile) {
  Samples samples;
  samples.modules = {Sampled("[anonymous]", {At(0, 70)}), Sampled("[vdso]", {At(8, 5)}),
                     Sampled("app", {At(100, 1)})};
  Executed executed;
  executed.modules = {OneBlock("app", 100, 16)};
  EXPECT_EQ(ShareNotExecuted(samples, executed), 0);
  EXPECT_EQ(ShareNotExecuted({}, executed), 0);
}

}  // namespace
}  // namespace roofmark::cli

// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

// In an executable the names of functions say what is MPI and what a runtime.
TEST(LinkedInLayers, AreKnownByTheirFunctions) {
  const ToolRun run = RunTool({}, {"layers_linked_in"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Flops(run.InLayer(ROOF_LAYER_MPI, 1, 1)), 70u + 57 + 3);
  EXPECT_EQ(Flops(run.InLayer(ROOF_LAYER_RUNTIME, 1, 1)), 2u * 300 + 400);
  EXPECT_EQ(Flops(run.At(1, 1)), 4u + 2 * 1000);
}

}  // namespace
}  // namespace roofmark

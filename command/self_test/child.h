// SPDX-License-Identifier: BSD-3-Clause
//
// The self-test in a child of this command: `roofmark doctor --worker`, with the collector and the
// group in its environment, as an application has them.
#ifndef ROOFMARK_COMMAND_SELF_TEST_CHILD_H_
#define ROOFMARK_COMMAND_SELF_TEST_CHILD_H_

#include <string>

#include "command/self_test/self_test.h"

namespace roofmark::cli {

// `group`: ROOFMARK_GROUP, empty for the user's own settings or the default; `engine`:
// ROOFMARK_ENGINE, empty for the default. Error: the child died, took too long or made no sense.
Result<SelfTest> SelfTestInChild(const std::string& collector, const std::string& group,
                                 Extent extent, const std::string& engine = "");

// With hardware counters: one child for each group of events, so that nothing has to take turns
// that need not; the user's own ROOFMARK_GROUP or ROOFMARK_EVENTS instead, where given.
Result<SelfTest> SelfTestOfAllGroups(const std::string& collector);

// The child itself: prints SelfTestToJson() on stdout.
int SelfTestWorker(Extent extent);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SELF_TEST_CHILD_H_

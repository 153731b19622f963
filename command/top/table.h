// SPDX-License-Identifier: BSD-3-Clause
//
// What `roofmark top` shows: a running job as its spools tell at this moment.
#ifndef ROOFMARK_COMMAND_TOP_TABLE_H_
#define ROOFMARK_COMMAND_TOP_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "lib/profile/profile.h"

namespace roofmark::cli {

struct TopState {
  JobProfile job;      // of all ranks seen, merged; wall_s is how long they ran
  size_t running = 0;  // ranks of it that still run
};

// At most `width` columns and `rows` regions, those with most time. `width` is at least 60.
std::string RenderTop(const TopState& state, size_t width, size_t rows);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_TOP_TABLE_H_

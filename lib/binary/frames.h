// SPDX-License-Identifier: BSD-3-Clause
//
// Where functions begin and end by the tables for exceptions (.eh_frame), which stay in a file that
// was stripped. Pure. Format: Linux Standard Base Core 5.0, section 10.6 ("Exception Frames").
#ifndef ROOFMARK_LIB_BINARY_FRAMES_H_
#define ROOFMARK_LIB_BINARY_FRAMES_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofmark::binary {

struct FrameExtent {
  uint64_t begin = 0, end = 0;  // addresses
};

// Of a section's content, which lies at `address`. What is damaged ends the list.
std::vector<FrameExtent> ReadFrames(std::string_view content, uint64_t address);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_FRAMES_H_

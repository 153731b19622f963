// SPDX-License-Identifier: BSD-3-Clause
//
// Two parts of a job, one behind the other with a byte between them that JSON does not have: what
// can be read can be merged, and read again.
#include "command/parts.h"
#include "tests/fuzz/reports.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::Text(data, size);
  const size_t between = text.find('\0');
  if (between == std::string_view::npos) return 0;
  std::vector<RooflineFile> parts;
  for (const std::string_view half : {text.substr(0, between), text.substr(between + 1)}) {
    Result<RooflineFile> part = RooflineFromJson(half, "F");
    if (!part) return 0;
    parts.push_back(std::move(*part));
  }
  const Result<RooflineFile> merged = cli::MergeParts(parts, {"A", "B"});
  if (merged) fuzz::DemandReadable(*merged);
  return 0;
}

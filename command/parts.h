// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_PARTS_H_
#define ROOFMARK_COMMAND_PARTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// The files in these directories that are named like parts ("run.part3.json"), in order. Not those
// of roofmark_reduce(), which hold what was measured until then.
std::vector<std::string> PartFiles(const std::vector<std::string>& directories);

// Parts of one job as one file. `names[i]` is the file of `parts[i]`, for messages. Refuses the
// same rank twice, parts of different jobs and different kinds of passes; ranks that are missing
// become a warning.
Result<RooflineFile> MergeParts(std::vector<RooflineFile> parts,
                                const std::vector<std::string>& names);

// "2 of 8 ranks are missing: 3, 5", or empty. `seen` by rank.
std::string MissingRanks(const std::map<uint32_t, std::string>& seen, uint32_t ranks);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PARTS_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// The files that the processes of an execution leave, each with a name that begins with that of the
// collector.
#ifndef ROOFMARK_COMMAND_PASS_FILES_H_
#define ROOFMARK_COMMAND_PASS_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

// In the directory of all executions of `roofmark run --auto`: the regions that it found. It is no
// profile.
inline constexpr char kNestsFile[] = "nests.json";

// By the number that a file got because the name was taken: "timer.json", "timer.1.json",
// "timer.10.json".
bool IsEarlier(const std::string& a, const std::string& b);

struct PassFiles {
  // In the order in which they were written, as far as their numbers tell: of whole programs, and
  // of single ranks.
  std::vector<std::string> whole, parts;
  std::vector<std::string> late;  // of single ranks: what came behind MPI_Finalize

  bool AreNone() const { return whole.empty() && parts.empty(); }
};

PassFiles FilesIn(const std::string& directory, const std::string& collector);
// Those that left files there, by name; the one that counts under an engine last.
std::vector<std::string> CollectorsIn(const std::string& directory);

// Those that processes of this node wrote into the directory for temporary files, because they
// could not write beside `output`, the value of ROOFMARK_OUTPUT that they had: the disk is full, or
// the directory is gone. Other users' files, and those of other executions, are not among them.
PassFiles FilesElsewhere(const std::string& output, const std::string& collector);

// The parts of one execution, from the files that it left. Nothing where there are none, and, after
// a sentence in `notes`, where one cannot be read or they do not belong together.
std::optional<RooflineFile> MergePartFiles(const std::vector<std::string>& names,
                                           std::vector<std::string>& notes);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_PASS_FILES_H_

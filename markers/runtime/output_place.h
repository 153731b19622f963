// SPDX-License-Identifier: BSD-3-Clause
//
// Where the output goes: what the user's name meant when the program started. An application may
// change its working directory or its root, and close descriptors that it does not know.
#ifndef ROOFMARK_MARKERS_RUNTIME_OUTPUT_PLACE_H_
#define ROOFMARK_MARKERS_RUNTIME_OUTPUT_PLACE_H_

#include <optional>
#include <string>

#include "lib/core/descriptor.h"
#include "lib/core/directory.h"
#include "lib/core/file.h"
#include "lib/core/result.h"

namespace roofmark::runtime {

class OutputPlace {
 public:
  // At start, once. `pattern` is what the user wrote, before anything in it is filled in.
  void Keep(const std::string& pattern);

  // The file of a name that the pattern became. Errors: it cannot be reached any more. Any thread.
  Result<FilePath> Find(const std::string& name);
  // For libraries that open files by their names: `name` as long as the working directory is that
  // of the start, else an absolute one.
  std::string NameFor(const std::string& name) const;

 private:
  std::optional<KnownDescriptor> stream_;  // the output is /dev/stdout or the like
  std::string literal_;                    // the pattern, where nothing of it is filled in
  // The beginning of all names, up to the first part that is filled in or does not exist yet; it
  // stands for directory_.
  std::string beginning_;
  KeptDirectory directory_;
};

// Writes a file there, and says on one line where it is. Nothing that was measured is lost: where
// the place cannot be written, the temporary directory is. Returns the path written; empty if there
// was none, which is said, too.
std::string WriteSomewhere(OutputPlace& place, const std::string& name, const std::string& text);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_OUTPUT_PLACE_H_

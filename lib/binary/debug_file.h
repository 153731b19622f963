// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_BINARY_DEBUG_FILE_H_
#define ROOFMARK_LIB_BINARY_DEBUG_FILE_H_

#include <elfutils/libdwfl.h>

#include <memory>
#include <string>

#include "lib/core/result.h"

namespace roofmark::binary {

// The debug information of one file, wherever it lies, as long as this lives.
class DebugFile {
 public:
  // The error names the file, and says how to get debug information.
  static Result<DebugFile> Open(const std::string& path);

  Dwarf* dwarf() const { return dwarf_; }
  // Added to its addresses it gives those of the file.
  uint64_t bias() const { return bias_; }
  // Where it lies, if that is another file.
  const std::string& path() const { return path_; }

 private:
  DebugFile() = default;
  std::shared_ptr<Dwfl> session_;
  Dwarf* dwarf_ = nullptr;
  uint64_t bias_ = 0;
  std::string path_;
};

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_DEBUG_FILE_H_

// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/of_binary.h"

namespace roofmark::loops {

Input InputOf(binary::Binary& file) {
  const std::string& path = file.path();
  Input input{path.substr(path.rfind('/') + 1), file.functions(), {}, {}, {}, {}, {}};
  input.branch_at = [&file](uint64_t offset) { return file.BranchAt(offset); };
  input.rows_in = [&file](uint64_t begin, uint64_t end) {
    return file.sources() ? file.sources()->RowsIn(begin, end) : std::vector<binary::SourceRow>{};
  };
  input.marks_in = [&file](uint64_t begin, uint64_t end) {
    return file.sources() ? file.sources()->MarksIn(begin, end) : std::vector<binary::SourceMark>{};
  };
  return input;
}

}  // namespace roofmark::loops

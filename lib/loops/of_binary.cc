// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/of_binary.h"

#include "lib/binary/preparing.h"
#include "lib/core/file_name.h"

namespace roofmark::loops {

Input InputOf(binary::Binary& file) {
  Input input{std::string(FileName(file.path())), file.functions(), {}, {}, {}, {}, {}, {}};
  input.branch_at = [&file](uint64_t offset) { return file.BranchAt(offset); };
  input.only_prepares = [&file](uint64_t begin, uint64_t end) {
    return binary::OnlyPrepares(file.Code(begin, end - begin));
  };
  input.rows_in = [&file](uint64_t begin, uint64_t end) {
    return file.sources() ? file.sources()->RowsIn(begin, end) : std::vector<binary::SourceRow>{};
  };
  input.marks_in = [&file](uint64_t begin, uint64_t end) {
    return file.sources() ? file.sources()->MarksIn(begin, end) : std::vector<binary::SourceMark>{};
  };
  return input;
}

InlinedSources InlinedSourcesOf(binary::Binary& file) {
  InlinedSources sources;
  sources.inlined_in = [&file](uint64_t begin, uint64_t end) {
    return file.sources() ? file.sources()->InlinedIn(begin, end)
                          : std::vector<binary::InlinedRow>{};
  };
  sources.function_at = [&file](uint64_t offset) {
    return file.sources() ? file.sources()->FunctionAt(offset) : std::nullopt;
  };
  return sources;
}

}  // namespace roofmark::loops

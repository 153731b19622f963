// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as an executable: its functions do not overlap, and its source lines can be asked for.
#include "lib/binary/binary.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "tests/fuzz/input.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int descriptor = memfd_create("binary", MFD_CLOEXEC);
  const bool written = ftruncate(descriptor, 0) == 0 &&
                       pwrite(descriptor, data, size, 0) == static_cast<ssize_t>(size);
  fuzz::Demand(written, "the input can be written to memory");
  auto file = binary::Binary::Open("/proc/self/fd/" + std::to_string(descriptor));
  if (!file) return 0;
  uint64_t end = 0;
  size_t asked = 0;
  for (const binary::Function& function : file->functions()) {
    fuzz::Demand(function.begin >= end && function.begin < function.end, "functions are in order");
    end = function.end;
    fuzz::Demand(!function.name.empty(), "a function has a name");
    file->BranchAt(function.begin);
    if (!file->sources() || ++asked > 20) continue;
    const uint64_t stop = std::min(function.end, function.begin + 1000);
    file->sources()->RowsIn(function.begin, stop);
    file->sources()->MarksIn(function.begin, stop);
  }
  return 0;
}

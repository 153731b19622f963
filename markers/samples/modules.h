// SPDX-License-Identifier: BSD-3-Clause
//
// Which executables and libraries are mapped where.
#ifndef ROOFMARK_MARKERS_SAMPLES_MODULES_H_
#define ROOFMARK_MARKERS_SAMPLES_MODULES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace roofmark::samples {

struct MappedModule {
  uint64_t begin = 0, end = 0;  // the lowest mapped address, and the first one behind the highest
  std::string file;
  std::string build_id;  // hexadecimal; empty if it has none

  bool operator==(const MappedModule&) const = default;
};

// By address; they do not overlap.
using ModuleMap = std::vector<MappedModule>;
const MappedModule* FindModule(const ModuleMap& map, uint64_t address);

// How many modules were loaded and unloaded so far. Takes the dynamic linker's lock, for a moment.
struct ModuleChanges {
  uint64_t loaded = 0, unloaded = 0;
  bool operator==(const ModuleChanges&) const = default;
};
ModuleChanges ReadModuleChanges();

// What is mapped now. Takes the dynamic linker's lock; no memory is taken while it is held, since
// the program's malloc may need that lock. May throw std::bad_alloc.
ModuleMap ReadModules();

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_MODULES_H_

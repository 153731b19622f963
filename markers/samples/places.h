// SPDX-License-Identifier: BSD-3-Clause
//
// Samples summed up by place: an address means something only as long as its module is mapped.
#ifndef ROOFMARK_MARKERS_SAMPLES_PLACES_H_
#define ROOFMARK_MARKERS_SAMPLES_PLACES_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/samples/samples.h"
#include "markers/samples/modules.h"

namespace roofmark::samples {

// Samples that stand for the same time.
struct Batch {
  std::vector<uint64_t> addresses;
  uint64_t period_ns = 0;
  bool of_main = false;    // of the main thread
  bool in_kernel = false;  // the addresses are those that called the kernel, or faulted
};

// Used by one thread at a time.
class Places {
 public:
  // What is mapped when sampling begins.
  explicit Places(ModuleMap map) { mapped_.map = std::move(map); }

  // Samples that were taken since the last call, or since the beginning. `now` is what is mapped
  // now; nullptr: what was mapped at the last call. A module may have been loaded or unloaded in
  // between: an address that belongs to different ones is unknown. Code in no module is anonymous.
  // About 0.1 us for each sample. May throw std::bad_alloc.
  void Add(std::span<const Batch> batches, const ModuleMap* now);

  // Samples whose place is not kept.
  uint64_t unknown() const { return unknown_; }
  // Places of no module were left out because there are too many (lib/core/limits.h).
  bool is_full() const { return is_full_; }
  // Modules by file, then build id; places by offset.
  std::vector<SampledModule> Take() const;

 private:
  struct Sums {
    uint64_t samples = 0, cpu_ns = 0, main_ns = 0, kernel_ns = 0;
  };
  using Offsets = std::unordered_map<uint64_t, Sums>;
  // What is mapped, and the sums of each of these modules as far as they were looked up.
  struct Mapped {
    ModuleMap map;
    std::vector<Offsets*> offsets;
  };

  void AddOne(uint64_t address, const Batch& batch, Mapped* later);
  Offsets* OffsetsOf(Mapped& mapped, const MappedModule& module);
  Offsets* OffsetsOf(const std::string& file, const std::string& build_id);
  void Count(Offsets* offsets, uint64_t offset, const Batch& batch);

  Mapped mapped_;
  std::map<std::pair<std::string, std::string>, Offsets> modules_;  // by file and build id
  Offsets* anonymous_ = nullptr;
  size_t places_ = 0;
  uint64_t unknown_ = 0;
  bool is_full_ = false;
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_PLACES_H_

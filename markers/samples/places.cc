// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/places.h"

#include <algorithm>

#include "lib/core/limits.h"

namespace roofmark::samples {

void Places::Add(std::span<const Batch> batches, const ModuleMap* now) {
  Mapped later;
  if (now != nullptr) later.map = *now;
  for (const Batch& batch : batches) {
    for (const uint64_t address : batch.addresses) {
      AddOne(address, batch, now == nullptr ? nullptr : &later);
    }
  }
  if (now != nullptr) mapped_ = std::move(later);
}

void Places::AddOne(uint64_t address, const Batch& batch, Mapped* later) {
  const MappedModule* before = FindModule(mapped_.map, address);
  const MappedModule* after = later == nullptr ? before : FindModule(later->map, address);
  if (before != nullptr && after != nullptr && *before != *after) {
    ++unknown_;
  } else if (before != nullptr) {
    Count(OffsetsOf(mapped_, *before), address - before->begin, batch);
  } else if (after != nullptr) {
    Count(OffsetsOf(*later, *after), address - after->begin, batch);
  } else {
    // Such addresses mean nothing in another process.
    if (anonymous_ == nullptr) anonymous_ = OffsetsOf(std::string(kAnonymousModule), "");
    Count(anonymous_, 0, batch);
  }
}

Places::Offsets* Places::OffsetsOf(Mapped& mapped, const MappedModule& module) {
  mapped.offsets.resize(mapped.map.size());
  Offsets*& known = mapped.offsets[static_cast<size_t>(&module - mapped.map.data())];
  if (known == nullptr) known = OffsetsOf(module.file, module.build_id);
  return known;
}

// nullptr: there are too many.
Places::Offsets* Places::OffsetsOf(const std::string& file, const std::string& build_id) {
  const auto known = modules_.find({file, build_id});
  if (known != modules_.end()) return &known->second;
  if (modules_.size() >= limits::kSampledModules) return nullptr;
  return &modules_[{file, build_id}];
}

void Places::Count(Offsets* offsets, uint64_t offset, const Batch& batch) {
  if (offsets != nullptr && places_ >= limits::kSampledPlaces && !offsets->contains(offset)) {
    offsets = nullptr;
  }
  if (offsets == nullptr) {
    is_full_ = true;
    ++unknown_;
    return;
  }
  const auto [at, is_new] = offsets->try_emplace(offset);
  places_ += is_new ? 1 : 0;
  ++at->second.samples;
  at->second.cpu_ns += batch.period_ns;
  if (batch.of_main) at->second.main_ns += batch.period_ns;
  if (batch.in_kernel) at->second.kernel_ns += batch.period_ns;
}

std::vector<SampledModule> Places::Take() const {
  std::vector<SampledModule> modules;
  for (const auto& [identity, offsets] : modules_) {
    SampledModule& module = modules.emplace_back();
    module.file = identity.first;
    module.build_id = identity.second;
    for (const auto& [offset, sums] : offsets) {
      module.places.push_back({offset, sums.samples, sums.cpu_ns, sums.main_ns, sums.kernel_ns});
    }
    std::sort(module.places.begin(), module.places.end(),
              [](const SampledPlace& a, const SampledPlace& b) { return a.offset < b.offset; });
  }
  return modules;
}

}  // namespace roofmark::samples

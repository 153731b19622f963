// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/memory_load.h"

#include <algorithm>

namespace roofmark {
namespace {

constexpr size_t kBlockBytes = kMemoryBlock * sizeof(double);
// Large enough to hide the call, small enough to calibrate samples finely.
constexpr size_t kPieceBytes = 1 << 20;
// Elements looked at after a sample in large sets: the check must not cost more than the sample.
constexpr size_t kCheckedElements = 1 << 16;

}  // namespace

size_t SplitArrays(uint32_t parts, char* data, size_t bytes, Arrays* arrays) {
  const size_t each = bytes / parts / kBlockBytes * kBlockBytes;
  const auto part = [&](uint32_t index) {
    return data != nullptr && index < parts ? reinterpret_cast<double*>(data + index * each)
                                            : nullptr;
  };
  arrays->b = part(0);
  arrays->a = part(1);
  arrays->c = part(2);
  return each / sizeof(double);
}

MemoryLoad::MemoryLoad(MemoryKernel kernel, size_t bytes, Parts parts, uint32_t threads)
    : kernel_(kernel),
      bytes_(std::max(bytes, parts.count * kBlockBytes)),
      parts_(parts.count),
      ranks_(threads) {
  Arrays unused;
  const size_t elements = SplitArrays(parts_, nullptr, bytes_, &unused);
  pieces_ = std::max<size_t>(1, bytes_ / kPieceBytes);
  piece_ = elements / pieces_ / kMemoryBlock * kMemoryBlock;
}

MemoryLoad::MemoryLoad(MemoryKernel kernel, size_t bytes, uint32_t threads, Pages pages)
    : MemoryLoad(kernel, bytes, Parts{GetInfo(kernel.kind).arrays}, threads) {
  pages_ = pages;
}

MemoryLoad::MemoryLoad(MemoryKernel kernel, size_t bytes, const std::vector<Buffer>* slabs,
                       const std::vector<uint32_t>& workers, Before before)
    : MemoryLoad(kernel, bytes, Parts{Reads(kernel.kind) ? 1u : 3u},
                 static_cast<uint32_t>(workers.size())) {
  slabs_ = slabs;
  workers_ = workers;
  before_ = before;
}

bool MemoryLoad::Prepare(uint32_t rank) {
  Rank& mine = ranks_[rank];
  if (slabs_ != nullptr) {
    // Where they were filled, though perhaps not all of each is used.
    if (workers_[rank] >= slabs_->size()) return false;
    const Buffer& slab = (*slabs_)[workers_[rank]];
    if (slab.data() == nullptr) return false;
    SplitArrays(parts_, slab.data(), slab.size(), &mine.arrays);
    if (before_ == Before::kPass) Walk(mine, 0, pieces_);
    return true;
  }
  mine.own = Buffer(bytes_, pages_);
  if (mine.own.data() == nullptr) return false;
  FillArrays(mine.arrays, SplitArrays(parts_, mine.own.data(), bytes_, &mine.arrays));
  return true;
}

void MemoryLoad::Walk(Rank& rank, size_t first, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    RunMemory(kernel_, rank.arrays, (first + i) % pieces_ * piece_, piece_, 1);
  }
}

void MemoryLoad::Warm(uint32_t rank, uint64_t) {
  Rank& mine = ranks_[rank];
  if (slabs_ == nullptr) {
    Walk(mine, 0, pieces_);
  } else if (before_ == Before::kEvict) {
    Walk(mine, mine.next + pieces_ / 2, pieces_ / 4);
  }
}

void MemoryLoad::Run(uint32_t rank, uint64_t repeats) {
  Rank& mine = ranks_[rank];
  if (pieces_ == 1) {
    mine.last_passes = repeats;
    mine.last_count = piece_;
    mine.last_sum = RunMemory(kernel_, mine.arrays, 0, piece_, repeats);
    return;
  }
  for (uint64_t i = 0; i < repeats; ++i) {
    mine.last_first = mine.next * piece_;
    mine.last_sum = RunMemory(kernel_, mine.arrays, mine.last_first, piece_, 1);
    mine.next = mine.next + 1 == pieces_ ? 0 : mine.next + 1;
  }
  mine.last_passes = 1;
  mine.last_count = piece_;
}

bool MemoryLoad::Check(uint32_t rank) {
  const Rank& mine = ranks_[rank];
  // A sum needs the whole piece; stores are looked at in part.
  const size_t count =
      Reads(kernel_.kind) ? mine.last_count : std::min(mine.last_count, kCheckedElements);
  return CheckMemory(kernel_.kind, mine.arrays, mine.last_first, count, mine.last_passes,
                     mine.last_sum);
}

void MemoryLoad::Finish(uint32_t rank) {
  if (slabs_ == nullptr) ranks_[rank].own = Buffer();
}

uint64_t MemoryLoad::MostRepeats() const {
  if (slabs_ == nullptr || before_ == Before::kPass) return Load::MostRepeats();
  return std::max<uint64_t>(1, pieces_ / 4);
}

double MemoryLoad::WorkPerRepeat() const {
  return GetInfo(kernel_.kind).useful_bytes * static_cast<double>(piece_);
}

}  // namespace roofmark

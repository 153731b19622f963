// SPDX-License-Identifier: BSD-3-Clause
#include "markers/thread_record.h"

#include <sys/mman.h>

#include <new>

namespace roofmark::markers {
namespace {

constexpr size_t kStackBytes = (ThreadRecord::kMaxDepth + size_t{1}) * sizeof(Frame);

}  // namespace

template <typename Chunk, size_t N>
Chunk* ThreadRecord::ChunkFor(std::atomic<Chunk*> (&chunks)[N], spool::Kind kind, uint32_t index) {
  Chunk* chunk = chunks[index].load(std::memory_order_relaxed);
  if (chunk != nullptr) return chunk;
  void* place =
      spool_ == nullptr ? nullptr : spool_->Allocate(kind, number_, index * kChunk, sizeof(Chunk));
  chunk = place == nullptr ? new (std::nothrow) Chunk : new (place) Chunk;
  chunks[index].store(chunk, std::memory_order_release);
  return chunk;
}

ThreadRecord* ThreadRecord::Create(bool is_main, spool::Writer* spool, uint32_t number) {
  void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return nullptr;
  auto* state = new (std::nothrow) ThreadRecord(is_main, static_cast<Frame*>(stack), spool, number);
  if (state == nullptr) munmap(stack, kStackBytes);
  return state;
}

ThreadRecord::ThreadRecord(bool is_main_thread, Frame* stack, spool::Writer* spool, uint32_t number)
    : top(stack), frames(stack), is_main(is_main_thread), spool_(spool), number_(number) {}

ThreadRecord::~ThreadRecord() {
  // What lies in the spool stays there.
  for (size_t i = 0; spool_ == nullptr && i < kChunks; ++i) {
    delete accumulator_chunks_[i].load();
    delete work_chunks_[i].load();
  }
  munmap(frames, kStackBytes);
}

Accumulator* ThreadRecord::AccumulatorFor(uint32_t path) {
  AccumulatorChunk* chunk =
      ChunkFor(accumulator_chunks_, spool::Kind::kAccumulators, path / kChunk);
  return chunk == nullptr ? nullptr : &chunk->accumulators[path % kChunk];
}

DeclaredWork* ThreadRecord::WorkFor(uint32_t path) {
  WorkChunk* chunk = ChunkFor(work_chunks_, spool::Kind::kWorks, path / kChunk);
  return chunk == nullptr ? nullptr : &chunk->works[path % kChunk];
}

const Accumulator* ThreadRecord::FindAccumulator(uint32_t path) const {
  const AccumulatorChunk* chunk =
      accumulator_chunks_[path / kChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk->accumulators[path % kChunk];
}

DeclaredWork* ThreadRecord::FindWork(uint32_t path) const {
  WorkChunk* chunk = work_chunks_[path / kChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk->works[path % kChunk];
}

}  // namespace roofmark::markers

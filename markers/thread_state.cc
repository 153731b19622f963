// SPDX-License-Identifier: BSD-3-Clause
#include "markers/thread_state.h"

#include <sys/mman.h>

#include <new>

namespace roofmark::markers {
namespace {

constexpr size_t kStackBytes = (ThreadState::kMaxDepth + size_t{1}) * sizeof(Frame);

template <typename Chunk, size_t N>
Chunk* ChunkFor(std::atomic<Chunk*> (&chunks)[N], uint32_t index) {
  Chunk* chunk = chunks[index].load(std::memory_order_relaxed);
  if (chunk == nullptr) {
    chunk = new (std::nothrow) Chunk;
    chunks[index].store(chunk, std::memory_order_release);
  }
  return chunk;
}

}  // namespace

ThreadState* ThreadState::Create(bool is_main) {
  void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return nullptr;
  auto* state = new (std::nothrow) ThreadState(is_main, static_cast<Frame*>(stack));
  if (state == nullptr) munmap(stack, kStackBytes);
  return state;
}

ThreadState::ThreadState(bool is_main_thread, Frame* stack)
    : top(stack), frames(stack), is_main(is_main_thread) {}

ThreadState::~ThreadState() {
  for (auto& chunk : slot_chunks_) delete chunk.load();
  for (auto& chunk : work_chunks_) delete chunk.load();
  munmap(frames, kStackBytes);
}

Slot* ThreadState::SlotFor(uint32_t path) {
  SlotChunk* chunk = ChunkFor(slot_chunks_, path / kChunk);
  return chunk == nullptr ? nullptr : &chunk->slots[path % kChunk];
}

DeclaredWork* ThreadState::WorkFor(uint32_t path) {
  WorkChunk* chunk = ChunkFor(work_chunks_, path / kChunk);
  return chunk == nullptr ? nullptr : &chunk->works[path % kChunk];
}

const Slot* ThreadState::FindSlot(uint32_t path) const {
  const SlotChunk* chunk = slot_chunks_[path / kChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk->slots[path % kChunk];
}

const DeclaredWork* ThreadState::FindWork(uint32_t path) const {
  const WorkChunk* chunk = work_chunks_[path / kChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &chunk->works[path % kChunk];
}

}  // namespace roofmark::markers

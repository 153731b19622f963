// SPDX-License-Identifier: BSD-3-Clause
//
// Room for what is written when the program ends: by then it may have used up its memory, or have
// lowered its limits. Taken at the start, as addresses that cost nothing until they are used.
#ifndef ROOFMARK_MARKERS_RUNTIME_EXIT_ROOM_H_
#define ROOFMARK_MARKERS_RUNTIME_EXIT_ROOM_H_

#include <cstddef>

#include "lib/core/own_stack.h"

namespace roofmark::runtime {

class ExitRoom {
 public:
  // Settings, plans of what to count and the text of a file take some 100 KiB of stack. The main
  // thread has less where its limit is low, and exit() may be called on any thread.
  static constexpr size_t kStack = 512 << 10;

  ExitRoom() noexcept;
  ~ExitRoom() = delete;  // for the rest of the process
  ExitRoom(const ExitRoom&) = delete;
  ExitRoom& operator=(const ExitRoom&) = delete;

  // Gives the reserve of addresses back, for the heap.
  void Open() noexcept;
  // The stack is to be used: that of the calling thread may not grow. False if there is none, too.
  bool HasStack() const { return !OwnStack::ThreadMayUseIt() && stack_.Exists(); }
  OwnStack& stack() { return stack_; }

 private:
  OwnStack stack_{kStack, OwnStack::Signals::kCome};
  void* reserve_;
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_EXIT_ROOM_H_

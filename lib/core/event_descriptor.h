// SPDX-License-Identifier: BSD-3-Clause
//
// An event of the kernel (perf_event_open) in somebody else's process, which may close the
// descriptor and give its number to a file of its own: to read that one would wait for ever, or
// take away data.
#ifndef ROOFMARK_LIB_CORE_EVENT_DESCRIPTOR_H_
#define ROOFMARK_LIB_CORE_EVENT_DESCRIPTOR_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace roofmark {

class EventDescriptor {
 public:
  EventDescriptor() = default;  // has no event
  // Takes what is open under the number. Has no event, and errno, if that is none: it is closed.
  explicit EventDescriptor(int number) noexcept;
  // What is open under the number, which may be no event; then it is not touched.
  static std::optional<EventDescriptor> At(int number) noexcept;
  // An event that another process opened, by the id that it has.
  EventDescriptor(int number, uint64_t id) noexcept : number_(number), id_(id) {}

  int number() const { return number_; }
  uint64_t id() const { return id_; }
  // The number still stands for the event, of which the kernel has no second one with its id: one
  // system call that other files do not know.
  bool IsOpen() const noexcept;
  // Closes the descriptor, unless it was given to another file.
  void Close() noexcept;

 private:
  int number_ = -1;
  uint64_t id_ = 0;
};

bool AllAreOpen(const std::vector<EventDescriptor>& events) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_EVENT_DESCRIPTOR_H_

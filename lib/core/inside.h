// SPDX-License-Identifier: BSD-3-Clause
//
// The calling thread works for roofmark, not for the application: every entry from the application
// makes one of these first. A signal handler, or another callback of the application, that comes
// meanwhile finds the thread inside: what it asks for may be locked or half done, so it is
// declined.
#ifndef ROOFMARK_LIB_CORE_INSIDE_H_
#define ROOFMARK_LIB_CORE_INSIDE_H_

#include <atomic>
#include <cfenv>
#include <cstdint>

namespace roofmark {

// How many entries are open on the thread, declined ones with it, negated. Initial-exec: one load;
// it fits the reserve that glibc keeps for libraries opened later.
extern __thread uint8_t t_inside __attribute__((tls_model("initial-exec")));

// Opens an entry; false if there is one already. A signal comes before or after it, not in between:
// its handler may be a scheduler that goes on with another context of the program, which opens and
// closes entries of its own, and comes back here in between.
inline bool OpenEntry() noexcept {
  bool entered;
#if defined(__x86_64__)
  __asm__ volatile("subb $1, %0" : "+m"(t_inside), "=@ccc"(entered) : : "memory");
#else
  entered = t_inside-- == 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
  return entered;
}
inline void CloseEntry() noexcept {
#if defined(__x86_64__)
  __asm__ volatile("addb $1, %0" : "+m"(t_inside) : : "cc", "memory");
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
  ++t_inside;
#endif
}

// For entries that call nothing and cannot be cancelled. It costs two changes of a byte.
class InsideMark {
 public:
  InsideMark() noexcept : entered_(OpenEntry()) {}
  ~InsideMark() { CloseEntry(); }
  InsideMark(const InsideMark&) = delete;
  InsideMark& operator=(const InsideMark&) = delete;

  // False: the thread was inside already.
  explicit operator bool() const { return entered_; }

 private:
  const bool entered_;
};

// For all others (~0.1 us). While it lives the thread cannot be cancelled, and floating-point
// operations round to nearest and trap nowhere; afterwards errno and the floating-point environment
// are what they were.
class Inside {
 public:
  // If the thread was inside already this is counted, and nothing else is done.
  Inside() noexcept;
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  explicit operator bool() const { return static_cast<bool>(mark_); }

  // How often one was declined, on any thread.
  static uint64_t Declined() noexcept;

 private:
  const InsideMark mark_;
  int errno_ = 0;
  int cancel_state_ = 0;
  std::fenv_t environment_;
};

// For the destructors of thread-specific data: nothing of the thread is interrupted any more, but
// cancellation may have taken it out of an entry.
inline void LeaveAtThreadEnd() noexcept { t_inside = 0; }

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_INSIDE_H_

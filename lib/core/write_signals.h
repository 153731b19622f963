// SPDX-License-Identifier: BSD-3-Clause
//
// The signals by which the kernel answers a write that cannot be done. Their default is to end the
// process, and the application may have handlers for them: neither is meant for what roofmark
// writes.
#ifndef ROOFMARK_LIB_CORE_WRITE_SIGNALS_H_
#define ROOFMARK_LIB_CORE_WRITE_SIGNALS_H_

#include <signal.h>

namespace roofmark {

// As long as it lives, a failing write of this thread (a pipe without reader, the limit on file
// sizes, a terminal that belongs to another job) is an error code alone. Signals that were pending
// before stay pending. Costs four system calls; errno stays as it is.
class WriteSignalsOff {
 public:
  WriteSignalsOff() noexcept;
  ~WriteSignalsOff();
  WriteSignalsOff(const WriteSignalsOff&) = delete;
  WriteSignalsOff& operator=(const WriteSignalsOff&) = delete;

 private:
  sigset_t mask_, pending_;  // before
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_WRITE_SIGNALS_H_

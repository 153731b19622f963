// SPDX-License-Identifier: BSD-3-Clause
//
// Events of a package that are not descriptors of the kernel's: only the process that opened them
// can read them (PAPI's sets), and reads them for its neighbours too.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_READER_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/threads/delta.h"
#include "lib/core/result.h"

namespace roofmark::package {

// Of a package that are passed on. Descriptors in one message: the kernel's SCM_MAX_FD is 253.
inline constexpr size_t kMostPassed = 250;

class Reader {
 public:
  virtual ~Reader() = default;
  // Of Plan::events, in the order in which it reads them.
  virtual const std::vector<uint32_t>& Events() const = 0;
  // One total for each of them. False: nothing is known. From any thread.
  virtual bool Read(threads::Total* totals) noexcept = 0;
  // Of a forked child: gives up what the parent goes on using.
  virtual void CloseInChild() noexcept = 0;
};

// An event to open: its number in Plan::events, and its name with its CPU.
struct Wanted {
  uint32_t event;
  std::string name;
};

class Opener {
 public:
  virtual ~Opener() = default;
  // All or nothing; takes at most as many descriptors as events. The error is a sentence with cause
  // and cure.
  virtual Result<std::unique_ptr<Reader>> Open(const std::vector<Wanted>& events) const = 0;
  // As files call it: "papi".
  virtual std::string Origin() const = 0;
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_READER_H_

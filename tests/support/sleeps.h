// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the calling thread waited. A busy machine makes everything take longer; it makes nothing
// sleep.
#ifndef ROOFMARK_TESTS_SUPPORT_SLEEPS_H_
#define ROOFMARK_TESTS_SUPPORT_SLEEPS_H_

#include <sys/resource.h>

namespace roofmark::test {

// How often the thread gave its CPU away of its own accord since this object was made: it slept, or
// waited for another thread, for a lock or for a device.
class Sleeps {
 public:
  long Count() const { return Now() - before_; }

 private:
  static long Now() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }
  const long before_ = Now();
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_SLEEPS_H_

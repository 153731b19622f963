// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime's function behind one that is interposed.
#ifndef ROOFMARK_LIB_CORE_NEXT_FUNCTION_H_
#define ROOFMARK_LIB_CORE_NEXT_FUNCTION_H_

#include <atomic>

namespace roofmark {

// Of the library that holds `caller`, or of what it was linked with, where no other library sees
// the runtime: an extension of Python brings one of its own. Some microseconds.
void* NextFor(const char* name, void* caller) noexcept;

// The next definition of one name behind this library.
class Next {
 public:
  constexpr explicit Next(const char* name) : name_(name) {}

  // `caller`: an address in the code that called the interposed function.
  void* Get(void* caller) noexcept;

 private:
  const char* const name_;
  std::atomic<void*> known_{nullptr};
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_NEXT_FUNCTION_H_

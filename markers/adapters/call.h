// SPDX-License-Identifier: BSD-3-Clause
//
// A call of another tool's function, for which the library of adapters stands in. The tool itself,
// if the process has it, is called too: the program gets what it would get without adapters.
#ifndef ROOFMARK_MARKERS_ADAPTERS_CALL_H_
#define ROOFMARK_MARKERS_ADAPTERS_CALL_H_

#include <cstdint>

#include "lib/core/adapter_names.h"
#include "lib/core/next_function.h"

#define ROOFMARK_FOREIGN extern "C" __attribute__((visibility("default")))

namespace roofmark::adapters {

// The set that is wanted; it is known from this library's constructor on, and empty before.
extern uint32_t g_wanted;
// The calling thread is in a call: what the tool calls on its own behalf is not the program's.
extern __thread bool t_in_call __attribute__((tls_model("initial-exec")));

class Call {
 public:
  // `adapter`: a bit of lib/core/adapter_names.h.
  explicit Call(uint32_t adapter) noexcept
      : outermost_(!t_in_call), recorded_(outermost_ && (g_wanted & adapter) != 0) {
    t_in_call = true;
  }
  ~Call() {
    if (outermost_) t_in_call = false;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // It is the program's, and its annotations become regions.
  explicit operator bool() const { return recorded_; }

 private:
  const bool outermost_, recorded_;
};

// The tool's own function; nullptr if `caller` knows none, which is found out once for each caller.
void* Behind(Next& next, void* caller) noexcept;

// Calls it. Without it the result is `otherwise`.
template <typename Result, typename... Arguments>
Result Forward(Next& next, void* caller, Result otherwise, Arguments... arguments) {
  const auto call = reinterpret_cast<Result (*)(Arguments...)>(Behind(next, caller));
  return call == nullptr ? otherwise : call(arguments...);
}
template <typename... Arguments>
void Tell(Next& next, void* caller, Arguments... arguments) {
  const auto call = reinterpret_cast<void (*)(Arguments...)>(Behind(next, caller));
  if (call != nullptr) call(arguments...);
}

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_CALL_H_

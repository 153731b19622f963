// SPDX-License-Identifier: BSD-3-Clause
//
// What the program hands to the runtime when it begins a construct, of which OMPT tells nothing:
// the function that is its body. OMPT's own word for a construct is where the call returns to,
// which is another function's place if the call was the last thing that its function does.
#ifndef ROOFMARK_MARKERS_ADAPTERS_FORK_CALLS_H_
#define ROOFMARK_MARKERS_ADAPTERS_FORK_CALLS_H_

namespace roofmark::adapters {

struct ForkCall {
  const void* body = nullptr;      // nullptr: not known
  const char* location = nullptr;  // as compilers write it: ";solver.c;Sweep;214;1;;"
};

extern __thread ForkCall t_fork __attribute__((tls_model("initial-exec")));

// Of the call by which the thread has just come into the runtime. Another question finds none.
inline ForkCall TakeForkCall() noexcept {
  const ForkCall fork = t_fork;
  t_fork = {};
  return fork;
}

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_FORK_CALLS_H_

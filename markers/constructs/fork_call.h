// SPDX-License-Identifier: BSD-3-Clause
//
// What the program hands to the runtime when it begins a construct, of which OMPT tells nothing:
// the function that is its body. OMPT's own word for a construct is where the call returns to,
// which is another function's place if the call was the last thing that its function does.
#ifndef ROOFMARK_MARKERS_CONSTRUCTS_FORK_CALL_H_
#define ROOFMARK_MARKERS_CONSTRUCTS_FORK_CALL_H_

namespace roofmark {

struct ForkCall {
  const void* body = nullptr;      // nullptr: not known
  const char* location = nullptr;  // as compilers write it: ";solver.c;Sweep;214;1;;"
};

}  // namespace roofmark

// Of libroofmark_constructs.so, which is preloaded: of the call by which the thread has just come
// into the runtime. Another question finds none.
extern "C" void roofmark_take_fork_call(roofmark::ForkCall* call);

#endif  // ROOFMARK_MARKERS_CONSTRUCTS_FORK_CALL_H_

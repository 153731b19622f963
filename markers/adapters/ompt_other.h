// SPDX-License-Identifier: BSD-3-Clause
//
// Another tool of OMPT beside the adapter. A runtime knows one tool alone, so the adapter is that
// one, and hands on to the other what both want to know.
#ifndef ROOFMARK_MARKERS_ADAPTERS_OMPT_OTHER_H_
#define ROOFMARK_MARKERS_ADAPTERS_OMPT_OTHER_H_

#include "lib/core/ompt_abi.h"

namespace roofmark::adapters {

// What the adapter has set for an event, and what the runtime said to it.
struct OwnCallback {
  int event;
  ompt::Function function;
  int answer = 0;
};
inline constexpr int kOwnCallbacks = 3;

// Sets `own`, then begins the other tool; nullptr: there is none. False if the runtime tells
// nothing. `own` must outlive the tool.
bool BeginTools(ompt::Lookup lookup, int device, OwnCallback (&own)[kOwnCallbacks],
                ompt::StartTool* other) noexcept;
void EndOtherTool() noexcept;

// What the other tool has set for the event of own[i]; nullptr: nothing.
ompt::Function OtherCallback(int i) noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_OMPT_OTHER_H_

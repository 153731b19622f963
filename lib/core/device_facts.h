// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_DEVICE_FACTS_H_
#define ROOFMARK_LIB_CORE_DEVICE_FACTS_H_

namespace roofmark {

// Of an execution that was to count on GPUs: what around it can keep it from that, in one phrase.
// Absent where there is nothing of that kind.
inline constexpr char kGpuSurroundingsFact[] = "cupti_surroundings";

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DEVICE_FACTS_H_

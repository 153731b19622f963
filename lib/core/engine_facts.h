// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_ENGINE_FACTS_H_
#define ROOFMARK_LIB_CORE_ENGINE_FACTS_H_

namespace roofmark {

// Of an execution under a counting engine: which code it lost sight of, and in which regions, whose
// counts are invalid. One phrase for each reason. Absent where there is none.
inline constexpr char kIncompleteFact[] = "incomplete";

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_ENGINE_FACTS_H_

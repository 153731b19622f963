// SPDX-License-Identifier: BSD-3-Clause
//
// Which of LLVM's scheduling models is that of a CPU. LLVM gives some CPUs the model of an older
// one; the names of its ports tell, in every version.
#ifndef ROOFMARK_LIB_INCORE_SCHEDULING_H_
#define ROOFMARK_LIB_INCORE_SCHEDULING_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace roofmark::incore {

struct SchedulingModel {
  std::string_view vendor;
  uint32_t family, first, last;  // CPUs by vendor, family and model
  std::string_view mcpu;         // LLVM's name
  std::string_view ports;        // what its own ports' names begin with
};

// nullptr: LLVM's name of the CPU is not known here.
const SchedulingModel* FindSchedulingModel(std::string_view vendor, uint32_t family,
                                           uint32_t model);

// Whose ports these are, by the name of one: "Skylake's". Empty: not known.
std::string_view OwnerOfPort(std::string_view port);

}  // namespace roofmark::incore

#endif  // ROOFMARK_LIB_INCORE_SCHEDULING_H_

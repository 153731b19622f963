// SPDX-License-Identifier: BSD-3-Clause
//
// Events that a user chose for the memory traffic of packages,
// ROOFMARK_PACKAGE_EVENTS="skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0*64:read,...": names of PAPI.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_PACKAGE_LIST_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_PACKAGE_LIST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::events {

inline constexpr size_t kMostListedTraffic = 250;  // of all packages together
inline constexpr double kLineBytes = 64;           // where no factor is given
inline constexpr double kMostBytesPerCount = 1e9;

struct ListedTraffic {
  std::string text;             // NAME as the user wrote it
  std::string name;             // without the CPU's number, where it ends with one: "...:cpu="
  std::optional<uint32_t> cpu;  // that number
  double bytes = kLineBytes;    // for each count
  bool write = false;
};

// 1 to kMostListedTraffic different names. Errors name ROOFMARK_PACKAGE_EVENTS, the item and the
// cure.
Result<std::vector<ListedTraffic>> ParsePackageList(std::string_view list);

// "a:::b:cpu87" and "a::b:cpu=0" say for which CPU they count: by a number behind this.
inline bool TakesCpu(std::string_view name) {
  return name.ends_with(":cpu=") || name.ends_with(":cpu");
}

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_PACKAGE_LIST_H_

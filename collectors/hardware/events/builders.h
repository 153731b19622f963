// SPDX-License-Identifier: BSD-3-Clause
//
// Short spellings for the files of CPUs.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_BUILDERS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_BUILDERS_H_

#include <string>
#include <utility>
#include <vector>

#include "collectors/hardware/events/table.h"

namespace roofmark::events {

inline constexpr FpPrecision kDp = FpPrecision::kDouble, kSp = FpPrecision::kSingle,
                             kHp = FpPrecision::kHalf, kBf16 = FpPrecision::kBfloat16,
                             kMix = FpPrecision::kMixed;
inline constexpr KindSet kAddKind = KindBit(FlopKind::kAdd), kMulKind = KindBit(FlopKind::kMul),
                         kFmaKind = KindBit(FlopKind::kFma),
                         kDivKinds = KindBit(FlopKind::kDiv) | KindBit(FlopKind::kSqrt);

inline Quantity Flops(FpPrecision precision, FpWidth width = FpWidth::kAny) {
  return {Measure::kFlops, precision, width};
}
inline Quantity FlopsOfKind(FpPrecision precision, KindSet kinds) {
  return {Measure::kFlops, precision, FpWidth::kAny, kinds, FpView::kByKind};
}

inline Event Core(std::string fields, std::string name, std::string pfm_name = "") {
  Event event;
  event.fields = std::move(fields);
  event.name = std::move(name);
  event.pfm_name = std::move(pfm_name);
  return event;
}
inline Event On(std::string device, std::string fields, std::string name,
                std::string kernel_name = "", std::string pfm_name = "") {
  return {std::move(device), std::move(fields), std::move(name), std::move(kernel_name),
          std::move(pfm_name)};
}

// One event, one weight.
inline Formula One(Quantity quantity, Event event, double weight = 1, std::string note = "") {
  return {quantity, {{std::move(event), weight}}, Status::kMeasured, std::move(note)};
}

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_BUILDERS_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// The table of derived values of accelerators: what reports say of a region on a device beside the
// metrics that the roofline file stores. The tables of the terminal, of the page and of Markdown,
// CSV, the analysis as JSON and docs/model.md read it; a row is all that a new value needs.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_VALUES_H_
#define ROOFMARK_LIB_MODEL_DEVICE_VALUES_H_

#include <span>
#include <string_view>

#include "lib/model/derived.h"
#include "lib/model/device_derivation.h"
#include "lib/model/device_roofs.h"
#include "lib/model/value.h"

namespace roofmark {

struct DeviceValueInfo {
  std::string_view name;  // its id: CSV, JSON, documents
  std::string_view unit;  // "1": a quotient of equal units; empty: a text
  std::string_view doc;
  NumberFormat format = NumberFormat::kPlain;
  TableHead head = {};
  // Exactly one of the two.
  Value (*value)(const DeviceDerivation&) = nullptr;
  std::string_view (*text)(const DeviceDerivation&) = nullptr;
};

// Those with a column come first, in the order of the columns.
std::span<const DeviceValueInfo> DeviceValues();

// Performance, and what bounds it: empty where that is not known.
Value GflopsOnDevice(const DeviceDerivation& of);
std::string_view BoundOnDevice(const DeviceDerivation& of);

// In GFLOP/s: with every instruction an FMA, or with none.
Value AttainableOnDevice(const DeviceDerivation& of, bool fused);

// FLOPs over the bytes of L1, L2 or DRAM.
Value IntensityOnDevice(const DeviceDerivation& of, DeviceRoof level);

// It executed what has FLOPs that no counter gives: half precision, and tensor cores in other than
// double precision.
bool HasUncountedFlops(const DeviceDerivation& of);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_VALUES_H_

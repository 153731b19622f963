// SPDX-License-Identifier: BSD-3-Clause
//
// The list of lib/core/collectors.inc with the means to make each collector. To add one: its
// folder, and its line in the list.
#ifndef ROOFMARK_COLLECTORS_LIST_LIST_H_
#define ROOFMARK_COLLECTORS_LIST_LIST_H_

#include <memory>

#include "collectors/collector.h"
#include "lib/core/collector_names.h"

namespace roofmark {

// Each is defined in the collector's folder.
#define ROOFMARK_COLLECTOR(id, make, kind, doc, counts) \
  std::unique_ptr<Collector> Make##make##Collector();
#include "lib/core/collectors.inc"
#undef ROOFMARK_COLLECTOR

struct CollectorRow {
  CollectorName name;
  std::unique_ptr<Collector> (*make)();
};

inline constexpr CollectorRow kCollectors[] = {
#define ROOFMARK_COLLECTOR(id, make, kind, doc, counts) \
  {{#id, CollectorKind::kind, doc, counts}, &Make##make##Collector},
#include "lib/core/collectors.inc"
#undef ROOFMARK_COLLECTOR
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_LIST_LIST_H_

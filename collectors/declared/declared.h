// SPDX-License-Identifier: BSD-3-Clause
//
// Canonical work stated by ROOF_REGION_WORK. The markers record it themselves, so this only says
// so.
#ifndef ROOFMARK_COLLECTORS_DECLARED_DECLARED_H_
#define ROOFMARK_COLLECTORS_DECLARED_DECLARED_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

std::unique_ptr<Collector> MakeDeclaredCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_DECLARED_DECLARED_H_

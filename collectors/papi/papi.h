// SPDX-License-Identifier: BSD-3-Clause
//
// Hardware counters of every thread through PAPI: presets by ROOFMARK_GROUP, or what
// ROOFMARK_EVENTS names; of such a list the kernel counts what PAPI has no name for.
#ifndef ROOFMARK_COLLECTORS_PAPI_PAPI_H_
#define ROOFMARK_COLLECTORS_PAPI_PAPI_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

std::unique_ptr<Collector> MakePapiCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_PAPI_PAPI_H_

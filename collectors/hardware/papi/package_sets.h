// SPDX-License-Identifier: BSD-3-Clause
//
// Events of a package through PAPI: one set for each component, never multiplexed by PAPI, started
// once. The process that has them reads them; a set cannot be given to another process.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_PACKAGE_SETS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_PACKAGE_SETS_H_

#include <memory>
#include <string>
#include <vector>

#include "collectors/hardware/package/reader.h"
#include "lib/core/result.h"

namespace roofmark::papi {

// To open n events of kUncore costs n (n + 1) / 2 opens, since PAPI opens all of a set anew for
// each that it adds: sets are made for one package, so that n stays small.
class PackageOpener final : public package::Opener {
 public:
  Result<std::unique_ptr<package::Reader>> Open(
      const std::vector<package::Wanted>& events) const override;
  std::string Origin() const override { return "papi"; }
};

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_PACKAGE_SETS_H_

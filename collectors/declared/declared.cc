// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/declared/declared.h"

namespace roofmark {
namespace {

class DeclaredCollector final : public Collector {
 public:
  std::string_view Name() const override { return "declared"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{
        {metric::kDeclaredFlops, Status::kDeclared, ""},
        {metric::kDeclaredBytes, Status::kDeclared, ""},
        {metric::kDeclaredOperations, Status::kDeclared, ""},
    };
  }
};

}  // namespace

std::unique_ptr<Collector> MakeDeclaredCollector() { return std::make_unique<DeclaredCollector>(); }

}  // namespace roofmark

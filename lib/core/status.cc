// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/status.h"

#include <iterator>

#include "lib/core/table.h"

namespace roofmark {
namespace {

constexpr Named<Status> kStatuses[] = {
    {Status::kMeasured, "measured"},
    {Status::kScaled, "scaled"},
    {Status::kModelled, "modelled"},
    {Status::kDeclared, "declared"},
    {Status::kMixedPrecision, "mixed-precision"},
    {Status::kDenied, "denied"},
    {Status::kUnsupported, "unsupported"},
    {Status::kInvalid, "invalid"},
};
static_assert(InOrder(kStatuses, Status::kInvalid));

}  // namespace

std::string_view StatusName(Status status) { return RowOf(kStatuses, status).name; }

std::optional<Status> ParseStatus(std::string_view name) { return FindByName(kStatuses, name); }

Status Worst(uint32_t bits) {
  for (size_t i = std::size(kStatuses); i-- > 0;) {
    if (bits & (1u << i)) return static_cast<Status>(i);
  }
  return Status::kUnsupported;
}

}  // namespace roofmark

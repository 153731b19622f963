// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_derivation.h"

#include <algorithm>
#include <functional>

namespace roofmark {
namespace {

constexpr char kCountsDevices[] = "cupti";  // origin of what is stored

}  // namespace

std::vector<DeviceDerivation> RegionsOnDevice(const JobProfile& job, const DeviceInfo& device,
                                              const DeviceRoofs& roofs) {
  std::vector<DeviceDerivation> regions;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    if (const DeviceRow* row = FindRow(device, job.paths[p].path)) {
      regions.push_back({job, device, *row, p, roofs});
    }
  }
  return regions;
}

uint32_t RanksNotOnDevices(const JobProfile& job) {
  const uint32_t known =
      job.run.ranks_merged - std::min(job.run.ranks_merged, job.run.recovered_ranks);
  return job.run.ranks - std::min(job.run.ranks, known);
}

Value StoredOf(const DeviceDerivation& of, DeviceMetric metric) {
  if (!Info(metric).of_own_kernels && HasValue(StatusOf(of.device, metric)) &&
      RanksNotOnDevices(of.job) > 0) {
    return Value::None(Reason::kRanksOnDevice, Status::kInvalid);
  }
  if (const auto value = ValueOf(of.device, of.row, metric)) {
    return Value::Of(static_cast<double>(*value), StatusOf(of.device, metric), kCountsDevices);
  }
  const Status status = StatusOf(of.device, metric);
  if (!HasValue(status)) {
    return Value::None({Reason::kRecorded, WhyNot(of.device, metric)}, status);
  }
  return Value::None(Reason::kLostOnDevice, Status::kInvalid);
}

double StoredOr0(const DeviceDerivation& of, DeviceMetric metric) {
  return StoredOf(of, metric).number.value_or(0);
}

Value ModelledOnDevice(double number) {
  return Value::Of(number, Status::kModelled, kCountsDevices);
}

Value Times(const Value& a, double factor) {
  return Combine(a, a, [factor](double number, double) { return number * factor; });
}

Value Quotient(const Value& a, const Value& b, Reason if_zero) {
  if (a && b && *b == 0) return Value::None(if_zero);
  return Combine(a, b, std::divides<>());
}

}  // namespace roofmark

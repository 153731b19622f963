// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "lib/core/table.h"
#include "lib/model/derived.h"
#include "lib/report/comparison_report.h"
#include "lib/report/csv_field.h"

namespace roofmark {
namespace {

constexpr Named<Presence> kPresences[] = {
    {Presence::kBoth, "both"}, {Presence::kNew, "new"}, {Presence::kVanished, "vanished"}};
static_assert(InOrder(kPresences, Presence::kVanished));

constexpr Named<NoiseKind> kNoises[] = {{NoiseKind::kTested, "tested"},
                                        {NoiseKind::kUnknown, "unknown"},
                                        {NoiseKind::kCountedOnce, "counted_once"},
                                        {NoiseKind::kSmall, "small"},
                                        {NoiseKind::kNoValue, "no_value"},
                                        {NoiseKind::kDoubtful, "doubtful"}};
static_assert(InOrder(kNoises, NoiseKind::kDoubtful));

std::string Number(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string Tested(const Change& change) {
  if (!change.difference) return ",,,";
  const Difference& difference = *change.difference;
  return fmt::format("{},{},{},{}", difference.change.least, difference.change.most,
                     difference.probability, change.corrected);
}

}  // namespace

std::string ComparisonCsvHead() {
  return "before,after,path,new_path,presence,quantity,unit,value_before,value_after,ratio,"
         "ratio_least,ratio_most,probability,probability_corrected,noise,significant\n";
}

std::string RenderComparisonCsv(const ComparedJobs& jobs) {
  std::string out;
  for (const RegionChange& region : jobs.comparison.regions) {
    const std::string begin = fmt::format(
        "{},{},{},{},{}", CsvField(jobs.before.name), CsvField(jobs.after.name),
        CsvField(region.path), CsvField(region.new_path), RowOf(kPresences, region.presence).name);
    for (const QuantityInfo& info : kQuantityTable) {
      const Change& change = region.Of(info.id);
      out += fmt::format("{},{},{},{},{},{},{},{},{}\n", begin, info.derived,
                         FindDerived(info.derived)->unit, Number(change.before.number),
                         Number(change.after.number), Number(change.factor), Tested(change),
                         RowOf(kNoises, change.noise).name, change.significant ? 1 : 0);
    }
    out += fmt::format("{},limit,,{},{},,,,,,,\n", begin, CsvField(region.limit_before),
                       CsvField(region.limit_after));
  }
  return out;
}

}  // namespace roofmark

// SPDX-License-Identifier: BSD-3-Clause
//
// The table of derived values: what reports say of a region beside the metrics that the roofline
// file stores. The terminal's table, the page, CSV, the analysis as JSON, `roofmark compare` and
// docs/model.md read it; a row is all that a new value needs, and its formula if no member of
// PathAnalysis holds it.
#ifndef ROOFMARK_LIB_MODEL_DERIVED_H_
#define ROOFMARK_LIB_MODEL_DERIVED_H_

#include <span>
#include <string_view>

#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark {

// What a row's formula may read: one region of a job.
struct Derivation {
  const JobProfile& job;
  size_t path;
  const PathAnalysis& analysis;
};

enum class NumberFormat : uint8_t {
  kSi,       // "1.23G"
  kPlain,    // "0.333"
  kPercent,  // "30 %"
  kSeconds,  // "1.23 s"
};

// The column of the terminal's table and of the page.
struct TableHead {
  std::string_view text;  // in one line: short, with its unit
  size_t width = 0;       // of its cells in the terminal; 0: no column
  int gives_way = 0;      // 1: the first to make room for long names; 0: it stays
  int place = 0;          // of the columns of regions: 1 is the leftmost
};

struct DerivedInfo {
  std::string_view name;  // its id: CSV, JSON, compare, documents
  std::string_view unit;  // "1": a quotient of equal units; empty: a text
  std::string_view doc;
  std::string_view source = {};  // of the formula: "2008 §3" as docs/model.md cites
  NumberFormat format = NumberFormat::kPlain;
  TableHead head = {};
  bool is_optional = false;  // most runs cannot have it: without a value it is left out
  // The metric whose sum over the ranks it is, if there is one: the CSV shows that metric's
  // distribution in place of the number. A total has none where declared work stands in for it.
  MetricId stored = kMetrics;
  // Exactly one of the two.
  Value (*value)(const Derivation&) = nullptr;
  std::string_view (*text)(const Derivation&) = nullptr;
  // The unit for a region that declares operations and has no FLOPs; empty if it is the same.
  std::string_view unit_of_operations = {};
};

// All derived values.
std::span<const DerivedInfo> DerivedValues();

// nullptr if there is no such value. Linear.
const DerivedInfo* FindDerived(std::string_view name);

// The unit in this region.
std::string_view UnitOf(const DerivedInfo& info, const PathAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DERIVED_H_

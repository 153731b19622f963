// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/critical_lines.h"

#include <map>

#include "lib/core/source_place.h"

namespace roofmark::counting {
namespace {

// Line 0: it is not known.
SourceLine LineAt(uint64_t address) {
  MappedPlace code;
  SourcePlace place = {};
  if (!FindMapped(reinterpret_cast<const void*>(address), code)) return {};
  if (!AskForSource(code, /*is_body=*/false, place)) return {};
  return {place.file, place.line};
}

}  // namespace

void CriticalLines::HandOver(CountSink& sink) const {
  std::map<uint64_t, SourceLine> known;
  for (const Place& place : places_) {
    const auto [row, is_new] = known.try_emplace(place.address);
    if (is_new) row->second = LineAt(place.address);
    if (row->second.line > 0) sink.Critical(place.context, row->second, place.cycles);
  }
}

}  // namespace roofmark::counting

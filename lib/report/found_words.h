// SPDX-License-Identifier: BSD-3-Clause
//
// What reports say of loops and functions that were found (RegionKind::kFound), beside what they
// say of any region. Drawings show them as hollow dots; in texts their names tell.
#ifndef ROOFMARK_LIB_REPORT_FOUND_WORDS_H_
#define ROOFMARK_LIB_REPORT_FOUND_WORDS_H_

#include <string>
#include <string_view>

#include "lib/profile/profile.h"
#include "lib/report/rows.h"

namespace roofmark {

// Explains hollow dots; above the sentences of FoundFact().
inline constexpr std::string_view kFoundLegend = "found loop or function";
inline constexpr std::string_view kFoundTitle = "found loops and functions";

// As the file has it (kFoundFact), so it need not be printable; empty where nothing was found.
std::string_view FoundFact(const RunInfo& run);

// There are regions, and no marker opened any of the outermost ones.
bool OutermostAreFound(const JobProfile& job);

// A row's name in at most `width` columns. Of a found region the file and line stay longest: they
// tell it apart; the regions around it give way first, then the middle of the function's name.
std::string ShortName(const Row& row, size_t width, std::string_view mark);

// The name of a loop or function in at most `width` columns: its file and line stay longest.
std::string ShortPlace(std::string_view name, size_t width, std::string_view mark);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_FOUND_WORDS_H_

// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/late_regions.h"

#include <functional>
#include <map>
#include <string>

#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/region_choice.h"
#include "lib/profile/late_profile.h"
#include "lib/profile/roofline_json.h"
#include "markers/late_visits.h"
#include "markers/runtime/output.h"

namespace roofmark::runtime {
namespace {

// Ranks that speak: in most programs all do the same there.
constexpr uint32_t kSpeakers = 16;

// A file that is another one by now is left alone.
void AddWarning(Process& self, const std::string& sentence) {
  if (self.last_file.name.empty()) return;
  const std::string name = self.output_place.NameFor(self.last_file.name);
  const Result<std::string> text = ReadFound(name, limits::kRooflineBytes);
  if (!text || std::hash<std::string>()(*text) != self.last_file.hash) return;
  Result<RooflineFile> file = RooflineFromJson(*text, name);
  if (!file) return;
  file->job.run.warnings.push_back(sentence);
  const Result<std::string> written = WriteFile(name, RooflineToJson(*file), IfExists::kReplace);
  if (!written) PassOn(written.error());
}

// Without those that the user left out by their names.
std::map<std::string, uint64_t> ChosenVisits(const std::string& regions) {
  std::map<std::string, uint64_t> visits = markers::LateVisits::All();
  const Result<RegionChoice> choice = RegionChoice::Parse(regions);
  if (choice && !regions.empty()) {
    std::erase_if(visits, [&choice](const auto& visit) { return choice->LeavesOut(visit.first); });
  }
  return visits;
}

}  // namespace

void TellLate(Process& self) {
  const std::map<std::string, uint64_t> visits = ChosenVisits(self.settings.regions);
  if (visits.empty()) return;
  const JobProfile late = LateProfile(DescribeProcess(self).run, visits);
  const uint32_t rank = late.run.first_rank;
  if (self.settings.of_run) {
    WriteSomewhere(self.output_place, LateName(OutputName(self, rank), rank),
                   RooflineToJson({late, {}}));
    return;
  }
  const std::string sentence = DescribeLate(late);
  SetSpeaker(rank < kSpeakers, self.settings.quiet);
  PassOn(sentence);
  AddWarning(self, sentence);
}

}  // namespace roofmark::runtime

// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/work.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "command/output.h"
#include "command/run/children.h"
#include "command/run/executions.h"
#include "command/run/job_end.h"
#include "command/run/limit.h"
#include "lib/core/clock.h"
#include "lib/core/collector_names.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/settings.h"

namespace roofmark::cli {
namespace {

constexpr std::string_view kFirst = "first:";

std::string VisitsOf(const Child& child) {
  const auto visits = child.environment.find("ROOFMARK_VISITS");
  return visits == child.environment.end() ? "" : visits->second.value_or("");
}

uint64_t FirstVisits(const std::string& text) {
  uint64_t k = 0;
  if (text.starts_with(kFirst)) {
    std::from_chars(text.data() + kFirst.size(), text.data() + text.size(), k);
  }
  return k;
}

WorkExtent WantedExtent(const RunOptions& options, const Child& child, const NextPass& next) {
  WorkExtent extent;
  if (!next.count.empty()) extent.count = next.count;
  extent.first_visits = FirstVisits(VisitsOf(child));
  extent.bursts = VisitsOf(child) == kVisitsInBursts;
  extent.sampled = options.sample > 1 || (options.sample == 0 && options.engine == kEngineAuto);
  extent.native = options.CountsNatively() && !options.loops;
  return extent;
}

// What differs from the defaults.
void Give(const WorkExtent& extent, Child& child) {
  if (extent.count != WorkExtent().count) child.environment["ROOFMARK_COUNT"] = extent.count;
  if (extent.first_visits > 0) {
    child.environment["ROOFMARK_VISITS"] = fmt::format("{}{}", kFirst, extent.first_visits);
  }
}

std::string Announcement(const Expectation& expectation, const JobProfile& time) {
  return fmt::format(
      "work pass under the counting engine: expected to take {} (the time pass took {}); its times "
      "are not used (--work never: without it)",
      Describe(expectation), Duration(time.run.passes.empty() ? 0 : time.run.passes[0].wall_s));
}

double SecondsSince(uint64_t start_ns) { return static_cast<double>(NowNs() - start_ns) * 1e-9; }

}  // namespace

bool ExecuteWork(const RunOptions& options, const PassDirectory& directory, Child child,
                 const NextPass& next, const JobProfile* time, PassResult& result) {
  const std::string engine(EngineCollector());
  if (time == nullptr) {
    Execute("work pass under the counting engine: slower; its times are not used", options, child,
            engine, directory.path(), result);
    return true;
  }
  const std::optional<double> limit_s = ParseLimit(options.work_limit);
  const WorkExtent wanted = WantedExtent(options, child, next);
  FittedWork fitted{wanted, ExpectWork(*time, wanted), {}, true};
  if (limit_s) fitted = FitWork(*time, wanted, *limit_s);
  for (const std::string& sentence : fitted.sentences) PassOn(sentence);
  if (!fitted.fits) return false;
  const std::string too_short = WhyJobIsTooShort(fitted.expectation, LeftOfJob(), /*is_work=*/true);
  if (!too_short.empty()) PassOn(too_short);
  Give(fitted.extent, child);
  const Sequel sequel{*time, fitted.expectation, /*is_work=*/true};
  const uint64_t start_ns = NowNs();
  Execute(Announcement(fitted.expectation, *time), options, child, engine, directory.path(), result,
          &sequel);
  if (const double took_s = SecondsSince(start_ns); limit_s && took_s > *limit_s) {
    Say(message::kWorkPassTooLong, Duration(took_s), Duration(*limit_s));
  }
  return true;
}

}  // namespace roofmark::cli

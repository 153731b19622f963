// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/gpu_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <map>
#include <utility>
#include <vector>

#include "collectors/cupti/errors.h"
#include "collectors/cupti/library.h"

namespace roofmark::cli {
namespace {

constexpr char kGpuSection[] = "GPUs";

// "2 x NVIDIA H200 and 1 x NVIDIA A100", in the order of names.
std::string Models(const cupti::DriverFacts& driver) {
  std::map<std::string, size_t> models;
  for (const cupti::Gpu& gpu : driver.gpus) {
    ++models[gpu.model.empty() ? "a GPU without a name" : gpu.model];
  }
  std::vector<std::string> texts;
  for (const auto& [model, count] : models) texts.push_back(fmt::format("{} x {}", count, model));
  return fmt::format("{}", fmt::join(texts, " and "));
}

Finding Devices(const cupti::DriverFacts& driver) {
  Finding finding{"gpu", kGpuSection, "GPUs", "", {}};
  if (!driver.loaded) {
    finding.found = "none";
    finding.diagnosis = {State::kUnsupported, 0, "no driver of NVIDIA's GPUs is loaded", ""};
  } else if (driver.gpus.empty()) {
    finding.found = fmt::format("none, with {}", driver.version);
    finding.diagnosis = {State::kUnsupported, 0, "the driver lists no GPU here", ""};
  } else {
    finding.found = fmt::format("{}, with {}", Models(driver), driver.version);
  }
  return finding;
}

Finding Counters(const cupti::DriverFacts& driver, const std::string& cupti_error,
                 const std::string& cupti_file, bool privileged) {
  Finding finding{"cupti", kGpuSection, "counters of GPUs", "", {}};
  if (!cupti_error.empty()) {
    finding.found = "cannot be read";
    finding.diagnosis = {State::kMissing, 0, cupti_error, ""};
  } else if (driver.administrators_only && !privileged) {
    finding.found = "cannot be read";
    finding.diagnosis = {State::kDenied, 0,
                         "the driver lets administrators alone read them (ERR_NVGPUCTRPERM)",
                         cupti::kAllowCure};
  } else {
    finding.found = fmt::format("ROOFMARK_COLLECTOR=cupti can ask for them ({})", cupti_file);
  }
  return finding;
}

Finding FindingOf(const cupti::SurroundingNote& note) {
  Finding finding{note.id, kGpuSection, note.title, note.found, {}};
  if (!note.cause.empty()) {
    const State state = note.hides_all ? State::kMissing : State::kLimited;
    finding.diagnosis = {state, 0, note.cause, note.cure};
  }
  return finding;
}

}  // namespace

Findings DescribeSurroundings(const cupti::Surroundings& surroundings) {
  Findings findings;
  for (const cupti::SurroundingNote& note : cupti::NotesOf(surroundings)) {
    findings.push_back(FindingOf(note));
  }
  return findings;
}

Findings DescribeGpus(const cupti::DriverFacts& driver, const std::string& cupti_error,
                      const std::string& cupti_file, bool privileged) {
  Findings findings = {Devices(driver)};
  if (findings[0].Ok()) {  // else there is nothing to count
    findings.push_back(Counters(driver, cupti_error, cupti_file, privileged));
  }
  return findings;
}

Findings FindGpus() {
  const cupti::DriverFacts driver = cupti::ReadDriver();
  if (!driver.loaded) return DescribeGpus(driver, "", "", false);
  const Result<cupti::Library> library = cupti::OpenLibrary();
  Findings findings =
      DescribeGpus(driver, library.error(), library ? library->file : "", geteuid() == 0);
  for (Finding& finding : DescribeSurroundings(cupti::ReadSurroundings())) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace roofmark::cli

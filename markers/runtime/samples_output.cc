// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/samples_output.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>

#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "lib/samples/samples_json.h"
#include "markers/recorder.h"
#include "markers/runtime/output.h"

namespace roofmark::runtime {

void StartSampling(Process& self) {
  if (self.settings.samples.hz == 0) return;
  if (!TimesAreReal(self)) {
    self.samples_fact = "none: times of a program that is counted in this way are not its own";
    return;
  }
  self.sampler = std::make_unique<samples::Sampler>(self.settings.samples, self.settings.places);
  // Of a program that is killed between two slow ways the time until then is known.
  spool::Writer* writer = self.spooling.writer();
  const std::string why_not =
      self.sampler->Start(writer ? [writer] { writer->NoteTime(); } : std::function<void()>());
  if (why_not.empty()) {
    markers::Recorder::ListenToMpi(&samples::Sampler::MpiCallEnded);
    return;
  }
  self.samples_fact = fmt::format("none: {}", why_not);
  Complain(message::kNothingSampled, why_not);
}

void WriteSamples(Process& self) {
  const bool samples_came = self.sampler != nullptr && self.samples_fact.empty();
  if (!samples_came) return;
  Samples samples = self.sampler->Stop();
  const JobProfile described = DescribeProcess(self);
  SampledProcess& process = samples.processes.front();
  process.rank = described.run.first_rank;
  process.ranks = described.run.ranks;
  process.host = described.run.hosts.front().name;
  process.command = described.run.passes.front().command;
  process.start_time = self.start_time;
  for (const std::string& warning : process.warnings) {
    Complain(message::kSamplesMissing, warning);
  }
  const std::string name = SamplesName(OutputName(self, process.rank), process.rank);
  const std::string written = WriteSomewhere(self.output_place, name, SamplesToJson(samples));
  self.samples_fact = written.empty() ? "none: the file could not be written" : written;
}

}  // namespace roofmark::runtime

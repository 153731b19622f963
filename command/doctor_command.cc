// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark doctor: what this machine can count, what it cannot and why, and what to do about it.
#include <unistd.h>

#include <algorithm>

#include "command/bundle/bundle.h"
#include "command/commands.h"
#include "command/doctor/report.h"
#include "command/output.h"
#include "command/reservation.h"
#include "command/self_test/child.h"
#include "lib/core/collector_names.h"
#include "lib/core/messages/command.h"

namespace roofmark::cli {
namespace {

struct DoctorOptions {
  bool self_test = false, json = false, worker = false, probe = false, raw = false;
  std::string collector = "auto", bundle;
};

// With `auto` the engine takes over where there are no counters.
Result<SelfTest> Test(const std::string& collector, bool json) {
  Result<SelfTest> test = SelfTestOfAllGroups(collector);
  if (collector != "auto" || (test && test->Counts())) return test;
  if (!json) {
    Say(message::kTestsEngineInstead, test ? test->line : test.error());
  }
  return SelfTestInChild(std::string(EngineCollector()), "", Extent::kAll);
}

// Without a self-test that worked the rest of it is worth having, too.
bool WriteBundle(Reservation& file, const Findings& findings, const Result<SelfTest>& test,
                 bool json) {
  Bundle bundle = DescribeMachine();
  bundle.findings = findings;
  if (test) bundle.self_test = *test;
  const Result<std::string> raw = RawInChild();
  if (!raw) Say(message::kBundleHasNoTotals, raw.error());
  bundle.raw = raw ? *raw : RawToJson({}, {});
  const Result<std::string> text = BundleJson(bundle);
  const Result<std::string> path = text ? file.Write(*text) : text;
  if (!path) {
    PassOn(path.error());
    return false;
  }
  const std::string contents = BundleContents(bundle, *path, text->size());
  if (json) {
    PassOn(contents);
  } else {
    Print("\n{}", contents);
  }
  return true;
}

int ShowSelfTest(const DoctorOptions& options, const Result<SelfTest>& test, DoctorReport report) {
  if (!test) {
    Say(message::kSelfTestFailed, test.error());
    return kFailure;
  }
  if (options.json) {
    report.self_test = *test;
    Print(DoctorJson(report));
  } else if (test->Counts()) {
    Print(SelfTestText(*test));
  }
  if (!test->Counts()) PassOn(test->line);
  return test->Counts() && !test->checks.empty() && test->CountOff() == 0 ? 0 : kFailure;
}

int RunTest(const DoctorOptions& options) {
  return ShowSelfTest(options, Test(options.collector, options.json),
                      options.json ? Examine() : DoctorReport());
}

// The name of the bundle is taken first: the self-test takes a while.
int RunTestForBundle(const DoctorOptions& options) {
  Result<Reservation> file = options.bundle == "-"
                                 ? Error{"--bundle: give the name of a file, not -"}
                                 : Reservation::Of(OfUser(options.bundle), /*replace=*/false);
  if (!file) {
    PassOn(file.error());
    return kFailure;
  }
  const Result<SelfTest> test = Test(options.collector, options.json);
  const DoctorReport report = Examine();
  const int status = ShowSelfTest(options, test, report);
  return WriteBundle(*file, report.findings, test, options.json) ? status : kFailure;
}

int Run(const DoctorOptions& options) {
  if (options.raw) return RawWorker();
  if (options.worker) return SelfTestWorker(options.probe ? Extent::kProbe : Extent::kAll);
  if (options.self_test && !options.bundle.empty()) return RunTestForBundle(options);
  if (options.self_test) return RunTest(options);
  const DoctorReport report = Examine();
  Print(options.json ? DoctorJson(report)
                     : DoctorText(report, std::clamp<size_t>(TerminalColumns(100), 70, 120)));
  return report.conclusion.counts ? 0 : kFailure;
}

}  // namespace

void AddDoctorCommand(CommandLine& line) {
  auto options = std::make_shared<DoctorOptions>();
  const Command command = line.Add(
      "doctor",
      "Show what this machine can count, what it cannot count, why, and how to fix it\n"
      "\n"
      "Every capability is tested by opening it. Exit status 0: hardware counters or the counting\n"
      "engine can count more than visits and time; 1: they cannot. With --self-test, 0: all "
      "counts\n"
      "are correct; 1: some are outside their tolerance, or nothing can be counted.");
  command.Flag("--self-test", options->self_test,
               "Run kernels of known work and compare the counts");
  command
      .Value("--collector", options->collector,
             "Collector of the self-test: auto, perf_event, papi, counting")
      .OneOf(CollectorWords({CollectorKind::kInProcess, CollectorKind::kEngine}))
      .Needs("--self-test");
  command.Flag("--json", options->json, "JSON for programs, see docs/file-formats.md");
  command
      .Output("--bundle", options->bundle,
              "Write all that tells how this machine counts to a file, for the project's tests; it "
              "names no person, host or file",
              {.extension = "json", .checks_itself = true})
      .Needs("--self-test");
  command.Flag("--raw", options->raw).Hidden();
  command.Flag("--worker", options->worker).Hidden();
  command.Flag("--probe", options->probe).Hidden();
  command.Runs([options] { return Run(*options); });
}

}  // namespace roofmark::cli

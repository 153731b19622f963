// SPDX-License-Identifier: BSD-3-Clause
#include <sys/utsname.h>

#include "command/bundle/bundle.h"
#include "command/doctor/system_facts.h"
#include "command/installation.h"
#include "command/output.h"
#include "command/own_child.h"

namespace roofmark::cli {
namespace {

// As the self-test's regions.
constexpr uint64_t kRegionNs = 5'000'000;
// Streams through eight last-level caches, once for each handful of events.
constexpr int kMostSeconds = 1200;

}  // namespace

Bundle DescribeMachine() {
  Bundle bundle;
  bundle.roofmark = OwnVersion();
  utsname names = {};
  if (uname(&names) == 0) {
    bundle.architecture = names.machine;
    bundle.kernel = PlainVersion(names.release);
  }
  bundle.hypervisor = ReadSystemFacts().hypervisor;
  bundle.cpuid = ReadCpuid();
  bundle.files = ReadSystemFiles();
  return bundle;
}

Result<std::string> RawInChild() {
  const ChildOutput output = RunOwnChild({"doctor", "--worker", "--raw"}, {}, kMostSeconds);
  if (!output.error.empty()) return Error{output.error};
  if (output.status != 0) return Error{"the child that counts single events failed"};
  return output.out;
}

int RawWorker() {
  const RawEvents raw = ListRawEvents();
  Print("{}\n", RawToJson(raw, CountRaw(raw, RunPlainExercises, kRegionNs)));
  return 0;
}

}  // namespace roofmark::cli

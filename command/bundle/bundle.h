// SPDX-License-Identifier: BSD-3-Clause
//
// One file of all that tells how this machine counts, for people who do not have it: a test plays
// the machine from it (tests/silicon). docs/bundle.schema.json; nothing in it names a person, a
// host or a file of theirs, since every text is a kernel's, a CPU's or a row of roofmark's tables.
#ifndef ROOFMARK_COMMAND_BUNDLE_BUNDLE_H_
#define ROOFMARK_COMMAND_BUNDLE_BUNDLE_H_

#include <optional>
#include <string>
#include <vector>

#include "command/bundle/cpuid.h"
#include "command/bundle/raw_totals.h"
#include "command/bundle/system_files.h"
#include "command/doctor/finding.h"
#include "command/self_test/self_test.h"

namespace roofmark::cli {

struct Bundle {
  std::string roofmark;      // version
  std::string architecture;  // "x86_64"
  std::string kernel;        // version without what a vendor or a site adds: "6.1.0"
  std::string hypervisor;    // empty: none
  std::vector<CpuidLeaf> cpuid;
  SystemFiles files;
  Findings findings;
  std::optional<SelfTest> self_test;
  std::string raw;  // of RawToJson()
};

// "5.14.0-lab.x86_64" -> "5.14.0".
std::string PlainVersion(const std::string& release);

// What this machine is, without counts: `findings`, `self_test` and `raw` are the caller's.
Bundle DescribeMachine();

// Error: `raw` is no JSON.
Result<std::string> BundleJson(const Bundle& bundle);

// What is in it, for its giver.
std::string BundleContents(const Bundle& bundle, const std::string& file, size_t bytes);

// In a child of this command, as the self-test is: RawToJson().
Result<std::string> RawInChild();
// The child itself.
int RawWorker();

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_BUNDLE_BUNDLE_H_

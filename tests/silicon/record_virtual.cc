// SPDX-License-Identifier: BSD-3-Clause
//
// record_virtual: prints the bundle of a Skylake-SP as the virtual PMU plays it, whose events count
// what Intel's manual says of the self-test's kernels (a fused multiply-add counts twice, a line of
// memory is 64 bytes). The clock stands still but for what the kernels take, so that the bundle is
// the same each time.
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "command/bundle/bundle.h"
#include "virtual_pmu.h"

namespace roofmark::cli {
namespace {

constexpr char kMachine[] = VPMU_MACHINES "/skx";

uint64_t Config(uint64_t event, uint64_t unit_mask) { return event | unit_mask << 8; }

// FP_ARITH_INST_RETIRED, by width and precision.
uint64_t FlopEvent(Width width, Precision precision) {
  const auto row = static_cast<uint64_t>(width);
  return Config(0xc7, uint64_t{1} << (2 * row + (precision == Precision::kSingle ? 1 : 0)));
}

uint64_t Lanes(Width width, Precision precision) {
  constexpr uint64_t kOfDouble[] = {1, 2, 4, 8};
  const uint64_t lanes = kOfDouble[static_cast<size_t>(width)];
  return width == Width::kScalar || precision == Precision::kDouble ? lanes : 2 * lanes;
}

constexpr uint64_t kInstructions = 8;  // of one repeat

void RunFlops(Laboratory& laboratory, Precision precision, Width width, FlopKind kind,
              const std::string& name) {
  const uint64_t each = kind == FlopKind::kFma ? 2 : 1;
  const auto flops = static_cast<double>(kInstructions * each * Lanes(width, precision));
  laboratory.Run(
      {Family::kFlops, name, KnownFlops({{FlopMetric(precision, width, kind), flops}}), 1000, 5000},
      [=](uint64_t repeats) {
        vpmu_retire(0, FlopEvent(width, precision), kInstructions * each * repeats);
        vpmu_retire(0, 0xc0, (kInstructions + 2) * repeats);
        vpmu_retire(0, 0x3c, 4 * kInstructions * repeats);
        vpmu_advance(repeats);
      });
}

void RunCountedLoop(Laboratory& laboratory) {
  laboratory.Run(
      {Family::kInstructions, "counted loop", {{"instructions", Exactly(40)}}, 1000, 5000},
      [](uint64_t repeats) {
        vpmu_retire(0, 0xc0, 40 * repeats);
        vpmu_advance(repeats);
      });
}

// `reads` and `writes` are lines of one repeat on each controller of both packages.
void RunStream(Laboratory& laboratory, Family family, const std::string& name, uint64_t reads,
               uint64_t writes) {
  constexpr uint64_t kControllers = 6, kPackages = 2;
  const auto bytes = [](uint64_t lines) {
    return Exactly(static_cast<double>(64 * kControllers * kPackages * lines));
  };
  const Range both = bytes(reads + writes);
  const Known known = family == Family::kCaches
                          ? Known{{"l1_read_bytes", both}, {"l2_read_bytes", both}}
                          : Known{{"package_dram_read_bytes", bytes(reads)},
                                  {"package_dram_write_bytes", bytes(writes)}};
  laboratory.Run({family, name, known, 1000, 5000}, [=](uint64_t repeats) {
    for (int package = 0; package < static_cast<int>(kPackages); ++package) {
      for (uint64_t i = 0; i < kControllers; ++i) {
        const std::string device = "uncore_imc_" + std::to_string(i);
        vpmu_device(package, device.c_str(), Config(0x04, 0x03), reads * repeats);
        vpmu_device(package, device.c_str(), Config(0x04, 0x0c), writes * repeats);
      }
    }
    const uint64_t lines = kControllers * kPackages * (reads + writes) * repeats;
    vpmu_retire(0, Config(0x51, 0x01), lines);  // into L1
    vpmu_retire(0, Config(0xf1, 0x1f), lines);  // into L2
    vpmu_advance(100 * repeats);
  });
}

void RunAll(Laboratory& laboratory) {
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    for (const Width width : {Width::kScalar, Width::k128, Width::k256, Width::k512}) {
      for (const FlopKind kind : {FlopKind::kAdd, FlopKind::kMul, FlopKind::kFma}) {
        RunFlops(laboratory, precision, width, kind,
                 std::string(RowOf(kPrecisionNames, precision).name) + " " +
                     std::string(RowOf(kWidthNames, width).name) + " " +
                     std::string(RowOf(kFlopKindNames, kind).name));
      }
    }
  }
  RunCountedLoop(laboratory);
  RunStream(laboratory, Family::kDram, "read", 5, 0);
  RunStream(laboratory, Family::kDram, "copy", 7, 3);
  RunStream(laboratory, Family::kCaches, "read", 5, 0);
}

// The leaves that the machine of the virtual PMU has, in place of this CPU's.
std::vector<CpuidLeaf> LeavesOfMachine() {
  std::vector<CpuidLeaf> leaves;
  std::ifstream file(std::string(kMachine) + "/machine");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::map<std::string, uint32_t> fields;
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      if (line.starts_with("cpuid ") && equals != std::string::npos) {
        fields[word.substr(0, equals)] =
            static_cast<uint32_t>(std::stoul(word.substr(equals + 1), nullptr, 0));
      }
    }
    if (fields.empty()) continue;
    leaves.push_back(
        {fields["leaf"], 0, fields["eax"], fields["ebx"], fields["ecx"], fields["edx"]});
  }
  return leaves;
}

int Record() {
  if (vpmu_use(kMachine) != 0) return 1;
  vpmu_set_privileged(1);
  vpmu_freeze();
  Bundle bundle;
  bundle.roofmark = "0.1.0";
  bundle.architecture = "x86_64";
  bundle.kernel = "6.1.0";
  bundle.cpuid = LeavesOfMachine();
  bundle.files = ReadSystemFiles();
  const RawEvents raw = ListRawEvents();
  bundle.raw = RawToJson(raw, CountRaw(raw, RunAll, 0));
  const Result<std::string> json = BundleJson(bundle);
  if (!json) return 1;
  std::fputs(json->c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace roofmark::cli

int main() { return roofmark::cli::Record(); }

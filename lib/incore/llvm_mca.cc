// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/llvm_mca.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "lib/assembly/assembly.h"
#include "lib/profile/json_document.h"

namespace roofmark::incore {
namespace {

// What a vector of addresses points at has another size for LLVM.
std::string WithoutSize(const std::string& text) {
  const size_t ptr = text.find(" ptr [");
  if (ptr == std::string::npos) return text;
  const size_t size = text.rfind(' ', ptr - 1);
  return text.substr(0, size == std::string::npos ? 0 : size + 1) + text.substr(ptr + 5);
}

// In this syntax LLVM wants names as targets, and the number of an x87 register in parentheses.
std::string ForLlvm(const assembly::Instruction& code) {
  const std::string mnemonic = code.text.substr(0, code.text.find(' '));
  if (code.target != 0) return mnemonic + " target";
  if (mnemonic == "nop") return mnemonic;
  if (code.gathers || code.scatters) return WithoutSize(code.text);
  if (!mnemonic.starts_with('f')) return code.text;
  std::string text;
  for (size_t i = 0; i < code.text.size(); ++i) {
    const bool is_register = code.text.compare(i, 2, "st") == 0 && i > mnemonic.size() &&
                             i + 2 < code.text.size() &&
                             std::isdigit(static_cast<unsigned char>(code.text[i + 2])) != 0;
    text +=
        is_register ? std::string("st(") + code.text[i + 2] + ')' : std::string(1, code.text[i]);
    if (is_register) i += 2;
  }
  return text;
}

Error Unknown(std::string_view what) {
  return Error{"its answer has no " + std::string(what) +
               ": it may be of a version that is not known here"};
}

// The rows behind those of the instructions have the sums of one iteration. Units that are several
// alike have a byte that no name has at the end.
void FindBusiest(const Json& region, const std::vector<std::string>& ports, size_t instructions,
                 PortBound& bound) {
  const Json view = region.value("ResourcePressureView", Json::object());
  const Json rows = view.value("ResourcePressureInfo", Json::array());
  for (const Json& row : rows) {
    if (!row.is_object()) continue;
    const uint64_t of = row.value("InstructionIndex", uint64_t{0});
    const uint64_t port = row.value("ResourceIndex", UINT64_MAX);
    const double cycles = row.value("ResourceUsage", 0.0);
    if (of != instructions || port >= ports.size() || !std::isfinite(cycles)) continue;
    if (cycles <= bound.busiest_cycles) continue;
    bound.busiest_cycles = cycles;
    bound.busiest = ports[port].substr(0, ports[port].find('.'));
  }
}

Result<McaAnswer> ReadDocument(const Json& json) {
  if (!json.is_object() || !json.contains("CodeRegions")) return Unknown("code regions");
  const Json& regions = json["CodeRegions"];
  if (!regions.is_array() || regions.empty() || !regions[0].is_object()) {
    return Unknown("code regions");
  }
  const Json& region = regions[0];
  const Json summary = region.value("SummaryView", Json());
  if (!summary.is_object()) return Unknown("summary");
  const double iterations = summary.value("Iterations", 0.0);
  const double cycles = summary.value("TotalCycles", 0.0);
  const double ports = summary.value("BlockRThroughput", 0.0);
  if (!(iterations > 0) || !(cycles > 0) || !(ports > 0)) return Unknown("cycles");
  McaAnswer answer;
  answer.bound.ports_cycles = ports;
  answer.bound.cycles = std::max(ports, cycles / iterations);
  const Json target = json.value("TargetInfo", region.value("TargetInfo", Json::object()));
  answer.cpu = target.value("CPUName", "");
  for (const Json& port : target.value("Resources", Json::array())) {
    answer.ports.push_back(port.is_string() ? port.get<std::string>() : "");
  }
  const size_t instructions = region.value("Instructions", Json::array()).size();
  FindBusiest(region, answer.ports, instructions, answer.bound);
  return answer;
}

}  // namespace

std::string AssemblerText(const LoopView& view) {
  std::string text;
  for (const size_t index : view.body) {
    const HotBlock& block = view.blocks[index].block;
    for (const assembly::Instruction& code :
         assembly::Read(block.code, block.begin, assembly::Sizes::kAll)) {
      text += ForLlvm(code) + "\n";
    }
  }
  return text.empty() ? text : ".intel_syntax noprefix\n" + text;
}

uint32_t IterationsFor(const LoopView& view) {
  size_t instructions = 1;
  for (const size_t index : view.body) instructions += view.blocks[index].instructions.size();
  return static_cast<uint32_t>(std::clamp<size_t>(100000 / instructions, 100, 2000));
}

Result<McaAnswer> ReadMcaAnswer(std::string_view json) {
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return Error{"its answer is no JSON"};
  try {
    return ReadDocument(document);
  } catch (const Json::exception&) {  // a value of another type
    return Unknown("values of the types that are expected");
  }
}

std::string ReadMcaVersion(std::string_view text) {
  constexpr std::string_view kBefore = "LLVM version ";
  const size_t at = text.find(kBefore);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + kBefore.size());
  size_t end = 0;
  while (end < rest.size() &&
         (std::isdigit(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '.')) {
    ++end;
  }
  return std::string(rest.substr(0, end));
}

}  // namespace roofmark::incore

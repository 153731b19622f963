// SPDX-License-Identifier: BSD-3-Clause
#include "command/loops/mca.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "command/ended.h"
#include "command/own_child.h"
#include "lib/core/clock.h"
#include "lib/incore/llvm_mca.h"
#include "lib/incore/scheduling.h"

namespace roofmark::cli {
namespace {

using incore::McaAnswer;
using incore::SchedulingModel;

// The newest first: they know more CPUs.
constexpr std::array<std::string_view, 9> kPrograms = {"llvm-mca-21", "llvm-mca-20", "llvm-mca-19",
                                                       "llvm-mca-18", "llvm-mca-17", "llvm-mca-16",
                                                       "llvm-mca-15", "llvm-mca-14", "llvm-mca"};
constexpr int kSeconds = 10;                               // for one loop
constexpr uint64_t kAllNs = uint64_t{30} * 1'000'000'000;  // for all of them

struct McaProgram {
  std::string name, version;
};

Result<McaAnswer> Ask(const McaProgram& program, const SchedulingModel& model,
                      const std::string& text, uint32_t iterations) {
  const ChildOutput output =
      RunForOutput({program.name, "-mtriple=x86_64", fmt::format("-mcpu={}", model.mcpu),
                    fmt::format("-iterations={}", iterations), "-json", "-"},
                   text, kSeconds);
  if (!output.error.empty()) return Error{output.error};
  if (output.status != 0 || output.out.empty()) {
    const std::string why = output.err.substr(0, output.err.find('\n'));
    return Error{why.empty() ? "it " + EndedWith(output.status) : why};
  }
  return incore::ReadMcaAnswer(output.out);
}

std::optional<McaProgram> Find(std::string_view name) {
  const ChildOutput output = RunForOutput({std::string(name), "--version"}, "", kSeconds);
  if (output.status != 0) return std::nullopt;
  const std::string version = incore::ReadMcaVersion(output.out);
  if (version.empty()) return std::nullopt;
  return McaProgram{std::string(name), version};
}

// Why the model is not the CPU's own; empty if it is.
std::string WhyBorrowed(const McaProgram& program, const SchedulingModel& model,
                        const Result<McaAnswer>& answer) {
  const std::string of = fmt::format("llvm-mca of LLVM {}", program.version);
  if (!answer || answer->cpu != model.mcpu) {
    return fmt::format("{} does not know this CPU, {}: install a newer LLVM", of, model.mcpu);
  }
  std::string_view other;
  for (const std::string& port : answer->ports) {
    if (port.starts_with(model.ports)) return {};
    if (other.empty()) other = incore::OwnerOfPort(port);
  }
  return fmt::format("in {} the model of {} has {} ports, so its cycles are another CPU's", of,
                     model.mcpu, other.empty() ? "another CPU's" : other);
}

// Nothing, and why, if none of the installed ones has a model of its own for this CPU.
std::optional<McaProgram> Choose(const SchedulingModel& model, std::string& why) {
  for (const std::string_view name : kPrograms) {
    const std::optional<McaProgram> program = Find(name);
    if (!program) continue;
    const auto probe = Ask(*program, model, ".intel_syntax noprefix\nadd rax, rbx\n", 10);
    const std::string borrowed = WhyBorrowed(*program, model, probe);
    if (borrowed.empty()) return program;
    if (why.empty()) why = borrowed;
  }
  if (why.empty()) {
    why = "llvm-mca is not installed (Debian: llvm-16 or later), which tells what ports allow";
  }
  return std::nullopt;
}

void AskAll(const McaProgram& program, const SchedulingModel& model, incore::LoopsView& views) {
  const uint64_t end = NowNs() + kAllNs;
  for (incore::LoopView& view : views.loops) {
    view.why_no_bound = view.why_no_body;
    if (!view.why_no_bound.empty()) continue;
    const std::string text = incore::AssemblerText(view);
    if (text.empty()) {
      view.why_no_bound = "its instructions cannot be read";
    } else if (NowNs() > end) {
      view.why_no_bound = "llvm-mca took too long for the loops before it";
    } else if (auto answer = Ask(program, model, text, incore::IterationsFor(view)); answer) {
      view.bound = answer->bound;
    } else {
      view.why_no_bound = "llvm-mca: " + answer.error();
    }
  }
}

}  // namespace

void AskLlvmMca(const CpuWanted& cpu, incore::LoopsView& views) {
  if (views.loops.empty() || !views.why_no_text.empty()) return;
  const SchedulingModel* model = incore::FindSchedulingModel(cpu.vendor, cpu.family, cpu.model);
  std::string why;
  if (model == nullptr) {
    why = cpu.vendor.empty()
              ? "the file does not say which CPU executed the loops"
              : fmt::format("LLVM's name of this CPU ({} family {} model {}) is not known here",
                            cpu.vendor, cpu.family, cpu.model);
  }
  const std::optional<McaProgram> program = model == nullptr ? std::nullopt : Choose(*model, why);
  if (!program) {
    views.why_no_model = "What ports allow is not known: " + why + ".";
    return;
  }
  views.model = fmt::format("{} of LLVM {}", model->mcpu, program->version);
  AskAll(*program, *model, views);
}

}  // namespace roofmark::cli

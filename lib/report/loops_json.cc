// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/loops_json.h"

#include "lib/core/table.h"
#include "lib/report/loop_words.h"

namespace roofmark {
namespace {

using incore::BlockView;
using incore::Finding;
using incore::FindingKind;
using incore::LoopView;

constexpr Named<FindingKind> kFindings[] = {{FindingKind::kGather, "gather"},
                                            {FindingKind::kScatter, "scatter"},
                                            {FindingKind::kMasked, "masked"},
                                            {FindingKind::kScalarRemainder, "scalar_remainder"}};
static_assert(InOrder(kFindings, FindingKind::kScalarRemainder));

Json NumberOrNull(const std::optional<double>& value) {
  return value ? FiniteOrNull(*value) : Json(nullptr);
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(Utf8(text)); }

Json BlockJson(const BlockView& block) {
  Json instructions = Json::array();
  for (const incore::InstructionView& at : block.instructions) {
    instructions.push_back({{"offset", at.code.offset},
                            {"text", Utf8(at.code.text)},
                            {"file", TextOrNull(at.file)},
                            {"line", at.line}});
  }
  return {{"begin", block.block.begin},
          {"times", block.block.times},
          {"share", FiniteOrNull(block.share)},
          {"instructions", std::move(instructions)}};
}

Json BoundJson(const LoopView& view) {
  if (!view.bound) return nullptr;
  return {{"cycles", FiniteOrNull(view.bound->cycles)},
          {"ports_cycles", FiniteOrNull(view.bound->ports_cycles)},
          {"waits_for_chain", view.bound->WaitsForChain()},
          {"busiest", Utf8(view.bound->busiest)},
          {"busiest_cycles", FiniteOrNull(view.bound->busiest_cycles)}};
}

Json FindingJson(const Finding& finding) {
  return {{"kind", RowOf(kFindings, finding.kind).name},
          {"file", TextOrNull(finding.file)},
          {"line", finding.line},
          {"share", FiniteOrNull(finding.share)},
          {"lanes", finding.lanes},
          {"times", finding.times},
          {"sentence", Utf8(FindingSentence(finding))}};
}

Json LoopJson(const LoopView& view, const incore::LoopsView& all) {
  Json paths = Json::array(), blocks = Json::array(), findings = Json::array();
  for (const std::string& path : view.paths) paths.push_back(Utf8(path));
  for (const BlockView& block : view.blocks) blocks.push_back(BlockJson(block));
  for (const Finding& finding : view.findings) findings.push_back(FindingJson(finding));
  const incore::LaneUse& lanes = view.lanes;
  return {{"name", Utf8(view.loop.name)},
          {"module", Utf8(view.loop.module)},
          {"file", TextOrNull(view.loop.file)},
          {"line", view.loop.line},
          {"is_loop", view.loop.header.has_value()},
          {"holds_loops", view.loop.holds_loops},
          {"paths", std::move(paths)},
          {"share", FiniteOrNull(view.share_everywhere)},
          {"entries", view.loop.entries},
          {"iterations", view.loop.iterations},
          {"trips", NumberOrNull(view.Trips())},
          {"lanes",
           {{"scalar", lanes.scalar},
            {"128", lanes.with_128},
            {"256", lanes.with_256},
            {"512", lanes.with_512},
            {"masked", lanes.masked}}},
          {"flops_per_iteration", NumberOrNull(view.flops)},
          {"spent_ns_per_iteration", NumberOrNull(view.spent_ns)},
          {"in_l1", BoundJson(view)},
          {"why_no_in_l1", TextOrNull(view.why_no_bound)},
          {"sentences", LoopSentences(view, all)},
          {"findings", std::move(findings)},
          {"cut", view.cut},
          {"blocks", std::move(blocks)}};
}

}  // namespace

Json LoopsJson(const incore::LoopsView& views) {
  Json loops = Json::array();
  for (const LoopView& view : views.loops) loops.push_back(LoopJson(view, views));
  return {{"shares_of", views.timed ? "time" : "instructions"},
          {"clock_ghz", views.clock_ghz > 0 ? FiniteOrNull(views.clock_ghz) : Json(nullptr)},
          {"model", TextOrNull(views.model)},
          {"why_no_model", TextOrNull(views.why_no_model)},
          {"why_no_text", TextOrNull(views.why_no_text)},
          {"loops", std::move(loops)}};
}

}  // namespace roofmark

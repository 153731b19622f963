// SPDX-License-Identifier: BSD-3-Clause
#include "lib/incore/loop_view.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lib/incore/findings.h"

namespace roofmark::incore {
namespace {

using assembly::Instruction;
using assembly::Lanes;

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The region itself, or one inside it.
bool IsIn(std::string_view path, std::string_view region) {
  if (region.empty() || path == region) return true;
  return path.size() > region.size() && path.starts_with(region) && path[region.size()] == '/';
}

BlockView ViewBlock(const HotBlock& block, double share) {
  BlockView view{block, share, {}};
  auto line = block.lines.begin();
  const HotLine* at = nullptr;
  for (Instruction& code : assembly::Read(block.code, block.begin)) {
    while (line != block.lines.end() && line->at <= code.offset - block.begin) at = &*line++;
    InstructionView instruction{std::move(code), "", 0};
    if (at != nullptr) {
      instruction.file = at->file;
      instruction.line = at->line;
    }
    view.instructions.push_back(std::move(instruction));
  }
  return view;
}

void Count(const Instruction& code, uint64_t times, LaneUse& lanes) {
  switch (code.lanes) {
    case Lanes::kNone:
      return;
    case Lanes::kScalar:
      lanes.scalar += times;
      break;
    case Lanes::k128:
      lanes.with_128 += times;
      break;
    case Lanes::k256:
      lanes.with_256 += times;
      break;
    case Lanes::k512:
      lanes.with_512 += times;
      break;
  }
  if (code.masked) lanes.masked += times;
}

void ViewInstructions(LoopView& view) {
  double flops = 0;
  bool read = false;
  for (const BlockView& block : view.blocks) {
    for (const InstructionView& at : block.instructions) {
      read = true;
      Count(at.code, block.block.times, view.lanes);
      flops += static_cast<double>(at.code.flops) * static_cast<double>(block.block.times);
      view.calls |= at.code.flow == assembly::Flow::kCall;
    }
  }
  if (view.loop.iterations == 0) return;
  if (read && !view.cut) view.flops = flops / static_cast<double>(view.loop.iterations);
}

// Why a model of ports cannot take the loop for straight code that is repeated; empty if it can.
std::string WhyNoBody(const LoopView& view) {
  if (!view.loop.header) return "it is in no loop";
  if (view.loop.holds_loops) return "other loops are inside it";
  if (view.calls) return "it calls functions, which are not in its body";
  if (view.cut) return "the file has only a part of its code";
  return {};
}

void FindBody(LoopView& view) {
  view.why_no_body = WhyNoBody(view);
  if (!view.why_no_body.empty()) return;
  const auto header =
      std::find_if(view.blocks.begin(), view.blocks.end(), [&view](const BlockView& each) {
        return *view.loop.header >= each.block.begin &&
               *view.loop.header - each.block.begin < each.block.code.size();
      });
  if (header == view.blocks.end()) {
    view.why_no_body = "the file does not have the code that each iteration begins with";
    return;
  }
  const auto first = static_cast<size_t>(header - view.blocks.begin());
  for (size_t i = 0; i < view.blocks.size(); ++i) {
    const size_t index = (first + i) % view.blocks.size();
    if (view.blocks[index].block.times >= (view.loop.iterations + 1) / 2) {
      view.body.push_back(index);
    }
  }
}

LoopView View(const HotLoops& hot, const HotLoop& loop, const std::string& path) {
  LoopView view;
  view.loop = loop;
  view.loop.blocks.clear();
  uint64_t inside = 0;
  for (const HotUse& use : loop.uses) {
    if (!IsIn(use.path, path)) {
      view.in_others = true;
      continue;
    }
    view.paths.push_back(use.path);
    view.path_shares.push_back(Share(hot.WeightOf(use), hot.Whole()));
    inside += hot.WeightOf(use);
  }
  view.share = Share(inside, hot.Whole());
  view.share_everywhere = Share(hot.WeightOf(loop), hot.Whole());
  view.cut = loop.cut;
  for (const HotBlock& block : loop.blocks) {
    view.blocks.push_back(ViewBlock(block, hot.timed ? Share(block.cpu_ns, hot.cpu_ns) : 0));
  }
  if (!hot.timed) {
    for (BlockView& block : view.blocks) {
      block.share = Share(block.block.times * block.instructions.size(), hot.instructions);
    }
  }
  ViewInstructions(view);
  if (hot.timed && loop.header && loop.iterations > 0 && loop.cpu_ns > 0) {
    view.spent_ns = static_cast<double>(loop.cpu_ns) / static_cast<double>(loop.iterations);
  }
  FindBody(view);
  return view;
}

}  // namespace

std::optional<double> LoopView::Trips() const {
  if (!loop.header || loop.entries == 0) return std::nullopt;
  return static_cast<double>(loop.iterations) / static_cast<double>(loop.entries);
}

LoopUse UseIn(const LoopView& view, std::string_view region) {
  LoopUse use;
  use.in_others = view.in_others;
  for (size_t i = 0; i < view.paths.size(); ++i) {
    if (!IsIn(view.paths[i], region)) {
      use.in_others = true;
      continue;
    }
    ++use.regions;
    use.share += view.path_shares[i];
    use.only_outside = view.paths[i].empty();
  }
  use.only_outside &= use.regions == 1;
  return use;
}

LoopsView ViewLoops(const HotLoops& hot, const Wanted& wanted) {
  LoopsView views;
  views.timed = hot.timed;
  if (!assembly::CanRead()) views.why_no_text = assembly::WhyNot();
  for (const HotLoop& loop : hot.loops) views.loops.push_back(View(hot, loop, wanted.path));
  // What is beside a loop matters, whichever region executes that.
  FindFindings(views.loops);
  std::erase_if(views.loops, [](const LoopView& view) { return view.paths.empty(); });
  std::stable_sort(
      views.loops.begin(), views.loops.end(),
      [](const LoopView& one, const LoopView& other) { return one.share > other.share; });
  if (views.loops.size() > wanted.most) views.loops.resize(wanted.most);
  return views;
}

}  // namespace roofmark::incore

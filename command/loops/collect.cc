// SPDX-License-Identifier: BSD-3-Clause
#include "command/loops/collect.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "lib/binary/binary.h"
#include "lib/core/node_identity.h"
#include "lib/found/parts_at.h"
#include "lib/loops/forest.h"
#include "lib/loops/nests.h"
#include "lib/loops/of_binary.h"
#include "lib/loops/pieces.h"

namespace roofmark::cli {
namespace {

// Of the run, what makes a loop worth keeping.
constexpr double kLeastShare = 0.005;

// A piece of straight code, and who executes it.
struct PieceSamples {
  uint64_t cpu_ns = 0, instructions = 0;
  std::vector<HotUse> uses;
};

class Measurer {
 public:
  Measurer(const MeasuredModule& module, const std::vector<std::string>& paths)
      : module_(module),
        paths_(paths),
        forest_(loops::FindLoops(module.input)),
        nests_(loops::FindNests(module.input)),
        parts_(module.executed->parts),
        measured_(forest_.flow.pieces.size()) {
    AddSamples();
    AddInstructions();
    for (size_t i = 0; i < measured_.size(); ++i) Divide(i);
  }

  std::vector<HotLoop> Loops() {
    std::vector<HotLoop> all;
    for (size_t i = 0; i < forest_.loops.size(); ++i) all.push_back(MakeLoop(i));
    std::map<uint32_t, std::vector<uint32_t>> outside;
    for (uint32_t i = 0; i < forest_.flow.pieces.size(); ++i) {
      if (!forest_.loop_of_piece[i]) outside[forest_.flow.pieces[i].unit].push_back(i);
    }
    for (const auto& [function, pieces] : outside) all.push_back(MakeOutside(function, pieces));
    return all;
  }

 private:
  void AddSamples() {
    if (module_.sampled == nullptr) return;
    for (const SampledPlace& place : module_.sampled->places) {
      const uint32_t piece = loops::PieceAt(forest_.flow.pieces, place.offset);
      if (piece != loops::kNoPiece) measured_[piece].cpu_ns += place.cpu_ns;
    }
  }

  // A block may lie in several pieces: each has its part by bytes.
  void AddInstructions() {
    const std::vector<loops::Piece>& pieces = forest_.flow.pieces;
    for (const ExecutedBlock& block : module_.executed->blocks) {
      if (block.bytes == 0) continue;
      auto piece = std::partition_point(pieces.begin(), pieces.end(),
                                        [&](const auto& each) { return each.end <= block.begin; });
      const uint64_t end = block.begin + block.bytes;
      const double each_byte = static_cast<double>(block.instructions) / block.bytes;
      for (; piece != pieces.end() && piece->begin < end; ++piece) {
        const uint64_t from = std::max(piece->begin, block.begin), to = std::min(piece->end, end);
        const double instructions =
            each_byte * static_cast<double>(to - from) * static_cast<double>(block.times);
        measured_[static_cast<size_t>(piece - pieces.begin())].instructions +=
            static_cast<uint64_t>(instructions);
      }
    }
  }

  // Among the paths that execute a piece, as often as each does. What MPI and runtimes spend in it,
  // as in malloc(), is theirs: executions are those of the program's work alone.
  void Divide(size_t index) {
    std::map<uint32_t, double> times;
    double all = 0, with_others = 0;
    parts_.Each(forest_.flow.pieces[index].begin, [&](const ExecutedPart& part) {
      with_others += static_cast<double>(part.times);
      if (part.layer != Layer::kWork) return;
      times[part.path] += static_cast<double>(part.times);
      all += static_cast<double>(part.times);
    });
    PieceSamples& measured = measured_[index];
    if (with_others > all) {
      measured.cpu_ns =
          static_cast<uint64_t>(all / with_others * static_cast<double>(measured.cpu_ns));
    }
    for (const auto& [path, count] : times) {
      if (path >= paths_.size() || count == 0) continue;
      const auto of = [share = count / all](uint64_t value) {
        return static_cast<uint64_t>(share * static_cast<double>(value));
      };
      measured.uses.push_back({paths_[path], of(measured.cpu_ns), of(measured.instructions)});
    }
  }

  HotLoop MakeLoop(size_t index) const {
    const loops::Loop& found = forest_.loops[index];
    HotLoop loop = MakeCode(found.function, found.pieces);
    loop.header = found.header;
    for (const loops::Edge& edge : found.entries) loop.entries += edge.times;
    for (const loops::Edge& edge : found.back) loop.iterations += edge.times;
    loop.iterations += loop.entries;
    loop.holds_loops =
        std::any_of(forest_.loops.begin(), forest_.loops.end(),
                    [index](const loops::Loop& each) { return each.parent == index; });
    if (const std::optional<uint32_t> nest = nests_.At(found.header)) {
      const loops::Nest& of = nests_.nests[*nest];
      loop.name = of.name;
      if (!of.place.empty()) {
        loop.file = of.place.front().file;
        loop.line = of.place.front().line;
      }
    }
    return loop;
  }

  HotLoop MakeOutside(uint32_t function, const std::vector<uint32_t>& pieces) const {
    HotLoop code = MakeCode(function, pieces);
    code.name = code.function + "()";
    return code;
  }

  HotLoop MakeCode(uint32_t function, const std::vector<uint32_t>& pieces) const {
    HotLoop loop;
    loop.module = module_.executed->file;
    const std::vector<binary::Function>& functions = module_.input.functions;
    loop.function = functions[binary::RootOf(functions, function)].name;
    std::map<std::string, HotUse> uses;
    std::vector<uint32_t> sorted = pieces;
    std::sort(sorted.begin(), sorted.end());
    for (const uint32_t index : sorted) {
      const PieceSamples& measured = measured_[index];
      loop.cpu_ns += measured.cpu_ns;
      loop.instructions += measured.instructions;
      for (const HotUse& use : measured.uses) {
        HotUse& sum = uses[use.path];
        sum.path = use.path;
        sum.cpu_ns += use.cpu_ns;
        sum.instructions += use.instructions;
      }
      AddBlock(forest_.flow.pieces[index], measured.cpu_ns, loop.blocks);
    }
    for (const auto& [path, use] : uses) loop.uses.push_back(use);
    return loop;
  }

  // Pieces that follow each other and were executed equally often are one block, as far as there is
  // room for it.
  static void AddBlock(const loops::Piece& piece, uint64_t cpu_ns, std::vector<HotBlock>& blocks) {
    const uint64_t bytes = piece.end - piece.begin;
    if (!blocks.empty()) {
      HotBlock& last = blocks.back();
      const bool fits = last.code.size() + bytes <= limits::kHotLoopBytes;
      if (fits && last.begin + last.code.size() == piece.begin && last.times == piece.times) {
        last.code.resize(last.code.size() + bytes);
        last.cpu_ns += cpu_ns;
        return;
      }
    }
    // Bytes are read for those that are kept.
    blocks.push_back({piece.begin, std::string(bytes, '\0'), piece.times, cpu_ns, {}});
  }

  const MeasuredModule& module_;
  const std::vector<std::string>& paths_;
  const loops::Forest forest_;
  const loops::Nests nests_;
  const PartsAt parts_;
  std::vector<PieceSamples> measured_;  // by piece
};

// The heaviest blocks that there is room for.
void CutBlocks(HotLoop& loop) {
  std::vector<HotBlock>& blocks = loop.blocks;
  std::sort(blocks.begin(), blocks.end(), [](const HotBlock& one, const HotBlock& other) {
    return std::pair(one.cpu_ns, one.times) > std::pair(other.cpu_ns, other.times);
  });
  size_t bytes = 0, kept = 0;
  for (; kept < blocks.size(); ++kept) {
    bytes += blocks[kept].code.size();
    if (bytes > limits::kHotLoopBytes) break;
  }
  loop.cut = kept < blocks.size();
  blocks.resize(kept);
  std::sort(blocks.begin(), blocks.end(),
            [](const HotBlock& one, const HotBlock& other) { return one.begin < other.begin; });
}

// The line that the user wrote: what is inlined from headers of the system and of compilers stands
// for the call.
const SourceFrame& OwnFrame(const SourceChain& chain) {
  for (const SourceFrame& frame : chain) {
    const std::string& file = frame.file;
    const bool foreign = file.starts_with("/usr/include/") || file.starts_with("/usr/lib") ||
                         file.find("/include/c++/") != std::string::npos;
    if (!foreign && frame.line > 0) return frame;
  }
  return chain.front();
}

std::vector<HotLine> LinesOf(const HotBlock& block, const loops::Input& input) {
  std::vector<HotLine> lines;
  for (const binary::SourceRow& row : input.rows_in(block.begin, block.begin + block.code.size())) {
    HotLine line;
    line.at = static_cast<uint32_t>(std::max(row.offset, block.begin) - block.begin);
    if (!row.chain.empty()) {
      const SourceFrame& frame = OwnFrame(row.chain);
      line.file = frame.file;
      line.line = frame.line;
    }
    if (!lines.empty() && lines.back().at == line.at) lines.pop_back();
    if (!lines.empty() && lines.back().file == line.file && lines.back().line == line.line)
      continue;
    lines.push_back(std::move(line));
  }
  return lines;
}

void ReadBlocks(const MeasuredModule& module, HotLoop& loop) {
  for (HotBlock& block : loop.blocks) {
    block.code = module.code(block.begin, block.code.size());
    block.lines = LinesOf(block, module.input);
  }
  std::erase_if(loop.blocks, [](const HotBlock& block) { return block.code.empty(); });
}

// Code in no loop is named by where most of it is spent.
void PlaceAtHottest(HotLoop& code) {
  const HotBlock* hottest = nullptr;
  for (const HotBlock& block : code.blocks) {
    if (block.lines.empty() || block.lines.front().line == 0) continue;
    const auto heat = [](const HotBlock& of) { return std::pair(of.cpu_ns, of.times); };
    if (hottest == nullptr || heat(block) > heat(*hottest)) hottest = &block;
  }
  if (hottest == nullptr) return;
  code.file = hottest->lines.front().file;
  code.line = hottest->lines.front().line;
}

const SampledModule* Find(const Samples& samples, const std::string& file) {
  for (const SampledModule& module : samples.modules) {
    if (module.file == file) return &module;
  }
  return nullptr;
}

uint64_t Weigh(const ExecutedModule& executed, const SampledModule* sampled, bool timed) {
  uint64_t weight = 0;
  if (timed && sampled != nullptr) {
    for (const SampledPlace& place : sampled->places) weight += place.cpu_ns;
  } else if (!timed) {
    for (const ExecutedBlock& block : executed.blocks) weight += block.times * block.instructions;
  }
  return weight;
}

void AddModule(const Executed& executed, const ExecutedModule& one, const SampledModule* sampled,
               HotLoops& hot) {
  Result<binary::Binary> binary = binary::Binary::Open(one.file);
  if (!binary) return;  // what is found of loops says so
  MeasuredModule module{&one, sampled, loops::InputOf(*binary), {}};
  for (const ExecutedBlock& block : one.blocks) {
    module.input.blocks.push_back({block.begin, block.bytes, block.times});
  }
  for (const ExecutedWay& way : one.ways) {
    module.input.edges.push_back({way.from, way.to, way.times});
  }
  module.code = [&binary](uint64_t offset, uint64_t bytes) { return binary->Code(offset, bytes); };
  const double least = kLeastShare * static_cast<double>(hot.Whole());
  for (HotLoop& loop : MeasureModule(module, executed.paths)) {
    if (loop.uses.empty() || static_cast<double>(hot.WeightOf(loop)) < least) continue;
    CutBlocks(loop);
    ReadBlocks(module, loop);
    if (!loop.header) PlaceAtHottest(loop);
    hot.loops.push_back(std::move(loop));
  }
}

}  // namespace

std::vector<HotLoop> MeasureModule(const MeasuredModule& module,
                                   const std::vector<std::string>& paths) {
  return Measurer(module, paths).Loops();
}

void KeepHottest(HotLoops& hot) {
  std::stable_sort(hot.loops.begin(), hot.loops.end(),
                   [&hot](const HotLoop& one, const HotLoop& other) {
                     return hot.WeightOf(one) > hot.WeightOf(other);
                   });
  std::map<std::string, size_t> of_region;
  std::vector<HotLoop> kept;
  for (HotLoop& loop : hot.loops) {
    std::stable_sort(loop.uses.begin(), loop.uses.end(),
                     [&hot](const HotUse& one, const HotUse& other) {
                       return hot.WeightOf(one) > hot.WeightOf(other);
                     });
    if (kept.size() == limits::kHotLoops) break;
    if (++of_region[loop.uses.front().path] > limits::kHotLoopsOfRegion) continue;
    kept.push_back(std::move(loop));
  }
  hot.loops = std::move(kept);
}

HotLoops CollectHotLoops(const Executed& executed, const Samples& samples) {
  // Of fewer each can be anywhere: in the loader, or in what roofmark itself does.
  constexpr uint64_t kLeastSamples = 10;
  HotLoops hot;
  uint64_t number = 0;
  for (const SampledModule& module : samples.modules) {
    for (const SampledPlace& place : module.places) {
      hot.cpu_ns += place.cpu_ns;
      number += place.samples;
    }
  }
  hot.timed = number >= kLeastSamples;
  for (const ExecutedModule& module : executed.modules) {
    hot.instructions += Weigh(module, nullptr, /*timed=*/false);
  }
  for (const ExecutedModule& module : executed.modules) {
    const SampledModule* sampled = Find(samples, module.file);
    const auto weight = static_cast<double>(Weigh(module, sampled, hot.timed));
    if (weight < kLeastShare * static_cast<double>(hot.Whole())) continue;
    AddModule(executed, module, sampled, hot);
  }
  KeepHottest(hot);
  const NodeIdentity node = ReadNodeIdentity();
  hot.cpu_vendor = node.cpu_vendor;
  hot.cpu_family = node.cpu_family;
  hot.cpu_model = node.cpu_model_number;
  return hot;
}

}  // namespace roofmark::cli

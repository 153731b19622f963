// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/hot_loops_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lib/core/limits.h"

namespace roofmark {
namespace {

std::string ToHex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string FromHex(const JsonNode& node) {
  const std::string text = node.String();
  std::string bytes;
  if (text.size() % 2 != 0 || text.size() / 2 > limits::kHotLoopBytes) {
    node.Fail(fmt::format("must be at most {} bytes, two hexadecimal digits each",
                          limits::kHotLoopBytes));
    return bytes;
  }
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = DigitOf(text[i]), low = DigitOf(text[i + 1]);
    if (high < 0 || low < 0) {
      node.Fail("must be bytes, two hexadecimal digits each");
      return {};
    }
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

// Sources are named once for all loops, since each line would repeat them.
class Sources {
 public:
  uint32_t NumberOf(const std::string& file) {
    return numbers_.try_emplace(file, static_cast<uint32_t>(numbers_.size())).first->second;
  }
  Json Names() const {
    std::vector<std::string> names(numbers_.size());
    for (const auto& [file, number] : numbers_) names[number] = Utf8(file);
    return names;
  }

 private:
  std::map<std::string, uint32_t> numbers_;
};

Json FromBlock(const HotBlock& block, Sources& sources) {
  Json lines = Json::array();
  for (const HotLine& line : block.lines) {
    lines.push_back(Json::array({line.at, sources.NumberOf(line.file), line.line}));
  }
  return {{"begin", block.begin},
          {"code", ToHex(block.code)},
          {"times", block.times},
          {"cpu_ns", block.cpu_ns},
          {"lines", std::move(lines)}};
}

Json FromLoop(const HotLoop& loop, Sources& sources) {
  Json uses = Json::array(), blocks = Json::array();
  for (const HotUse& use : loop.uses) {
    uses.push_back(
        {{"path", Utf8(use.path)}, {"cpu_ns", use.cpu_ns}, {"instructions", use.instructions}});
  }
  for (const HotBlock& block : loop.blocks) blocks.push_back(FromBlock(block, sources));
  return {{"module", Utf8(loop.module)},
          {"function", Utf8(loop.function)},
          {"name", Utf8(loop.name)},
          {"file", Utf8(loop.file)},
          {"line", loop.line},
          {"header", loop.header ? Json(*loop.header) : Json(nullptr)},
          {"entries", loop.entries},
          {"iterations", loop.iterations},
          {"holds_loops", loop.holds_loops},
          {"cut", loop.cut},
          {"cpu_ns", loop.cpu_ns},
          {"instructions", loop.instructions},
          {"uses", std::move(uses)},
          {"blocks", std::move(blocks)}};
}

std::vector<HotLine> ToLines(const JsonNode& node, const std::vector<std::string>& sources,
                             size_t bytes) {
  std::vector<HotLine> lines;
  for (const JsonNode& item : node.Items(limits::kHotLoopBytes)) {
    const std::vector<JsonNode> values = item.Items();
    if (values.size() != 3) {
      item.Fail("must be three numbers: bytes from the block's begin on, source, line");
      return lines;
    }
    const uint32_t at = values[0].Uint32(), source = values[1].Uint32();
    if (at >= bytes || source >= sources.size() || (!lines.empty() && at <= lines.back().at)) {
      item.Fail("must name a source of `sources` and a later byte of the block");
      return lines;
    }
    lines.push_back({at, sources[source], values[2].Uint32()});
  }
  return lines;
}

std::vector<HotBlock> ToBlocks(const JsonNode& node, const std::vector<std::string>& sources) {
  std::vector<HotBlock> blocks;
  size_t bytes = 0;
  for (const JsonNode& item : node.Items(limits::kHotLoopBytes)) {
    HotBlock block;
    block.begin = item["begin"].Required().Uint();
    block.code = FromHex(item["code"].Required());
    block.times = item["times"].Required().Uint();
    block.cpu_ns = item["cpu_ns"].Uint();
    block.lines = ToLines(item["lines"], sources, block.code.size());
    bytes += block.code.size();
    if (bytes > limits::kHotLoopBytes) {
      item.Fail(
          fmt::format("makes the code of a loop longer than {} bytes", limits::kHotLoopBytes));
      break;
    }
    blocks.push_back(std::move(block));
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const HotBlock& one, const HotBlock& other) { return one.begin < other.begin; });
  return blocks;
}

HotLoop ToLoop(const JsonNode& node, const std::vector<std::string>& sources) {
  HotLoop loop;
  loop.module = node["module"].String();
  loop.function = node["function"].String();
  loop.name = node["name"].String();
  loop.file = node["file"].String();
  loop.line = node["line"].Uint32();
  if (node["header"].present()) loop.header = node["header"].Uint();
  loop.entries = node["entries"].Uint();
  loop.iterations = node["iterations"].Uint();
  loop.holds_loops = node["holds_loops"].Bool();
  loop.cut = node["cut"].Bool();
  loop.cpu_ns = node["cpu_ns"].Uint();
  loop.instructions = node["instructions"].Uint();
  for (const JsonNode& use : node["uses"].Items(limits::kPaths)) {
    loop.uses.push_back({use["path"].String(), use["cpu_ns"].Uint(), use["instructions"].Uint()});
  }
  loop.blocks = ToBlocks(node["blocks"], sources);
  return loop;
}

}  // namespace

Json WriteHotLoops(const HotLoops& loops) {
  Sources sources;
  Json list = Json::array();
  for (const HotLoop& loop : loops.loops) list.push_back(FromLoop(loop, sources));
  return {{"timed", loops.timed},
          {"cpu_ns", loops.cpu_ns},
          {"instructions", loops.instructions},
          {"cpu_vendor", Utf8(loops.cpu_vendor)},
          {"cpu_family", loops.cpu_family},
          {"cpu_model", loops.cpu_model},
          {"sources", sources.Names()},
          {"loops", std::move(list)}};
}

HotLoops ReadHotLoops(const JsonNode& node) {
  HotLoops loops;
  if (!node.present()) return loops;
  loops.timed = node["timed"].Required().Bool();
  loops.cpu_ns = node["cpu_ns"].Uint();
  loops.instructions = node["instructions"].Uint();
  loops.cpu_vendor = node["cpu_vendor"].String();
  loops.cpu_family = node["cpu_family"].Uint32();
  loops.cpu_model = node["cpu_model"].Uint32();
  const std::vector<std::string> sources = node["sources"].Strings();
  for (const JsonNode& loop : node["loops"].Items(limits::kHotLoops)) {
    loops.loops.push_back(ToLoop(loop, sources));
  }
  return loops;
}

}  // namespace roofmark

// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/tone.h"

#include "lib/core/table.h"

namespace roofmark {
namespace {

struct ToneInfo {
  Tone id;
  std::string_view sequence;
};

// That of kNone ends the others.
constexpr ToneInfo kTones[] = {{Tone::kNone, "\033[0m"},       {Tone::kStrong, "\033[1m"},
                               {Tone::kCaution, "\033[1;31m"}, {Tone::kMemory, "\033[34m"},
                               {Tone::kCompute, "\033[33m"},   {Tone::kChain, "\033[32m"},
                               {Tone::kWaiting, "\033[35m"}};
static_assert(InOrder(kTones, Tone::kWaiting));

// U+FDD0 in UTF-8, whose last byte counts up.
constexpr std::string_view kMarkBegin = "\xEF\xB7";
constexpr unsigned char kFirstByte = 0x90;

std::string MarkOf(Tone tone) {
  return std::string(kMarkBegin) + static_cast<char>(kFirstByte + static_cast<unsigned char>(tone));
}

}  // namespace

std::string Toned(bool color, Tone tone, std::string_view text) {
  if (!color || tone == Tone::kNone || text.empty()) return std::string(text);
  return MarkOf(tone).append(text).append(MarkOf(Tone::kNone));
}

std::string WithToneSequences(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t mark = text.find(kMarkBegin, at);
    const size_t last = mark == std::string_view::npos ? text.size() : mark + kMarkBegin.size();
    if (last >= text.size()) return out.append(text.substr(at));
    const size_t tone = static_cast<unsigned char>(text[last]) - size_t{kFirstByte};
    if (tone >= std::size(kTones)) {
      out.append(text.substr(at, last + 1 - at));
    } else {
      out.append(text.substr(at, mark - at)).append(kTones[tone].sequence);
    }
    at = last + 1;
  }
  return out;
}

}  // namespace roofmark

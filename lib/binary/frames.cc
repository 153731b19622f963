// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/frames.h"

#include <map>
#include <optional>

#include "lib/core/bytes.h"

namespace roofmark::binary {
namespace {

// How a pointer is written (DW_EH_PE_*).
constexpr uint8_t kAbsolute = 0x00;  // eight bytes
constexpr uint8_t kFormat = 0x0f, kRelation = 0x70;
constexpr uint8_t kRelativeToPlace = 0x10;
constexpr uint8_t kNone = 0xff;

// Reads one pointer, which lies at `place`; nothing where its form is unknown.
std::optional<uint64_t> ReadPointer(ByteReader& reader, uint8_t encoding, uint64_t place) {
  uint64_t value = 0;
  switch (encoding & kFormat) {
    case kAbsolute:
    case 0x04:
    case 0x0c:
      value = reader.Get<uint64_t>();
      break;
    case 0x02:
      value = reader.Get<uint16_t>();
      break;
    case 0x03:
      value = reader.Get<uint32_t>();
      break;
    case 0x0a:
      value = static_cast<uint64_t>(int64_t{reader.Get<int16_t>()});
      break;
    case 0x0b:
      value = static_cast<uint64_t>(int64_t{reader.Get<int32_t>()});
      break;
    default:
      return std::nullopt;
  }
  if ((encoding & kRelation) == kRelativeToPlace) return value + place;
  if ((encoding & kRelation) != 0) return std::nullopt;
  return value;
}

// The text up to the next zero.
std::string_view ReadText(ByteReader& reader) {
  const std::string_view ahead = reader.Ahead();
  const size_t end = ahead.find('\0');
  if (end == ahead.npos) {
    reader.Fail();
    return {};
  }
  return reader.GetBytes(end + 1).substr(0, end);
}

// Encoding of pointers to code, from an entry that others share (a CIE); `content` is behind its
// id. Nothing where it is not understood.
std::optional<uint8_t> ReadEncoding(std::string_view content) {
  ByteReader reader(content);
  const auto version = reader.Get<uint8_t>();
  const std::string_view letters = ReadText(reader);
  reader.GetVarint();  // alignment of code
  reader.GetVarint();  // alignment of data: signed, as long as this
  if (version == 1) {
    reader.Get<uint8_t>();  // register of the return address
  } else {
    reader.GetVarint();
  }
  if (!reader.ok()) return std::nullopt;
  if (!letters.starts_with('z')) return letters.empty() ? std::optional(kAbsolute) : std::nullopt;
  reader.GetVarint();
  for (const char letter : letters.substr(1)) {
    if (letter == 'R') {
      const auto encoding = reader.Get<uint8_t>();
      return reader.ok() ? std::optional(encoding) : std::nullopt;
    }
    if (letter == 'L') reader.Get<uint8_t>();
    if (letter == 'P' && !ReadPointer(reader, reader.Get<uint8_t>() & kFormat, 0)) {
      return std::nullopt;
    }
  }
  return kAbsolute;
}

}  // namespace

std::vector<FrameExtent> ReadFrames(std::string_view content, uint64_t address) {
  std::vector<FrameExtent> extents;
  std::map<size_t, uint8_t> encodings;  // by place of the shared entry
  ByteReader reader(content);
  const auto place = [&] { return content.size() - reader.Ahead().size(); };
  while (reader.ok() && !reader.Ahead().empty()) {
    const size_t begin = place();
    uint64_t bytes = reader.Get<uint32_t>();
    if (bytes == 0) continue;  // ends what one file of the linker's input had
    if (bytes == UINT32_MAX) bytes = reader.Get<uint64_t>();
    const size_t at = place();
    ByteReader entry(reader.GetBytes(bytes));
    if (!reader.ok()) break;
    const auto back = entry.Get<uint32_t>();
    if (back == 0) {
      encodings[begin] = ReadEncoding(entry.Ahead()).value_or(kNone);
      continue;
    }
    const auto shared = encodings.find(at - back);
    if (shared == encodings.end() || shared->second == kNone) continue;
    const auto first = ReadPointer(entry, shared->second, address + at + sizeof back);
    const auto size = ReadPointer(entry, shared->second & kFormat, 0);
    if (entry.ok() && first && size && *size > 0 && *first + *size > *first) {
      extents.push_back({*first, *first + *size});
    }
  }
  return extents;
}

}  // namespace roofmark::binary

// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a spool. If the first byte is odd the checksums of what follows are made right, so
// that the rest of the reader is reached.
#include <cstring>

#include "lib/spool/accumulator.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/layout.h"
#include "lib/spool/read.h"
#include "tests/fuzz/reports.h"

using namespace roofmark;

namespace {

template <typename Record>
void Seal(std::string& bytes, size_t at, Record& record) {
  record.checksum = record.Checksum();
  std::memcpy(bytes.data() + at, static_cast<const void*>(&record), sizeof record);
}

void MakeSound(std::string& bytes) {
  spool::Header header{};
  if (bytes.size() < sizeof header) return;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  std::memcpy(header.magic, spool::kMagic, sizeof header.magic);
  header.version = spool::kVersion;
  header.header_bytes = sizeof header;
  header.byte_order = spool::kByteOrder;
  header.accumulator_bytes = sizeof(spool::Accumulator);
  Seal(bytes, 0, header);
  for (size_t at = sizeof header; at + sizeof(spool::BlockHeader) <= bytes.size();) {
    spool::BlockHeader block{};
    std::memcpy(static_cast<void*>(&block), bytes.data() + at, sizeof block);
    const size_t begin = at + sizeof block;
    if (block.magic != spool::kBlockMagic || block.bytes > bytes.size() - begin) {
      at += spool::kAlign;
      continue;
    }
    block.content_sum = HashOf(std::string_view(bytes).substr(begin, block.bytes));
    Seal(bytes, at, block);
    at = begin + spool::Padded(block.bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string bytes(fuzz::Text(data + 1, size - 1));
  if (data[0] % 2 == 1) MakeSound(bytes);
  const Result<spool::Spool> spool = spool::ParseSpool(bytes, "F");
  if (spool) fuzz::DemandReadable({spool::FoldSpool(*spool), {}});
  return 0;
}

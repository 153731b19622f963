// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.h"

#include <algorithm>

#include "lib/core/limits.h"

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRadix = 8;

// Memory grows with what arrives, not with what a peer announces: messages go in pieces.
constexpr uint64_t kPieceBytes = uint64_t{64} << 20;

// Calls `transfer(at, size)` for one piece after another.
template <typename Transfer>
bool InPieces(uint64_t size, Transfer transfer) {
  for (uint64_t at = 0; at < size; at += kPieceBytes) {
    if (!transfer(at, std::min(kPieceBytes, size - at))) return false;
  }
  return true;
}

// `receive(data, size)` fills in each piece.
template <typename Receive>
bool Fill(std::vector<char>& bytes, uint64_t size, Receive receive) {
  if (size > limits::kMessageBytes) return false;
  const bool whole = InPieces(size, [&](uint64_t at, uint64_t piece) {
    if (bytes.size() < at + piece) bytes.resize(at + piece);
    return receive(bytes.data() + at, piece);
  });
  if (whole) bytes.resize(size);
  return whole;
}

}  // namespace

bool SendBytes(Comm& comm, uint32_t to, const std::vector<char>& bytes) {
  const uint64_t size = bytes.size();
  if (!comm.Send(to, &size, sizeof size)) return false;
  // The receiver stops where it reads such a size, too.
  if (size > limits::kMessageBytes) return false;
  return InPieces(
      size, [&](uint64_t at, uint64_t piece) { return comm.Send(to, bytes.data() + at, piece); });
}

bool RecvBytes(Comm& comm, uint32_t from, std::vector<char>& bytes) {
  uint64_t size = 0;
  return comm.Recv(from, &size, sizeof size) &&
         Fill(bytes, size, [&](char* data, size_t piece) { return comm.Recv(from, data, piece); });
}

bool BcastBytes(Comm& comm, std::vector<char>& bytes) {
  uint64_t size = bytes.size();
  return comm.Bcast(&size, sizeof size) &&
         Fill(bytes, size, [&](char* data, size_t piece) { return comm.Bcast(data, piece); });
}

// A size that no message has.
void AbandonBytes(Comm& comm, uint32_t to) {
  const uint64_t size = UINT64_MAX;
  (void)comm.Send(to, &size, sizeof size);
}

void AbandonBcast(Comm& comm) {
  uint64_t size = UINT64_MAX;
  (void)comm.Bcast(&size, sizeof size);
}

bool MergeUp(Comm& comm, Merging& merging, bool whole) {
  std::vector<char> bytes;  // its memory serves all steps
  for (uint64_t step = 1; step < comm.Size(); step *= kRadix) {
    const uint64_t into = comm.Rank() - comm.Rank() % (step * kRadix);
    if (into != comm.Rank()) {
      if (whole) return SendBytes(comm, static_cast<uint32_t>(into), merging.Pack());
      AbandonBytes(comm, static_cast<uint32_t>(into));
      return false;
    }
    for (uint64_t i = 1; i < kRadix && into + i * step < comm.Size(); ++i) {
      const bool arrived = RecvBytes(comm, static_cast<uint32_t>(into + i * step), bytes);
      whole = whole && arrived && merging.Take(bytes);
    }
  }
  return whole;
}

}  // namespace roofmark::mpi

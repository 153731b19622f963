// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.h"

#include <algorithm>

#include "lib/core/limits.h"

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRadix = 16;

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

// A message whose size has come.
bool RecvRest(Comm& comm, uint32_t from, uint64_t size, std::vector<char>& bytes) {
  return Fill(bytes, size, [&](char* data, size_t piece) { return comm.Recv(from, data, piece); });
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
  return comm.Recv(from, &size, sizeof size) && RecvRest(comm, from, size, bytes);
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

namespace {

// Messages of children are received together as far as they fit in here.
constexpr uint64_t kTogetherBytes = uint64_t{2} << 20;

// What up to kRadix - 1 ranks sent, in their order.
class Children {
 public:
  Children(Comm& comm, Merging& merging, const std::vector<uint32_t>& ranks)
      : comm_(comm), merging_(merging), ranks_(ranks), sizes_(ranks.size()) {}

  // False if something is missing; what the ranks send is received all the same.
  bool TakeIn(bool whole) {
    whole_ = whole;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (!comm_.Recv(ranks_[i], &sizes_[i], sizeof sizes_[i])) sizes_[i] = UINT64_MAX;
    }
    for (size_t i = 0; i < ranks_.size();) i = sizes_[i] > kTogetherBytes ? One(i) : Some(i);
    return whole_;
  }

 private:
  void Take(bool arrived, const std::vector<char>& bytes) {
    whole_ = whole_ && arrived && merging_.Take(bytes);
  }

  // Each returns where to go on.
  size_t One(size_t i) {
    std::vector<char> bytes;
    const bool arrived = RecvRest(comm_, ranks_[i], sizes_[i], bytes);
    Take(arrived, bytes);
    return i + 1;
  }
  size_t Some(size_t first) {
    std::vector<std::vector<char>> bytes;
    std::vector<Comm::Incoming> incoming;
    size_t i = first;
    for (uint64_t sum = 0; i < ranks_.size() && sizes_[i] <= kTogetherBytes - sum; ++i) {
      sum += sizes_[i];
      std::vector<char>& message = bytes.emplace_back(sizes_[i]);
      if (!message.empty()) incoming.push_back({ranks_[i], message.data(), message.size()});
    }
    const bool arrived = comm_.RecvAll(incoming);
    for (const std::vector<char>& message : bytes) Take(arrived, message);
    return i;
  }

  Comm& comm_;
  Merging& merging_;
  const std::vector<uint32_t>& ranks_;
  std::vector<uint64_t> sizes_;
  bool whole_ = true;
};

}  // namespace

bool MergeUp(Comm& comm, Merging& merging) {
  bool whole = true;
  for (uint64_t step = 1; step < comm.Size(); step *= kRadix) {
    const uint64_t into = comm.Rank() - comm.Rank() % (step * kRadix);
    if (into != comm.Rank()) {
      if (whole) return SendBytes(comm, static_cast<uint32_t>(into), merging.Pack());
      AbandonBytes(comm, static_cast<uint32_t>(into));
      return false;
    }
    std::vector<uint32_t> children;
    for (uint64_t i = 1; i < kRadix && into + i * step < comm.Size(); ++i) {
      children.push_back(static_cast<uint32_t>(into + i * step));
    }
    whole = Children(comm, merging, children).TakeIn(whole);
  }
  return whole;
}

}  // namespace roofmark::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/plugin/mpi_comm.h"

#include <algorithm>
#include <vector>

namespace roofmark::mpi {
namespace {

constexpr int kTag = 1;
// MPI counts are int: longer messages go in pieces.
constexpr size_t kMaxBytes = size_t{1} << 30;

bool Ok(int code) { return code == MPI_SUCCESS; }

// Calls `send(piece, size)` for one piece after another.
template <typename Byte, typename Function>
bool InPieces(Byte* data, size_t size, Function send) {
  for (size_t at = 0; at < size; at += kMaxBytes) {
    if (!Ok(send(data + at, static_cast<int>(std::min(kMaxBytes, size - at))))) return false;
  }
  return true;
}

MPI_Op OpOf(ReduceOp op) {
  switch (op) {
    case ReduceOp::kMin:
      return MPI_MIN;
    case ReduceOp::kMax:
      return MPI_MAX;
    case ReduceOp::kSum:
      return MPI_SUM;
  }
  return MPI_OP_NULL;
}

}  // namespace

MpiComm::MpiComm(MPI_Comm comm) : comm_(comm) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm_, &rank);
  PMPI_Comm_size(comm_, &size);
  rank_ = static_cast<uint32_t>(rank);
  size_ = static_cast<uint32_t>(size);
}

MpiComm::~MpiComm() { PMPI_Comm_free(&comm_); }

bool MpiComm::AllreduceU64(std::span<uint64_t> values, ReduceOp op) {
  return Ok(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                           MPI_UINT64_T, OpOf(op), comm_));
}

bool MpiComm::Bcast(void* data, size_t size) {
  return InPieces(static_cast<char*>(data), size,
                  [this](char* piece, int n) { return PMPI_Bcast(piece, n, MPI_BYTE, 0, comm_); });
}

bool MpiComm::Send(uint32_t to, const void* data, size_t size) {
  return InPieces(static_cast<const char*>(data), size, [&](const char* piece, int n) {
    return PMPI_Send(piece, n, MPI_BYTE, static_cast<int>(to), kTag, comm_);
  });
}

bool MpiComm::Recv(uint32_t from, void* data, size_t size) {
  return InPieces(static_cast<char*>(data), size, [&](char* piece, int n) {
    return PMPI_Recv(piece, n, MPI_BYTE, static_cast<int>(from), kTag, comm_, MPI_STATUS_IGNORE);
  });
}

bool MpiComm::RecvAll(std::span<const Incoming> messages) {
  std::vector<MPI_Request> requests;
  bool all = true;
  for (const Incoming& message : messages) {
    if (message.size > kMaxBytes) {
      all = Recv(message.from, message.data, message.size) && all;
      continue;
    }
    MPI_Request request;
    const int code = PMPI_Irecv(message.data, static_cast<int>(message.size), MPI_BYTE,
                                static_cast<int>(message.from), kTag, comm_, &request);
    if (Ok(code)) requests.push_back(request);
    all = Ok(code) && all;
  }
  const int code =
      PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return Ok(code) && all;
}

bool MpiComm::Arrived(uint32_t from, bool& arrived) {
  int flag = 0;
  const int code = PMPI_Iprobe(static_cast<int>(from), kTag, comm_, &flag, MPI_STATUS_IGNORE);
  arrived = flag != 0;
  return Ok(code);
}

}  // namespace roofmark::mpi

// SPDX-License-Identifier: BSD-3-Clause
//
// Comm over MPI. Calls PMPI only, so no tool counts roofmark's traffic as the application's, and
// runs on a communicator of its own, so no message can match the application's.
#ifndef ROOFMARK_MPI_PLUGIN_MPI_COMM_H_
#define ROOFMARK_MPI_PLUGIN_MPI_COMM_H_

#include <mpi.h>

#include "mpi/comm.h"

namespace roofmark::mpi {

class MpiComm final : public Comm {
 public:
  // Takes over `comm`; errors on it must return.
  explicit MpiComm(MPI_Comm comm);
  ~MpiComm() override;
  MpiComm(const MpiComm&) = delete;
  MpiComm& operator=(const MpiComm&) = delete;

  uint32_t Rank() const override { return rank_; }
  uint32_t Size() const override { return size_; }
  MPI_Comm handle() const { return comm_; }
  bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) override;
  bool Bcast(void* data, size_t size) override;
  bool Send(uint32_t to, const void* data, size_t size) override;
  bool Recv(uint32_t from, void* data, size_t size) override;
  bool RecvAll(std::span<const Incoming> messages) override;
  bool Arrived(uint32_t from, bool& arrived) override;

 private:
  MPI_Comm comm_;
  uint32_t rank_ = 0, size_ = 1;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_PLUGIN_MPI_COMM_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// How many processes of a job carry roofmark? A job may start several programs, and a collective
// that one process never enters would hang the others. So the processes of a node count themselves
// in shared memory, where neither the application nor its MPI sees anything, before MPI_Init; after
// it, which no process leaves before all have entered, the count is compared with the size of
// MPI_COMM_WORLD.
//
// The outcome is decided once, by an atomic exchange, and holds for all: either every process of
// MPI_COMM_WORLD has been counted, or no process relies on any other. A process that comes too late
// finds itself alone, which is the second case. Nobody waits longer than the time it brings.
#ifndef ROOFMARK_MPI_CARRIERS_H_
#define ROOFMARK_MPI_CARRIERS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace roofmark::mpi {

// Not thread-safe; one per process and job.
class Carriers {
 public:
  Carriers() = default;
  ~Carriers();
  Carriers(const Carriers&) = delete;
  Carriers& operator=(const Carriers&) = delete;

  // Counts this process among those with the same `key` and `folder` (which should lie in memory).
  // False if that is not possible; then all other calls report that it is alone.
  bool Arrive(const std::string& folder, const std::string& key);

  // Whether exactly `expected` processes have arrived, in the words above. Collective over those
  // that arrived, but never waits longer than `patience`.
  bool AllOf(uint32_t expected, std::chrono::milliseconds patience);

  // Processes counted so far.
  uint32_t arrived() const;

 private:
  struct Record;

  void Leave();

  Record* record_ = nullptr;
  std::string name_;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_CARRIERS_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// The store of launchers that speak PMI-1 (hydra; srun with pmi2, which understands both). The MPI
// library keeps its connection to itself, and the protocol allows one "init" only. So during
// MPI_Init a thread stands between both and hands on what they say; before the library's first
// "barrier_in", MPI_Init's fence, it puts this process's key. Afterwards the connection is as it
// was, and keys are looked up over it.
#ifndef ROOFMARK_MPI_STORE_PMI_STORE_H_
#define ROOFMARK_MPI_STORE_PMI_STORE_H_

#include <pthread.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "mpi/store/key_store.h"

namespace roofmark::mpi {

// Starts a thread that is not the application's, with all signals blocked.
using StartThread = bool(pthread_t* thread, void* (*body)(void*), void* argument);

class PmiStore final : public KeyStore {
 public:
  // `rank` is that of PMI. Null if `socket` is no connection, or without resources for a thread.
  static std::unique_ptr<PmiStore> Start(int socket, uint32_t rank, StartThread* start);
  ~PmiStore() override;
  PmiStore(const PmiStore&) = delete;
  PmiStore& operator=(const PmiStore&) = delete;

  void Initialised() override;
  bool Announced() const override { return announced_; }
  bool IsThere(uint32_t rank) override;

 private:
  explicit PmiStore(int socket, uint32_t rank) : socket_(socket), rank_(rank) {}
  // Puts the thread's socket in the connection's place.
  bool StandBetween(StartThread* start);
  static void* Run(void* self);
  void HandOn();
  // What the MPI library wrote. False if it or the launcher is gone.
  bool FromLibrary(std::string_view text);
  void Announce();

  const int socket_;  // the number that the MPI library knows
  const uint32_t rank_;
  int launcher_ = -1;  // the connection, while the thread stands between
  int library_ = -1;   // the thread's end of the MPI library's socket
  bool running_ = false;
  pthread_t thread_ = {};
  // The thread's, until it has ended.
  std::string line_;    // what the library wrote of a request until now
  bool tried_ = false;  // no fence is waited for any more
  std::string space_;   // of keys
  bool announced_ = false;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_PMI_STORE_H_

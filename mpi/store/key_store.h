// SPDX-License-Identifier: BSD-3-Clause
//
// The launcher's own store of keys, through which MPI exchanges addresses while it is initialised.
// A key that a process puts there before MPI_Init's fence is there for all others after it, so one
// that is missing will never come: nobody waits, and no message of MPI is needed to find out who
// carries roofmark.
#ifndef ROOFMARK_MPI_STORE_KEY_STORE_H_
#define ROOFMARK_MPI_STORE_KEY_STORE_H_

#include <cstdint>

namespace roofmark::mpi {

inline constexpr char kPresenceKey[] = "roofmark";

class KeyStore {
 public:
  virtual ~KeyStore() = default;

  // MPI_Init has returned; to be called once, by the thread that called it, before Announced().
  virtual void Initialised() = 0;
  // This process's key is in the store: others wait for it.
  virtual bool Announced() const = 0;
  // That of another rank of MPI_COMM_WORLD is. Only before MPI_Init's wrapper returns: later, other
  // threads may use the connection.
  virtual bool IsThere(uint32_t rank) = 0;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_KEY_STORE_H_

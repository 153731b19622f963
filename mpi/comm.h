// SPDX-License-Identifier: BSD-3-Clause
//
// What the reduction needs of MPI. The plug-ins implement it once per MPI, the tests with threads;
// everything but the plug-ins is written against this and compiles without mpi.h.
#ifndef ROOFMARK_MPI_COMM_H_
#define ROOFMARK_MPI_COMM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace roofmark::mpi {

enum class ReduceOp { kMin, kMax, kSum };

inline uint64_t Apply(ReduceOp op, uint64_t a, uint64_t b) {
  switch (op) {
    case ReduceOp::kMin:
      return a < b ? a : b;
    case ReduceOp::kMax:
      return a < b ? b : a;
    case ReduceOp::kSum:
      return a + b;
  }
  return 0;
}

// All methods but Arrived block until this rank's share is done; all but Send, Recv and Arrived are
// collective. A method that returns false leaves its output undefined, and so does every later
// call: the caller stops. Not thread-safe.
class Comm {
 public:
  virtual ~Comm() = default;

  virtual uint32_t Rank() const = 0;
  virtual uint32_t Size() const = 0;

  // Element by element over all ranks; every rank gets the result.
  [[nodiscard]] virtual bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) = 0;
  // From rank 0 to all. `size` is the same on all ranks.
  [[nodiscard]] virtual bool Bcast(void* data, size_t size) = 0;
  [[nodiscard]] virtual bool Send(uint32_t to, const void* data, size_t size) = 0;
  // `size` is what the sender sent.
  [[nodiscard]] virtual bool Recv(uint32_t from, void* data, size_t size) = 0;
  // Several at once. Senders of long messages are asked for them all before any is waited for: each
  // may need its turn on a CPU to answer.
  struct Incoming {
    uint32_t from;
    void* data;
    size_t size;
  };
  [[nodiscard]] virtual bool RecvAll(std::span<const Incoming> messages) {
    bool all = true;
    for (const Incoming& message : messages) {
      all = Recv(message.from, message.data, message.size) && all;
    }
    return all;
  }
  // Is there a message to receive? Blocking calls spin in most MPIs; who must wait without taking
  // a core asks this now and then.
  [[nodiscard]] virtual bool Arrived(uint32_t from, bool& arrived) = 0;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_COMM_H_

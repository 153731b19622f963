// SPDX-License-Identifier: BSD-3-Clause
//
// A job of a million ranks on one thread, for code written against mpi::Comm. The ranks take turns:
// in each round each runs from its start to the first collective that is not known yet, and is
// stopped there by a failure; what the collectives before gave is known from the rounds before.
// Within a round the highest rank comes first, because messages go from higher to lower ranks only
// (mpi/tree.h): a rank that receives finds its messages there. Memory is that of a few ranks,
// whatever their number.
//
// Each rank has a clock: its own CPU time, and LogGP's for messages (Alexandrov, Ionescu, Schauser
// and Scheiman, SPAA 1995: a message of s bytes takes o + (s - 1) G + L + o). Collectives are
// charged as binomial trees without pipelining, and all ranks leave a collective together: both on
// the slow side.
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

struct LogGp {
  double latency_s = 0, overhead_s = 0, gap_s_per_byte = 0;
  double Message(double bytes) const {
    return latency_s + 2 * overhead_s + (bytes > 1 ? bytes - 1 : 0) * gap_s_per_byte;
  }
};

struct TurnsOptions {
  uint32_t ranks = 1;
  bool timed = false;  // false: no clock is read
  LogGp network = {};
};

class Turns {
 public:
  explicit Turns(const TurnsOptions& options) : options_(options) {}

  // Runs `body` for all ranks until it has gone through on each. It must do the same in every
  // round, and return when the communicator fails. False if the ranks disagree about which
  // collective comes next, or leave messages unread.
  bool Run(const std::function<void(Comm&)>& body);

  size_t rounds() const { return rounds_; }
  uint64_t messages() const { return messages_; }
  // Of the job's slowest rank, if timed.
  double seconds() const { return seconds_; }

 private:
  friend class TurnsComm;
  struct Turn;
  enum class Kind { kAllreduce, kBcast };
  struct Collective {
    Kind kind;
    std::vector<char> result;
    double left_s;  // when all ranks leave it
  };
  struct Mail {
    std::vector<char> bytes;
    double sent_s;
  };
  struct Contribution {
    Kind kind = Kind::kBcast;
    uint32_t ranks = 0;
    bool agreed = true;
    std::vector<char> bytes;
    double arrived_s = 0;
  };

  double CostOf(Kind kind, size_t bytes) const;
  // False if a collective that all have come to is not the same for all, or none was complete.
  bool CloseRound();

  const TurnsOptions options_;
  std::map<uint32_t, Collective> done_;                             // by number
  std::map<uint32_t, Contribution> open_;                           // likewise
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Mail>> mail_;  // from, to
  size_t rounds_ = 0;
  uint64_t messages_ = 0;
  double seconds_ = 0;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_

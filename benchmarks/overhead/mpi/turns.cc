// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/overhead/mpi/turns.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>

namespace roofmark::mpi {

// One rank's turn in one round.
struct Turns::Turn {
  const TurnsOptions& options;
  uint32_t rank;
  bool stopped = false;
  double clock_s = 0, since_s = 0;

  double CpuSeconds() const {
    timespec now{};
    if (options.timed) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  void Resume() { since_s = CpuSeconds(); }
  void Suspend() { clock_s += CpuSeconds() - since_s; }
};

class TurnsComm final : public Comm {
 public:
  TurnsComm(Turns& job, Turns::Turn& turn) : job_(job), turn_(turn), rank_(turn.rank) {}

  uint32_t Rank() const override { return rank_; }
  uint32_t Size() const override { return job_.options_.ranks; }

  bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) override {
    const size_t size = values.size_bytes();
    if (Replayed(Turns::Kind::kAllreduce, values.data(), size)) return true;
    Turns::Contribution* open = Arrive(Turns::Kind::kAllreduce);
    if (open == nullptr) return false;
    std::vector<uint64_t> sum(values.begin(), values.end());
    if (open->bytes.size() == size) {
      std::vector<uint64_t> others(values.size());
      std::memcpy(others.data(), open->bytes.data(), size);
      for (size_t i = 0; i < sum.size(); ++i) sum[i] = Apply(op, others[i], sum[i]);
    }
    open->bytes.resize(size);
    std::memcpy(open->bytes.data(), sum.data(), size);
    return false;
  }

  bool Bcast(void* data, size_t size) override {
    if (Replayed(Turns::Kind::kBcast, data, size)) return true;
    const char* bytes = static_cast<const char*>(data);
    Turns::Contribution* open = Arrive(Turns::Kind::kBcast);
    if (open != nullptr && rank_ == 0) open->bytes.assign(bytes, bytes + size);
    return false;
  }

  bool Send(uint32_t to, const void* data, size_t size) override {
    if (to >= rank_) return false;  // it has had its turn
    turn_.Suspend();
    const char* bytes = static_cast<const char*>(data);
    turn_.clock_s += job_.options_.network.overhead_s;
    job_.mail_[{rank_, to}].push_back({{bytes, bytes + size}, turn_.clock_s});
    ++job_.messages_;
    turn_.Resume();
    return true;
  }

  bool Recv(uint32_t from, void* data, size_t size) override {
    const auto box = job_.mail_.find({from, rank_});
    if (box == job_.mail_.end() || box->second.front().bytes.size() != size) return false;
    turn_.Suspend();
    const Turns::Mail& mail = box->second.front();
    const LogGp& network = job_.options_.network;
    const double on_its_way = network.Message(static_cast<double>(size)) - 2 * network.overhead_s;
    turn_.clock_s = std::max(turn_.clock_s, mail.sent_s + on_its_way) + network.overhead_s;
    std::memcpy(data, mail.bytes.data(), size);
    box->second.pop_front();
    if (box->second.empty()) job_.mail_.erase(box);
    turn_.Resume();
    return true;
  }

  bool Arrived(uint32_t from, bool& arrived) override {
    arrived = job_.mail_.count({from, rank_}) > 0;
    return true;
  }

 private:
  // True if an earlier round has the result of this collective.
  bool Replayed(Turns::Kind kind, void* data, size_t size) {
    const auto done = job_.done_.find(collective_);
    if (done == job_.done_.end() || turn_.stopped) return false;
    ++collective_;
    if (done->second.kind != kind || done->second.result.size() != size) return false;
    if (size > 0) std::memcpy(data, done->second.result.data(), size);
    turn_.clock_s = done->second.left_s;
    turn_.Resume();
    return true;
  }

  // Where this rank's share goes; nullptr for a second collective after one that failed.
  Turns::Contribution* Arrive(Turns::Kind kind) {
    if (turn_.stopped) return nullptr;
    turn_.stopped = true;
    turn_.Suspend();
    Turns::Contribution& open = job_.open_[collective_];
    open.agreed = open.agreed && (open.ranks == 0 || open.kind == kind);
    open.kind = kind;
    ++open.ranks;
    open.arrived_s = std::max(open.arrived_s, turn_.clock_s);
    return &open;
  }

  Turns& job_;
  Turns::Turn& turn_;
  const uint32_t rank_;
  uint32_t collective_ = 0;
};

double Turns::CostOf(Kind kind, size_t bytes) const {
  const double steps = std::bit_width(options_.ranks - 1);
  const double message = options_.network.Message(static_cast<double>(bytes));
  switch (kind) {
    case Kind::kAllreduce:
      return 2 * steps * message;
    case Kind::kBcast:
      return steps * message;
  }
  return 0;
}

bool Turns::CloseRound() {
  bool closed = false;
  for (auto& [number, open] : open_) {
    if (open.ranks != options_.ranks) continue;
    if (!open.agreed) return false;
    const double left = open.arrived_s + CostOf(open.kind, open.bytes.size());
    done_[number] = {open.kind, std::move(open.bytes), left};
    closed = true;
  }
  return closed;
}

bool Turns::Run(const std::function<void(Comm&)>& body) {
  for (rounds_ = 1;; ++rounds_) {
    open_.clear();
    mail_.clear();
    messages_ = 0;
    seconds_ = 0;
    for (uint32_t rank = options_.ranks; rank-- > 0;) {
      Turn turn{options_, rank};
      TurnsComm comm(*this, turn);
      turn.Resume();
      body(comm);
      if (!turn.stopped) turn.Suspend();
      seconds_ = std::max(seconds_, turn.clock_s);
    }
    if (open_.empty()) return mail_.empty();
    if (!CloseRound()) return false;
  }
}

}  // namespace roofmark::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/overhead/mpi/turns.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>

namespace roofmark::mpi {

// One rank's turn in one round.
class TurnsComm final : public Comm {
 public:
  TurnsComm(Turns& job, uint32_t rank) : job_(job), rank_(rank) { Resume(); }
  ~TurnsComm() override {
    Suspend();
    job_.seconds_ = std::max(job_.seconds_, clock_s_);
  }
  TurnsComm(const TurnsComm&) = delete;
  TurnsComm& operator=(const TurnsComm&) = delete;

  uint32_t Rank() const override { return rank_; }
  uint32_t Size() const override { return job_.options_.ranks; }

  bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) override {
    const size_t size = values.size_bytes();
    if (Replayed(Turns::Kind::kAllreduce, values.data(), size)) return true;
    if (!Arrive(Turns::Kind::kAllreduce)) return false;
    std::vector<char>& bytes = job_.open_->bytes;
    std::vector<uint64_t> sum(values.begin(), values.end());
    if (job_.open_->ranks > 1 && bytes.size() == size) {
      std::vector<uint64_t> others(values.size());
      std::memcpy(others.data(), bytes.data(), size);
      for (size_t i = 0; i < sum.size(); ++i) sum[i] = Apply(op, others[i], sum[i]);
    }
    bytes.resize(size);
    std::memcpy(bytes.data(), sum.data(), size);
    return false;
  }

  bool Bcast(void* data, size_t size) override {
    if (Replayed(Turns::Kind::kBcast, data, size)) return true;
    const char* bytes = static_cast<const char*>(data);
    if (Arrive(Turns::Kind::kBcast) && rank_ == 0) job_.open_->bytes.assign(bytes, bytes + size);
    return false;
  }

  bool Send(uint32_t to, const void* data, size_t size) override {
    if (to >= rank_) return false;  // it has had its turn
    Suspend();
    const char* bytes = static_cast<const char*>(data);
    clock_s_ += job_.options_.network.overhead_s;
    job_.mail_[{rank_, to}].push_back({{bytes, bytes + size}, clock_s_});
    ++job_.messages_;
    Resume();
    return true;
  }

  bool Recv(uint32_t from, void* data, size_t size) override {
    const auto box = job_.mail_.find({from, rank_});
    if (box == job_.mail_.end() || box->second.front().bytes.size() != size) return false;
    Suspend();
    const Turns::Mail& mail = box->second.front();
    const LogGp& network = job_.options_.network;
    const double on_its_way = network.Message(static_cast<double>(size)) - 2 * network.overhead_s;
    clock_s_ = std::max(clock_s_, mail.sent_s + on_its_way) + network.overhead_s;
    std::memcpy(data, mail.bytes.data(), size);
    box->second.pop_front();
    if (box->second.empty()) job_.mail_.erase(box);
    Resume();
    return true;
  }

  bool Arrived(uint32_t from, bool& arrived) override {
    arrived = job_.mail_.count({from, rank_}) > 0;
    return true;
  }

  bool ReduceCells(std::span<Cell> cells) override {
    if (Replayed(Turns::Kind::kReduceCells, cells.data(), cells.size_bytes())) return true;
    if (Arrive(Turns::Kind::kReduceCells)) {
      job_.open_->tree.Add(rank_, {cells.begin(), cells.end()});
    }
    return false;
  }

 private:
  static uint64_t Apply(ReduceOp op, uint64_t a, uint64_t b) {
    switch (op) {
      case ReduceOp::kMin:
        return std::min(a, b);
      case ReduceOp::kMax:
        return std::max(a, b);
      case ReduceOp::kOr:
        return a | b;
      case ReduceOp::kSum:
        return a + b;
    }
    return 0;
  }

  // True if an earlier round has the result of this collective.
  bool Replayed(Turns::Kind kind, void* data, size_t size) {
    if (collective_ >= job_.done_.size()) return false;
    const Turns::Collective& done = job_.done_[collective_++];
    if (done.kind != kind || done.result.size() != size) return false;
    // What other ranks than 0 hold after a reduction is undefined: it shall not be used.
    const bool undefined = kind == Turns::Kind::kReduceCells && rank_ != 0;
    undefined ? std::memset(data, 0xA5, size) : std::memcpy(data, done.result.data(), size);
    clock_s_ = done.left_s;
    Resume();
    return true;
  }

  bool Arrive(Turns::Kind kind) {
    if (arrived_) return false;  // a second collective after one that failed
    arrived_ = true;
    Suspend();
    Turns::Contribution& open = *job_.open_;
    open.agreed = open.agreed && (open.ranks == 0 || open.kind == kind);
    open.kind = kind;
    ++open.ranks;
    open.arrived_s = std::max(open.arrived_s, clock_s_);
    return true;
  }

  double CpuSeconds() const {
    timespec now{};
    if (job_.options_.timed) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  void Resume() { since_s_ = CpuSeconds(); }
  void Suspend() { clock_s_ += CpuSeconds() - since_s_; }

  Turns& job_;
  const uint32_t rank_;
  size_t collective_ = 0;
  bool arrived_ = false;
  double clock_s_ = 0, since_s_ = 0;
};

double Turns::CostOf(Kind kind, size_t bytes) const {
  const double steps = std::bit_width(options_.ranks - 1);
  const double message = options_.network.Message(static_cast<double>(bytes));
  switch (kind) {
    case Kind::kAllreduce:
      return 2 * steps * message;
    case Kind::kBcast:
      return steps * message;
    case Kind::kReduceCells:
      return steps * (message + static_cast<double>(bytes / sizeof(Cell)) * seconds_per_cell_);
  }
  return 0;
}

Turns::Collective Turns::Close(Contribution& open) {
  if (open.kind == Kind::kReduceCells) {
    const std::vector<Cell> cells = open.tree.Finish();
    open.bytes.resize(cells.size() * sizeof(Cell));
    std::memcpy(open.bytes.data(), cells.data(), open.bytes.size());
    if (open.tree.combined() > 0) {
      seconds_per_cell_ = open.tree.seconds() / static_cast<double>(open.tree.combined());
    }
  }
  const double cost = CostOf(open.kind, open.bytes.size());
  return {open.kind, std::move(open.bytes), open.arrived_s + cost};
}

bool Turns::Run(const std::function<void(Comm&)>& body) {
  for (;;) {
    Contribution open(options_);
    open_ = &open;
    mail_.clear();
    messages_ = 0;
    seconds_ = 0;
    for (uint32_t rank = options_.ranks; rank-- > 0;) {
      TurnsComm comm(*this, rank);
      body(comm);
    }
    open_ = nullptr;
    if (open.ranks == 0) return mail_.empty();
    if (open.ranks != options_.ranks || !open.agreed) return false;
    done_.push_back(Close(open));
  }
}

}  // namespace roofmark::mpi

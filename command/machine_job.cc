// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_job.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <utility>

#include "command/commands.h"
#include "command/output.h"
#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_json.h"
#include "lib/model/machine_merge.h"

namespace roofmark::cli {
namespace {

// While a node is measured its ranks look for the end twice per second, all at the same moment:
// that spoils at most two samples of a millisecond or two. Rank 0 looks for other nodes' results
// when its own node is done, and is in no hurry to be idle.
constexpr uint32_t kSeldomMs = 500, kOftenMs = 50;
// After a request to end. Open MPI kills what is left after a second.
constexpr uint64_t kFilesPatienceNs = 500'000'000;

// What a leader sends to rank 0: a machine file, or why there is none.
std::string Pack(const Result<Machine>& measured) {
  return measured ? "m" + MachineToJson(*measured) : "e" + measured.error();
}

Result<Machine> Unpack(const std::string& text, const std::string& host) {
  if (text.empty() || text[0] != 'm') return Error{text.empty() ? "no answer" : text.substr(1)};
  return MachineFromJson(std::string_view(text).substr(1), "the measurement of " + host);
}

std::vector<std::string> KindsOf(const std::vector<mpi::Node>& nodes) {
  std::vector<std::string> kinds;
  for (const mpi::Node& node : nodes) {
    if (std::find(kinds.begin(), kinds.end(), node.kind) == kinds.end()) kinds.push_back(node.kind);
  }
  return kinds;
}

// The part of rank 0.
class FileCollector {
 public:
  FileCollector(mpi::Comm& comm, const std::vector<mpi::Node>& nodes, const JobSteps& steps)
      : comm_(comm), steps_(steps), nodes_(nodes) {}

  // Returns the job's status, or kFailure after saying that the communicator failed.
  int Collect(Result<Machine> own) {
    results_.push_back(std::move(own));
    for (size_t i = 1; i < nodes_.size(); ++i) results_.push_back(Receive(i, PatienceIsOver()));
    const int status = Finish();
    // A leader that is late stays in its send until rank 0 receives.
    for (const size_t i : late_) {
      if (!failed_) (void)Receive(i, {});
    }
    return failed_ ? kFailure : status;
  }

 private:
  std::function<bool()> PatienceIsOver() {
    return [this] {
      if (!steps_.interrupted()) return false;
      if (interrupted_ns_ == 0) interrupted_ns_ = NowNs();
      return NowNs() - interrupted_ns_ > kFilesPatienceNs;
    };
  }

  Result<Machine> Receive(size_t i, const std::function<bool()>& give_up) {
    const mpi::Node& node = nodes_[i];
    const auto awaited =
        failed_ ? mpi::Awaited::kFailed : mpi::Await(comm_, node.leader, kOftenMs, give_up);
    std::string text;
    if (awaited == mpi::Awaited::kGaveUp) {
      late_.push_back(i);
      return Error{"it had not answered when the job was interrupted"};
    }
    if (awaited == mpi::Awaited::kFailed || !mpi::ReceiveText(comm_, node.leader, text)) {
      if (!failed_) Say(message::kMpiLostNodes);
      failed_ = true;
      return Error{"its measurement did not arrive"};
    }
    return Unpack(text, node.host);
  }

  int Finish() {
    std::vector<Machine> machines;
    bool complete = true;
    for (const std::string& kind : KindsOf(nodes_)) {
      auto machine = MergeKind(kind);
      complete = complete && machine.has_value();
      if (machine) machines.push_back(std::move(*machine));
    }
    if (machines.empty()) return kFailure;
    const int status = steps_.finish(machines);
    return status == 0 && !complete ? kFailure : status;
  }

  // Says which nodes are missing, and keeps it with the machine.
  std::optional<Machine> MergeKind(const std::string& kind) {
    std::vector<Machine> machines;
    std::vector<std::string> warnings;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].kind != kind) continue;
      if (results_[i]) {
        machines.push_back(std::move(*results_[i]));
        continue;
      }
      warnings.push_back(InWords(message::kNodeNotMeasured, nodes_[i].host, results_[i].error()));
      PassOn(warnings.back());
    }
    if (machines.empty()) return std::nullopt;
    Result<Machine> merged = MergeMachines(std::move(machines));
    if (!merged) {
      PassOn(merged.error());
      return std::nullopt;
    }
    merged->partial = merged->partial || !late_.empty();
    merged->warnings.insert(merged->warnings.end(), warnings.begin(), warnings.end());
    return std::move(*merged);
  }

  mpi::Comm& comm_;
  const JobSteps& steps_;
  const std::vector<mpi::Node>& nodes_;
  std::vector<Result<Machine>> results_;  // as nodes_
  std::vector<size_t> late_;
  uint64_t interrupted_ns_ = 0;
  bool failed_ = false;  // the communicator
};

// Rank 0's status reaches all ranks; who waits for it sleeps.
int ShareStatus(mpi::Comm& comm, int status) {
  uint64_t shared = static_cast<uint64_t>(status);
  if (comm.Rank() == 0) {
    for (uint32_t rank = 1; rank < comm.Size(); ++rank) {
      if (!comm.Send(rank, &shared, sizeof shared)) return kFailure;
    }
    return status;
  }
  const bool came = mpi::Await(comm, 0, kSeldomMs) == mpi::Awaited::kArrived &&
                    comm.Recv(0, &shared, sizeof shared);
  return came ? static_cast<int>(shared) : kFailure;
}

}  // namespace

int MeasureInJob(mpi::Comm& comm, const mpi::Member& mine, const JobSteps& steps) {
  const auto nodes = mpi::AgreeOnNodes(
      comm, mine, [&](const std::vector<mpi::Node>& all) { return steps.may_begin(KindsOf(all)); });
  if (!nodes) {
    if (comm.Rank() == 0) Say(message::kMpiFailedMeasuring);
    return kFailure;
  }
  if (nodes->empty()) return kFailure;
  int status = 0;
  for (const mpi::Node& node : *nodes) {
    if (node.leader != comm.Rank()) continue;
    Result<Machine> measured = steps.measure(node.cpus);
    if (measured) measured->nodes = {node.host};
    if (comm.Rank() == 0) {
      status = FileCollector(comm, *nodes, steps).Collect(std::move(measured));
    } else if (!mpi::SendText(comm, 0, Pack(measured))) {
      return kFailure;
    }
  }
  return ShareStatus(comm, status);
}

Result<Machine> MeasureOnCpus(const std::string& cpus,
                              const std::function<Result<Machine>()>& measure) {
  const std::set<uint32_t> wanted = ParseCpuList(cpus);
  if (!wanted.empty()) {
    const size_t most = *wanted.rbegin() + size_t{1};
    cpu_set_t* mask = CPU_ALLOC(most);
    const size_t bytes = CPU_ALLOC_SIZE(most);
    if (mask != nullptr) {
      CPU_ZERO_S(bytes, mask);
      for (const uint32_t cpu : wanted) CPU_SET_S(cpu, bytes, mask);
      sched_setaffinity(0, bytes, mask);  // refused or cut down: seen below
      CPU_FREE(mask);
    }
  }
  Result<Machine> machine = measure();
  if (machine && machine->cpuset != cpus) {
    machine->warnings.push_back(
        fmt::format("the ranks of the node have CPUs {} together, but one of them may use only {}: "
                    "measured on these",
                    cpus, machine->cpuset));
  }
  return machine;
}

}  // namespace roofmark::cli

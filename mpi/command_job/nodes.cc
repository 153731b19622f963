// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/command_job/nodes.h"

#include <time.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "lib/core/bytes.h"
#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/core/file.h"
#include "mpi/tree.h"

namespace roofmark::mpi {
namespace {

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

void Put(ByteWriter& writer, const Member& member) {
  for (const auto* text : {&member.node, &member.host, &member.cpus, &member.kind}) {
    writer.PutString(*text);
  }
}

Member GetMember(ByteReader& reader) {
  Member member;
  for (auto* text : {&member.node, &member.host, &member.cpus, &member.kind}) {
    *text = reader.GetString();
  }
  return member;
}

// The members of a range of ranks, in order.
class Members final : public Merging {
 public:
  explicit Members(const Member& mine) : all_{mine} {}

  bool Take(const std::vector<char>& bytes) override {
    ByteReader reader(bytes);
    for (size_t left = reader.GetCount(sizeof(uint64_t)); left > 0; --left)
      all_.push_back(GetMember(reader));
    return reader.ok();
  }
  std::vector<char> Pack() override {
    ByteWriter writer;
    writer.Put(static_cast<uint64_t>(all_.size()));
    for (const Member& member : all_) Put(writer, member);
    return writer.Take();
  }
  std::vector<Member> All() && { return std::move(all_); }

 private:
  std::vector<Member> all_;
};

// All ranks' members on rank 0.
std::optional<std::vector<Member>> GatherMembers(Comm& comm, const Member& mine) {
  Members members(mine);
  if (!MergeUp(comm, members)) return std::nullopt;
  return std::move(members).All();
}

std::vector<char> PackNodes(const std::vector<Node>& nodes) {
  ByteWriter writer;
  writer.Put(static_cast<uint64_t>(nodes.size()));
  for (const Node& node : nodes) {
    writer.Put(node.leader);
    writer.Put(node.ranks);
    for (const auto* text : {&node.host, &node.kind, &node.cpus}) writer.PutString(*text);
  }
  return writer.Take();
}

std::optional<std::vector<Node>> UnpackNodes(const std::vector<char>& bytes) {
  ByteReader reader(bytes);
  std::vector<Node> nodes(reader.GetCount(2 * sizeof(uint32_t) + 3 * sizeof(uint64_t)));
  for (Node& node : nodes) {
    node.leader = reader.Get<uint32_t>();
    node.ranks = reader.Get<uint32_t>();
    for (auto* text : {&node.host, &node.kind, &node.cpus}) *text = reader.GetString();
  }
  if (!reader.ok()) return std::nullopt;
  return nodes;
}

// Until the clock, which all processes of a node share, shows a multiple of the interval.
void SleepUntilNext(uint64_t interval_ns) {
  const uint64_t next = (NowNs() / interval_ns + 1) * interval_ns;
  const timespec until = {static_cast<time_t>(next / 1'000'000'000),
                          static_cast<long>(next % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace

Member ThisMember(std::string kind) {
  const auto boot = ReadFile("/proc/sys/kernel/random/boot_id");
  return {boot ? *boot : HostName(), HostName(), AffinityCpuList(), std::move(kind)};
}

std::vector<Node> GroupByNode(const std::vector<Member>& members) {
  std::vector<Node> nodes;
  std::map<std::string, size_t> places;
  for (uint32_t rank = 0; rank < members.size(); ++rank) {
    const Member& member = members[rank];
    const auto [place, added] = places.emplace(member.node, nodes.size());
    if (added) nodes.push_back({rank, 0, member.host, member.kind, {}});
    Node& node = nodes[place->second];
    ++node.ranks;
    node.cpus = UniteCpuLists(node.cpus, member.cpus);
  }
  return nodes;
}

std::optional<std::vector<Node>> AgreeOnNodes(
    Comm& comm, const Member& mine,
    const std::function<bool(const std::vector<Node>&)>& may_begin) {
  const auto members = GatherMembers(comm, mine);
  if (comm.Rank() == 0 && !members) {
    AbandonBcast(comm);
    return std::nullopt;
  }
  std::vector<char> bytes;
  if (comm.Rank() == 0) {
    const std::vector<Node> nodes = GroupByNode(*members);
    bytes = PackNodes(may_begin(nodes) ? nodes : std::vector<Node>());
  }
  if (!BcastBytes(comm, bytes)) return std::nullopt;
  return UnpackNodes(bytes);
}

bool SendText(Comm& comm, uint32_t to, const std::string& text) {
  return SendBytes(comm, to, {text.begin(), text.end()});
}

bool ReceiveText(Comm& comm, uint32_t from, std::string& text) {
  std::vector<char> bytes;
  if (!RecvBytes(comm, from, bytes)) return false;
  text.assign(bytes.begin(), bytes.end());
  return true;
}

Awaited Await(Comm& comm, uint32_t from, uint32_t interval_ms,
              const std::function<bool()>& give_up) {
  for (;;) {
    bool arrived = false;
    if (!comm.Arrived(from, arrived)) return Awaited::kFailed;
    if (arrived) return Awaited::kArrived;
    if (give_up && give_up()) return Awaited::kGaveUp;
    SleepUntilNext(uint64_t{interval_ms} * 1'000'000);
  }
}

}  // namespace roofmark::mpi

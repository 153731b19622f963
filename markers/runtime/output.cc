// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/output.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/cgroup.h"
#include "lib/core/cpu_list.h"
#include "lib/core/file.h"
#include "lib/core/launcher.h"
#include "lib/core/node_identity.h"
#include "lib/core/start_cpus.h"
#include "lib/core/thread.h"
#include "lib/spool/place.h"

namespace roofmark::runtime {

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

namespace {

std::string ValueOf(char letter, uint32_t rank, const std::string& job_id) {
  switch (letter) {
    case 'h':
      return HostName();
    case 'p':
      return std::to_string(getpid());
    case 'r':
      return std::to_string(rank);
    case 'j':
      return job_id;
    case 'A':
      return ReadArrayTask().array;
    case 'a':
      return ReadArrayTask().task;
    case 's':
      return JobStep();
    default:
      return "%";
  }
}

}  // namespace

std::string ExpandName(const std::string& pattern, uint32_t rank, const std::string& job_id) {
  std::string name;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char letter = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] != '%' || std::string_view("hprjAas%").find(letter) == std::string_view::npos ||
        letter == '\0') {
      name += pattern[i];
      continue;
    }
    ++i;
    name += AsNamePart(ValueOf(letter, rank, job_id));
  }
  return name;
}

std::string PartName(const std::string& output, uint32_t rank) {
  return BeforeExtension(output, fmt::format(".part{}", rank));
}

std::string SamplesName(const std::string& output, uint32_t rank) {
  return BeforeExtension(output, fmt::format(".samples{}", rank));
}

std::string ExecutedName(const std::string& output, uint32_t rank) {
  return BeforeExtension(output, fmt::format(".executed{}", rank));
}

std::string LateName(const std::string& output, uint32_t rank) {
  return BeforeExtension(output, fmt::format(".late{}", rank));
}

namespace {

std::string WithoutExtension(const std::string& output) {
  // What follows the mark is the extension.
  const std::string marked = BeforeExtension(output, "\n");
  return marked.substr(0, marked.rfind('\n'));
}

}  // namespace

std::string DetailName(const std::string& output, const std::string& detail) {
  return fmt::format("{}.{}.h5", WithoutExtension(output), detail);
}

std::string SnapshotName(const std::string& output, uint32_t rank) {
  return fmt::format("{}.{}", WithoutExtension(output),
                     spool::FileName(rank, HostName(), static_cast<uint32_t>(getpid())));
}

namespace {

// What the program's threads are allowed, wherever a runtime bound the first of them. Threads of a
// pool may have ended: what they were allowed was theirs to choose.
std::string CpusOfThreads() {
  std::set<uint32_t> cpus;
  size_t threads = 0;
  for (const pid_t tid : NumbersIn("/proc/self/task")) {
    if (threads::IsUncounted(tid)) continue;
    cpus.merge(ParseCpuList(AffinityCpuList(tid)));
    ++threads;
  }
  if (threads == 0) cpus = ParseCpuList(AffinityCpuList());
  if (threads <= 1) cpus.merge(ParseCpuList(StartCpuList()));
  return FormatCpuList(cpus);
}

// What the kernel says once and for all: a process describes itself when it begins, at each
// snapshot and at its end.
struct Limits {
  const std::string online = OnlineCpuList(), group = GroupCpuList();
  const std::optional<double> quota = CpuQuota();
};

const Limits& LimitsHere() {
  static const auto& limits = *new Limits;
  return limits;
}

// As many files as there are cores. Callers hold the process's lock.
const std::string& KnownCoresOf(const std::string& cpuset) {
  static auto& known = *new std::map<std::string, std::string>;
  const auto [cores, is_new] = known.try_emplace(cpuset);
  if (is_new) cores->second = CoresOf(cpuset);
  return cores->second;
}

// Empty where nobody did.
std::string WhoBound(const std::string& cpus, const Limits& limits) {
  const std::set<uint32_t> left = ParseCpuList(cpus);
  const auto leaves_all_of = [&left](const std::string& list) {
    const std::set<uint32_t> all = ParseCpuList(list);
    return std::includes(left.begin(), left.end(), all.begin(), all.end());
  };
  if (left.empty() || leaves_all_of(limits.online)) return "";
  return !limits.group.empty() && leaves_all_of(limits.group) ? kBoundByCgroup : kBoundByMask;
}

}  // namespace

HostInfo ThisHost() {
  const Limits& limits = LimitsHere();
  HostInfo host;
  host.name = HostName();
  host.ranks = 1;
  host.cpuset = CpusOfThreads();
  host.cpus = CountCpus(host.cpuset);
  host.rank_cpus = OverHost::Of(host.cpus);
  host.cores = KnownCoresOf(host.cpuset);
  host.machine_cpus = CountCpus(limits.online);
  host.bound_by = WhoBound(host.cpuset, limits);
  if (limits.quota) {
    host.quota_mcpus = OverHost::Of(static_cast<uint64_t>(std::lround(*limits.quota * 1e3)));
  }
  return host;
}

void DescribeNode(bool is_first, RunInfo& run) {
  HostInfo& host = run.hosts.front();
  if (run.kernel.clock_khz.ranks > 0) host.clock_khz = OverHost::Of(run.kernel.clock_khz.max);
  if (!is_first) return;
  static const auto& node = *new NodeIdentity(ReadNodeIdentity());
  if (!node.cpu_model.empty()) host.cpu = node.cpu_model;
  if (!node.cpu_model.empty() || !node.cpu_vendor.empty()) host.kind = KindOf(node);
}

std::map<std::string, std::string> DispatchFacts() {
  std::map<std::string, std::string> facts;
  using CoreName = char* (*)();
  if (const auto core = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"))) {
    facts["dispatch.openblas"] = core();
  }
  return facts;
}

std::string UtcNow() {
  const time_t now = time(nullptr);
  tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace roofmark::runtime

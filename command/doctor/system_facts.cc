// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/system_facts.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"

namespace roofmark::cli {
namespace {

constexpr uint64_t kSysAdmin = uint64_t{1} << 21, kPerfmon = uint64_t{1} << 38;

std::string Text(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  return text ? std::move(*text) : "";
}

std::string FirstLineOf(const std::string& path) {
  const std::string text = Text(path);
  return text.substr(0, text.find('\n'));
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The word after "name:" in /proc/self/status.
std::string StatusWord(const std::string& status, const std::string& name) {
  const size_t at = ("\n" + status).find("\n" + name + ":");
  if (at == std::string::npos) return "";
  const size_t from = status.find_first_not_of(" \t", at + name.size() + 1);
  return status.substr(from, status.find('\n', from) - from);
}

// Twelve letters by which hypervisors sign.
std::string Signature() {
#if defined(__x86_64__)
  unsigned a = 0, words[3] = {};
  __cpuid(0x40000000, a, words[0], words[1], words[2]);
  char letters[13] = {};
  std::memcpy(letters, words, 12);
  return letters;
#else
  return "";
#endif
}

bool IsVirtual(const std::string& root, const std::string& product) {
  const std::string cpus = Text(root + "/proc/cpuinfo");
  const size_t flags = cpus.find("\nflags");
  if (flags != std::string::npos) {
    return Contains(cpus.substr(flags, cpus.find('\n', flags + 1) - flags) + " ", " hypervisor ");
  }
  // ARM and POWER have no such flag.
  return Contains(product, "KVM") || Contains(product, "Virtual") ||
         !FirstLineOf(root + "/sys/hypervisor/type").empty();
}

std::string ReadHypervisor(const std::string& root) {
  const std::string vendor = FirstLineOf(root + "/sys/class/dmi/id/sys_vendor");
  const std::string product = FirstLineOf(root + "/sys/class/dmi/id/product_name");
  if (!IsVirtual(root, product)) return "";
  return HypervisorName(Signature(), vendor, product);
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string ReadContainer(const std::string& root) {
  if (std::getenv("APPTAINER_CONTAINER") != nullptr) return "Apptainer";
  if (std::getenv("SINGULARITY_CONTAINER") != nullptr) return "Singularity";
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) return "Kubernetes";
  if (Exists(root + "/.dockerenv")) return "Docker";
  if (Exists(root + "/run/.containerenv")) return "Podman";
  const std::string groups = Text(root + "/proc/1/cgroup");
  for (const auto& [mark, name] : {std::pair{"/docker", "Docker"},
                                   {"/kubepods", "Kubernetes"},
                                   {"/libpod", "Podman"},
                                   {"/lxc", "LXC"}}) {
    if (Contains(groups, mark)) return name;
  }
  return std::getenv("container") != nullptr ? "unknown" : "";
}

uint64_t CountOpenFiles() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  uint64_t count = 0;
  while (const dirent* entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  return count - 1;  // the folder's own
}

void ReadFileLimits(SystemFacts& facts) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const auto number = [](rlim_t value) {
    return value == RLIM_INFINITY ? UINT64_MAX : static_cast<uint64_t>(value);
  };
  facts.most_files = number(limit.rlim_cur);
  facts.most_files_hard = number(limit.rlim_max);
  facts.open_files = CountOpenFiles();
}

}  // namespace

bool SystemFacts::MayCountAll() const { return (capabilities & (kSysAdmin | kPerfmon)) != 0; }

std::optional<int> ReadNumber(const std::string& path) {
  const std::string line = FirstLineOf(path);
  int value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::string HypervisorName(const std::string& signature, const std::string& vendor,
                           const std::string& product) {
  if (Contains(vendor, "Amazon")) return "Amazon EC2";
  if (Contains(vendor, "Google")) return "Google Compute Engine";
  for (const auto& [mark, name] : {std::pair{"VMware", "VMware"},
                                   {"Microsoft Hv", "Hyper-V"},
                                   {"XenVMM", "Xen"},
                                   {"KVM", "KVM"},
                                   {"TCG", "QEMU"},
                                   {"VBox", "VirtualBox"},
                                   {"prl hyperv", "Parallels"}}) {
    if (Contains(signature, mark) || Contains(product, mark) || Contains(vendor, mark)) return name;
  }
  return "unknown";
}

SystemFacts ReadSystemFacts(const std::string& root) {
  SystemFacts facts;
  utsname names = {};
  if (uname(&names) == 0) facts.kernel = names.release;
  facts.paranoid = ReadNumber(root + "/proc/sys/kernel/perf_event_paranoid");
  facts.nmi_watchdog = ReadNumber(root + "/proc/sys/kernel/nmi_watchdog").value_or(0) > 0;
  const std::string status = Text(root + "/proc/self/status");
  facts.seccomp = StatusWord(status, "Seccomp") == "2";
  facts.capabilities = std::strtoull(StatusWord(status, "CapEff").c_str(), nullptr, 16);
  facts.hypervisor = ReadHypervisor(root);
  facts.container = ReadContainer(root);
  facts.online = ParseCpuList(OnlineCpuList(root));
  facts.allowed = ParseCpuList(AffinityCpuList());
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) {
    const long number = std::strtol(threads, nullptr, 10);
    if (number > 0) facts.omp_threads = static_cast<uint32_t>(number);
  }
  ReadFileLimits(facts);
  return facts;
}

}  // namespace roofmark::cli

// SPDX-License-Identifier: BSD-3-Clause
//
// scenario FILE: performs the file's steps and prints what came of each, one line a step. Without
// the virtual PMU it counts with the real kernel's breakpoints (writes to a variable, exact for
// each thread), with it preloaded by events of the core PMU: the outputs must not differ.
//
//   open NAME [leader=NAME] [disabled] [pinned] [inherit] [kernel] [cpu|nocpu|anywhere|exited]
//             [format=group+id+times+lost+wrong] [device [sampling] [exclude]]
//   count NAME N, thread NAME N, child NAME N     N happen here, in a new thread, in a new process
//   read NAME, small NAME, pread NAME, write NAME, seek NAME, close NAME, dup NAME AS, map NAME
//   PAGES enable|disable|reset|id|refresh|period|unknown NAME [group] drop gives up privileges
//
// A device is the kernel's time-stamp counter (msr), or a memory controller: both count for a CPU
// and know no privilege levels. Ids are printed as the name of the event that has it, times as how
// they compare.
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "virtual_pmu.h"

namespace {

constexpr uint64_t kVirtualEvents[] = {0x1d1, 0x1d2, 0x1d3, 0x1d4, 0x1d5, 0x1d6};
volatile uint64_t variables[6];

struct Event {
  int fd = -1;
  uint64_t format = 0;
  uint64_t id = 0;
};
std::map<std::string, Event> events;

// Names that begin with the same letter count the same thing.
size_t Kind(const std::string& name) { return static_cast<size_t>(name[0] - 'a') % 6; }

void Happen(const std::string& name, int n) {
  if (vpmu_present()) return vpmu_retire(0, kVirtualEvents[Kind(name)], n);
  for (int i = 0; i < n; ++i) variables[Kind(name)] = i;
}

std::string Outcome(long result) {
  return result < 0 ? strerrorname_np(errno) : std::to_string(result);
}

uint64_t ParseFormat(const std::string& text) {
  const std::pair<const char*, uint64_t> bits[] = {
      {"group", PERF_FORMAT_GROUP},
      {"id", PERF_FORMAT_ID},
      {"times", PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING},
      {"lost", PERF_FORMAT_LOST},
      {"wrong", uint64_t{1} << 20}};
  uint64_t format = 0;
  for (const auto& [name, bit] : bits) {
    if (text.find(name) != std::string::npos) format |= bit;
  }
  return format;
}

uint32_t DeviceType() {
  uint32_t type = 0;
  const std::string device = vpmu_present() ? "uncore_imc_0" : "msr";
  std::ifstream("/sys/bus/event_source/devices/" + device + "/type") >> type;
  return type;
}

perf_event_attr DeviceAttributes(const std::set<std::string>& flags) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  // Asked once, with privileges: an ordinary user may not reach the files of the virtual machine
  // below root's home directory.
  static const uint32_t type = DeviceType();
  attr.type = type;
  attr.config = vpmu_present() ? 0x304 : 0;
  attr.exclude_user = flags.count("exclude") != 0;
  attr.sample_period = flags.count("sampling") != 0 ? 1000 : 0;
  return attr;
}

perf_event_attr Attributes(const std::string& name, const std::set<std::string>& flags) {
  if (flags.count("device")) return DeviceAttributes(flags);
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.exclude_kernel = flags.count("kernel") == 0;
  attr.exclude_hv = 1;
  attr.disabled = flags.count("disabled") != 0;
  attr.pinned = flags.count("pinned") != 0;
  attr.inherit = flags.count("inherit") != 0;
  if (vpmu_present()) {
    attr.type = PERF_TYPE_RAW;
    attr.config = kVirtualEvents[Kind(name)];
    return attr;
  }
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = HW_BREAKPOINT_W;
  attr.bp_addr = reinterpret_cast<uintptr_t>(&variables[Kind(name)]);
  attr.bp_len = HW_BREAKPOINT_LEN_8;
  return attr;
}

pid_t ExitedProcess() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

std::string Open(std::istringstream& words) {
  std::string name, leader;
  std::set<std::string> flags;
  Event event;
  words >> name;
  for (std::string word; words >> word;) {
    if (word.rfind("leader=", 0) == 0) {
      leader = word.substr(7);
    } else if (word.rfind("format=", 0) == 0) {
      event.format = ParseFormat(word);
    } else {
      flags.insert(word);
    }
  }
  perf_event_attr attr = Attributes(name, flags);
  attr.read_format = event.format;
  const int group = leader.empty() ? -1 : leader == "none" ? 1000 : events[leader].fd;
  if (attr.type == 0) return "no such device";
  const pid_t pid = flags.count("cpu") || flags.count("anywhere") ? -1
                    : flags.count("exited")                       ? ExitedProcess()
                                                                  : 0;
  const int cpu = flags.count("cpu") ? 0 : flags.count("nocpu") ? 100000 : -1;
  event.fd =
      static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC));
  if (event.fd < 0) return Outcome(-1);
  ioctl(event.fd, PERF_EVENT_IOC_ID, &event.id);
  events[name] = event;
  return "opened";
}

std::string NameOf(uint64_t id) {
  for (const auto& [name, event] : events) {
    if (event.id == id) return name;
  }
  return "?";
}

std::string Times(uint64_t enabled, uint64_t running) {
  if (enabled == 0) return " never";
  return running == enabled ? " always" : running == 0 ? " waiting" : " sometimes";
}

std::string Read(const Event& event) {
  uint64_t words[64] = {};
  const ssize_t bytes = read(event.fd, words, sizeof(words));
  if (bytes <= 0) return Outcome(bytes);
  std::string text = std::to_string(bytes) + " bytes:";
  const bool group = (event.format & PERF_FORMAT_GROUP) != 0;
  const bool times = (event.format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0;
  const uint64_t* next = words;
  const uint64_t members = group ? *next++ : 1;
  if (group && times) text += Times(next[0], next[1]), next += 2;
  for (uint64_t i = 0; i < members; ++i) {
    text += " " + std::to_string(*next++);
    if (!group && times) text += Times(next[0], next[1]), next += 2;
    if ((event.format & PERF_FORMAT_ID) != 0) text += "=" + NameOf(*next++);
    if ((event.format & PERF_FORMAT_LOST) != 0) text += "/" + std::to_string(*next++);
  }
  return text;
}

std::string Map(const Event& event, size_t pages) {
  void* page = mmap(nullptr, pages * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, event.fd, 0);
  if (page == MAP_FAILED) return Outcome(-1);
  munmap(page, pages * 4096);
  return "mapped";
}

std::string Elsewhere(const std::string& step, const std::string& name, int n) {
  if (step == "thread") {
    std::thread([&] { Happen(name, n); }).join();
  } else if (const pid_t child = fork(); child == 0) {
    Happen(name, n);
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  return "done";
}

unsigned long Request(const std::string& step) {
  const std::map<std::string, unsigned long> requests = {
      {"enable", PERF_EVENT_IOC_ENABLE}, {"disable", PERF_EVENT_IOC_DISABLE},
      {"reset", PERF_EVENT_IOC_RESET},   {"refresh", PERF_EVENT_IOC_REFRESH},
      {"period", PERF_EVENT_IOC_PERIOD}, {"unknown", 0x5401}};
  const auto it = requests.find(step);
  return it == requests.end() ? 0 : it->second;
}

std::string Perform(const std::string& step, std::istringstream& words) {
  if (step == "drop") {
    if (vpmu_present()) vpmu_set_privileged(0);
    return Outcome(geteuid() == 0 ? setresuid(65534, 65534, 65534) : 0);
  }
  if (step == "open") return Open(words);
  std::string name, argument;
  words >> name >> argument;
  Event& event = events[name];
  uint64_t buffer[2] = {1, 1};
  if (step == "count") return Happen(name, std::stoi(argument)), "done";
  if (step == "thread" || step == "child") return Elsewhere(step, name, std::stoi(argument));
  if (step == "read") return Read(event);
  if (step == "small") return Outcome(read(event.fd, buffer, 4));
  if (step == "write") return Outcome(write(event.fd, buffer, 8));
  if (step == "seek") return Outcome(lseek(event.fd, 0, SEEK_CUR));
  if (step == "map") return Map(event, std::stoul(argument));
  if (step == "dup") {
    events[argument] = event;
    return (events[argument].fd = dup(event.fd)) < 0 ? Outcome(-1) : "opened";
  }
  if (step == "close") {
    const long result = close(event.fd);
    events.erase(name);
    return Outcome(result);
  }
  if (step == "id") {
    return ioctl(event.fd, PERF_EVENT_IOC_ID, buffer) < 0 ? Outcome(-1) : NameOf(buffer[0]);
  }
  const unsigned long value = argument == "group" ? PERF_IOC_FLAG_GROUP : 0;
  if (step == "period") return Outcome(ioctl(event.fd, PERF_EVENT_IOC_PERIOD, buffer));
  if (Request(step) == 0) return "no such step";
  return Outcome(ioctl(event.fd, Request(step), value));
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string step;
    if (!(words >> step) || step[0] == '#') continue;
    printf("%s -> %s\n", line.c_str(), Perform(step, words).c_str());
    fflush(stdout);
  }
  return 0;
}

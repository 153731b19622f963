// SPDX-License-Identifier: BSD-3-Clause
#include "machine.h"

#include <atomic>
#include <fstream>
#include <sstream>

namespace vpmu {
namespace {

// Never freed: another thread may still be inside a call.
std::atomic<const Machine*> current{nullptr};
const Machine* newest = nullptr;

using Fields = std::map<std::string, std::string>;

Fields ParseFields(std::istringstream& words) {
  Fields fields;
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals != std::string::npos) fields[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return fields;
}

uint64_t Number(const Fields& fields, const char* key) {
  const auto it = fields.find(key);
  return it == fields.end() ? 0 : std::stoull(it->second, nullptr, 0);
}

template <typename Use>
void ForEachItem(const Fields& fields, const char* key, Use use) {
  const auto it = fields.find(key);
  if (it == fields.end()) return;
  std::istringstream items(it->second);
  for (std::string item; std::getline(items, item, ',');) use(item);
}

Pmu MakePmu(const Fields& fields) {
  Pmu pmu;
  pmu.name = fields.at("name");
  pmu.type = static_cast<uint32_t>(Number(fields, "type"));
  pmu.core = Number(fields, "core") != 0;
  pmu.exact_cpu = Number(fields, "exact_cpu") != 0;
  pmu.counters = static_cast<int>(Number(fields, "counters"));
  pmu.bits[0] = Number(fields, "bits");
  pmu.bits[1] = Number(fields, "bits1");
  pmu.bits[2] = Number(fields, "bits2");
  pmu.ignored = Number(fields, "ignored");
  ForEachItem(fields, "fixed",
              [&](const std::string& item) { pmu.fixed.push_back(std::stoull(item, nullptr, 0)); });
  ForEachItem(fields, "generic", [&](const std::string& item) {
    const size_t colon = item.find(':');
    pmu.generic[std::stoull(item)] = std::stoull(item.substr(colon + 1), nullptr, 0);
  });
  if (const auto it = fields.find("cpus"); it != fields.end()) pmu.cpus = ParseList(it->second);
  return pmu;
}

CpuidLeaf MakeLeaf(const Fields& fields) {
  CpuidLeaf leaf{static_cast<uint32_t>(Number(fields, "leaf")), {}};
  const char* names[] = {"eax", "ebx", "ecx", "edx"};
  for (int i = 0; i < 4; ++i) leaf.registers[i] = static_cast<uint32_t>(Number(fields, names[i]));
  return leaf;
}

}  // namespace

std::vector<int> ParseList(const std::string& text) {
  std::vector<int> list;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const size_t dash = item.find('-');
    const int first = std::stoi(item);
    const int last = dash == std::string::npos ? first : std::stoi(item.substr(dash + 1));
    for (int i = first; i <= last; ++i) list.push_back(i);
  }
  return list;
}

std::unique_ptr<Machine> ReadMachine(const std::string& root) {
  std::ifstream file(root + "/machine");
  if (!file) return nullptr;
  auto machine = std::make_unique<Machine>();
  machine->root = root;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    const Fields fields = ParseFields(words);
    if (kind == "pmu") machine->pmus.push_back(MakePmu(fields));
    if (kind == "cpu") machine->package.push_back(static_cast<int>(Number(fields, "package")));
    if (kind == "cpuid") machine->cpuid.push_back(MakeLeaf(fields));
  }
  std::ifstream(root + "/proc/sys/kernel/perf_event_paranoid") >> machine->paranoid;
  return machine;
}

const Machine* Current() { return current.load(std::memory_order_acquire); }

void SetCurrent(std::unique_ptr<Machine> machine) {
  if (machine != nullptr) machine->before = newest;
  const Machine* next = machine.release();
  if (next != nullptr) newest = next;
  current.store(next, std::memory_order_release);
}

const Pmu* FindPmu(const Machine& machine, uint32_t type) {
  for (const Pmu& pmu : machine.pmus) {
    if (pmu.type == type) return &pmu;
  }
  return nullptr;
}

int PmuNumber(const Machine& machine, const std::string& name) {
  for (size_t i = 0; i < machine.pmus.size(); ++i) {
    if (machine.pmus[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace vpmu

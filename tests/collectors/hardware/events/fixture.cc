// SPDX-License-Identifier: BSD-3-Clause
#include "tests/collectors/hardware/events/fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace roofmark::events {
namespace {

std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

Machine::Machine(const std::string& name) { Unpack(std::string(FIXTURES "/") + name + ".machine"); }

void Machine::Write(const std::string& path, const std::string& content) const {
  const std::string file =
      path.starts_with('/') ? root() + path : root() + "/sys/bus/event_source/devices/" + path;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file) << content << '\n';
}

void Machine::Remove(const std::string& path) const {
  std::filesystem::remove_all(root() + "/sys/bus/event_source/devices/" + path);
}

void Machine::Unpack(const std::string& file) const {
  std::ifstream in(file);
  ASSERT_TRUE(in) << file;
  static const std::regex range("\\{(\\d+)-(\\d+)\\}");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("include ")) {
      Unpack(std::string(FIXTURES "/") + line.substr(8));
      continue;
    }
    const size_t equal = line.find(" = ");
    ASSERT_NE(equal, std::string::npos) << file << ": " << line;
    const std::string path = line.substr(0, equal);
    const std::string content =
        ReplaceAll(ReplaceAll(line.substr(equal + 3), "\\n", "\n"), "\\t", "\t");
    std::smatch found;
    if (!std::regex_search(path, found, range)) {
      Write(path, content);
      continue;
    }
    for (int i = std::stoi(found[1]); i <= std::stoi(found[2]); ++i) {
      const std::string number = std::to_string(i);
      Write(ReplaceAll(found.prefix().str() + number + found.suffix().str(), "$", number),
            ReplaceAll(content, "$", number));
    }
  }
}

// Desktop parts have the server's cores; the one fixture of such a part has their controller.
std::string MachineOf(const CpuModel& cpu) { return cpu.client ? "skx-client" : CpuKey(cpu); }

std::vector<Formula> Find(const EventTable& table, std::string_view name) {
  std::vector<Formula> found;
  for (const Formula& formula : table.formulas) {
    if (QuantityName(formula.quantity) == name) found.push_back(formula);
  }
  return found;
}

std::vector<std::string> Fields(const Formula& formula) {
  std::vector<std::string> fields;
  for (const Term& term : formula.terms) fields.push_back(term.event.fields);
  return fields;
}

}  // namespace roofmark::events

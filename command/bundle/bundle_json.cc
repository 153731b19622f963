// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "command/bundle/bundle.h"

namespace roofmark::cli {
namespace {

using nlohmann::ordered_json;

ordered_json ToJson(const CpuidLeaf& leaf) {
  return {{"leaf", leaf.leaf}, {"subleaf", leaf.subleaf}, {"eax", leaf.eax},
          {"ebx", leaf.ebx},   {"ecx", leaf.ecx},         {"edx", leaf.edx}};
}

// Not what was found: those texts may name files.
ordered_json ToJson(const Finding& finding) {
  const int error = finding.diagnosis.error;
  return {{"id", finding.id},
          {"status", StateName(finding.diagnosis.state)},
          {"errno", error == 0 ? ordered_json(nullptr) : ordered_json(ErrnoName(error))}};
}

ordered_json ToJson(const Check& check) {
  return {{"family", FamilyName(check.family)},
          {"exercise", check.exercise},
          {"metric", check.metric},
          {"known_least", check.known.least},
          {"known_most", check.known.most},
          {"counted", check.counted},
          {"status", StatusName(check.status)},
          {"verdict", VerdictName(check.verdict)}};
}

ordered_json ToJson(const NotTested& each) {
  return {{"metrics", each.metric}, {"status", StatusName(each.status)}};
}

template <typename T>
ordered_json ToList(const std::vector<T>& rows) {
  ordered_json list = ordered_json::array();
  for (const T& row : rows) list.push_back(ToJson(row));
  return list;
}

// Nothing of what a kernel does not do: no news.
std::vector<Check> Telling(const std::vector<Check>& checks) {
  std::vector<Check> telling;
  std::copy_if(checks.begin(), checks.end(), std::back_inserter(telling), [](const Check& check) {
    return check.known.most > 0 || check.verdict != Verdict::kExact;
  });
  return telling;
}

ordered_json ToJson(const std::optional<SelfTest>& test) {
  if (!test) return nullptr;
  return {{"collector", test->collector},
          {"engine", test->engine},
          {"checks", ToList(Telling(test->checks))},
          {"not_tested", ToList(test->not_tested)}};
}

}  // namespace

std::string PlainVersion(const std::string& release) {
  std::string plain = release.substr(0, release.find_first_not_of("0123456789."));
  while (plain.ends_with('.')) plain.pop_back();
  return plain;
}

Result<std::string> BundleJson(const Bundle& bundle) {
  const ordered_json raw = ordered_json::parse(bundle.raw, nullptr, /*allow_exceptions=*/false);
  if (!raw.is_object()) return Error{"the totals of the kernels cannot be read"};
  ordered_json json;
  json["format"] = "roofmark-bundle";
  json["version"] = 1;
  json["roofmark"] = bundle.roofmark;
  json["architecture"] = bundle.architecture;
  json["kernel"] = bundle.kernel;
  json["hypervisor"] = bundle.hypervisor;
  json.update(raw);
  json["cpuid"] = ToList(bundle.cpuid);
  json["files"] = bundle.files.content;
  json["left_out"] = bundle.files.left_out;
  json["findings"] = ToList(bundle.findings);
  json["self_test"] = ToJson(bundle.self_test);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string BundleContents(const Bundle& bundle, const std::string& file, size_t bytes) {
  const ordered_json raw = ordered_json::parse(bundle.raw, nullptr, /*allow_exceptions=*/false);
  const auto count = [&](const char* member) {
    return raw.is_object() && raw.contains(member) ? raw[member].size() : 0;
  };
  std::string text = fmt::format("{} ({} KiB) holds:\n", file, bytes / 1024 + 1);
  const auto line = [&](const char* what, const std::string& content) {
    text += fmt::format("  {:<10}{}\n", what, content);
  };
  line("CPU", fmt::format("{} answers of CPUID; names and features from /proc/cpuinfo",
                          bundle.cpuid.size()));
  line("system", fmt::format("version {} of the Linux kernel, the hypervisor's kind, "
                             "perf_event_paranoid, NMI watchdog",
                             bundle.kernel));
  line("files", fmt::format("{} files of /sys: PMUs, CPUs, caches, memory nodes",
                            bundle.files.content.size()));
  line("doctor", fmt::format("{} findings: a name, a status, an errno", bundle.findings.size()));
  line("events", fmt::format("{} encodings, and whether they open", count("events")));
  line("totals", fmt::format("what these count of {} kernels", count("exercises")));
  line("self-test", fmt::format("{} counts beside the known work",
                                bundle.self_test ? bundle.self_test->checks.size() : 0));
  text +=
      "It holds no name of a host, a user, a file or a process, no address and no serial number.\n"
      "It is text: read it before you give it away. docs/guide.md says how to send it.\n";
  return text;
}

}  // namespace roofmark::cli

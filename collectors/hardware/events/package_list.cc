// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/package_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "collectors/hardware/events/event_text.h"

namespace roofmark::events {
namespace {

constexpr char kSetting[] = "ROOFMARK_PACKAGE_EVENTS";

// Names of events are made of these, and a factor is no name's part.
bool IsOfNames(char c) { return c > ' ' && c <= '~' && c != '*'; }

Error Malformed(std::string_view item, std::string_view what) {
  return {fmt::format("{}: \"{}\" {}", kSetting, item, what)};
}

bool ParseBytes(std::string_view text, double& bytes) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return error == std::errc() && end == text.data() + text.size() && bytes > 0 &&
         bytes <= kMostBytesPerCount;
}

// The number at the end of "...:cpu=7" and "...:cpu7". False: there are digits, but no CPU has such
// a number.
bool SplitCpu(ListedTraffic& traffic) {
  const size_t digits = traffic.name.find_last_not_of("0123456789") + 1;
  if (digits == traffic.name.size() || !TakesCpu(traffic.name.substr(0, digits))) {
    return !TakesCpu(traffic.name);
  }
  uint32_t cpu = 0;
  const char* const last = traffic.name.data() + traffic.name.size();
  const auto [end, error] = std::from_chars(traffic.name.data() + digits, last, cpu);
  if (error != std::errc() || end != last) return false;
  traffic.name.resize(digits);
  traffic.cpu = cpu;
  return true;
}

Result<ListedTraffic> ParseItem(std::string_view item) {
  ListedTraffic traffic;
  const size_t colon = item.rfind(':');
  const std::string_view direction =
      colon == std::string_view::npos ? std::string_view() : item.substr(colon + 1);
  if (direction != "read" && direction != "write") {
    return Malformed(item, "does not say what it counts: end it with :read or :write");
  }
  traffic.write = direction == "write";
  std::string_view name = item.substr(0, colon);
  if (const size_t star = name.rfind('*'); star != std::string_view::npos) {
    if (!ParseBytes(name.substr(star + 1), traffic.bytes)) {
      return Malformed(item,
                       fmt::format("has a factor that is no number of bytes above 0 and up "
                                   "to {:.0e}: write the bytes of one count, as in NAME*64:{}",
                                   kMostBytesPerCount, direction));
    }
    name.remove_suffix(name.size() - star);
  }
  if (name.empty()) {
    return Malformed(item, fmt::format("has no name: write NAME*64:{}", direction));
  }
  if (!std::all_of(name.begin(), name.end(), &IsOfNames)) {
    return Malformed(item, fmt::format("has a character that no name of an event has: write "
                                       "NAME*FACTOR:{}, with an asterisk and without blanks",
                                       direction));
  }
  traffic.text = traffic.name = name;
  if (!SplitCpu(traffic)) {
    return Malformed(item, "has no number of a CPU behind cpu: write one, as in cpu=0");
  }
  return traffic;
}

}  // namespace

Result<std::vector<ListedTraffic>> ParsePackageList(std::string_view list) {
  std::vector<ListedTraffic> all;
  for (const std::string& item : SplitEventList(list)) {
    Result<ListedTraffic> traffic = ParseItem(item);
    if (!traffic) return Error{traffic.error()};
    const bool twice = std::any_of(all.begin(), all.end(), [&](const ListedTraffic& known) {
      return known.text == traffic->text;
    });
    if (twice) return Error{fmt::format("{} names {} twice: remove one", kSetting, traffic->text)};
    all.push_back(std::move(*traffic));
  }
  if (all.empty()) {
    return Error{
        fmt::format("{}=\"{}\" names no event: write NAME*FACTOR:read and "
                    "NAME*FACTOR:write, separated by commas",
                    kSetting, list)};
  }
  if (all.size() > kMostListedTraffic) {
    return Error{
        fmt::format("{} names {} events, but at most {} are possible: leave the others out",
                    kSetting, all.size(), kMostListedTraffic)};
  }
  return all;
}

}  // namespace roofmark::events

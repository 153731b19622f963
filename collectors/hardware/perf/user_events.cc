// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/user_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "collectors/hardware/events/attributes.h"
#include "collectors/hardware/events/generic.h"
#include "collectors/hardware/perf/pack.h"

namespace roofmark::perf {
namespace {

bool IsSoftware(const perf_event_attr& attr) { return attr.type == PERF_TYPE_SOFTWARE; }

// Appends what `packed` has opened; `origin[i]` is the number of its i-th event in `all`.
void Append(const Packed& packed, const std::vector<size_t>& origin, Packed& all) {
  const size_t before = all.set.events();
  for (size_t i = 0; i < origin.size(); ++i) {
    if (packed.number[i]) all.number[origin[i]] = before + *packed.number[i];
    all.refused[origin[i]] = packed.refused[i];
  }
  all.set.groups.insert(all.set.groups.end(), packed.set.groups.begin(), packed.set.groups.end());
}

// Software events need no counters: in groups of their own they never wait for one.
Packed PackApart(const std::vector<perf_event_attr>& attributes, bool with_kernel) {
  Packed all;
  all.set.with_kernel = with_kernel;
  all.number.resize(attributes.size());
  all.refused.resize(attributes.size());
  for (const bool software : {false, true}) {
    std::vector<perf_event_attr> some;
    std::vector<size_t> origin;
    for (size_t i = 0; i < attributes.size(); ++i) {
      if (IsSoftware(attributes[i]) != software) continue;
      some.push_back(attributes[i]);
      origin.push_back(i);
    }
    Append(Pack(some, with_kernel), origin, all);
  }
  return all;
}

Explanation WhyNot(const perf_event_attr& attr, Explanation why, bool with_kernel) {
  if (!with_kernel && why.status == Status::kDenied &&
      events::HappensInKernel(attr.type, attr.config)) {
    why.reason =
        "the event happens in the operating system, which this process may not observe: ask the "
        "administrator to set /proc/sys/kernel/perf_event_paranoid to 1 or to give the program "
        "CAP_PERFMON";
  }
  return why;
}

}  // namespace

std::string WhyNothing(std::vector<OfferedMetric> offered) {
  std::sort(offered.begin(), offered.end(),
            [](const auto& a, const auto& b) { return a.metric < b.metric; });
  std::string text = "none of the events in ROOFMARK_EVENTS can be counted";
  for (const OfferedMetric& offer : offered) {
    text += fmt::format("{} {}: {}", text.find(':') == std::string::npos ? ":" : ";", offer.label,
                        offer.reason);
  }
  return text;
}

UserPlan PlanUserEvents(const std::vector<NamedEvent>& events, bool with_kernel) {
  std::vector<perf_event_attr> attributes;
  const auto number_of = [&](const events::EncodedEvent& event) {
    const perf_event_attr attr = events::Attributes(event);
    const auto same = std::find_if(attributes.begin(), attributes.end(), [&](const auto& known) {
      return events::SameEvent(known, attr);
    });
    if (same != attributes.end()) return static_cast<size_t>(same - attributes.begin());
    attributes.push_back(attr);
    return attributes.size() - 1;
  };
  UserPlan plan;
  for (const NamedEvent& named : events) {
    UserRule rule{named.user, named.text, named.event.unit, Status::kMeasured, "", {}, {}};
    rule.also = named.event.also;
    for (const events::EncodedEvent& event : named.event.events) {
      rule.terms.push_back({number_of(event), named.event.weight});
    }
    plan.rules.push_back(std::move(rule));
  }
  Packed packed = PackApart(attributes, with_kernel);
  for (UserRule& rule : plan.rules) {
    for (threads::WeighedEvent& term : rule.terms) {
      const std::optional<size_t> number = packed.number[term.event];
      if (!number) {
        const Explanation why =
            WhyNot(attributes[term.event], packed.refused[term.event], with_kernel);
        rule.status = why.status;
        rule.reason = why.reason;
        break;
      }
      term.event = *number;
    }
    if (!HasValue(rule.status)) rule.terms.clear();
  }
  plan.set = std::move(packed.set);
  return plan;
}

}  // namespace roofmark::perf

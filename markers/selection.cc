// SPDX-License-Identifier: BSD-3-Clause
#include "markers/selection.h"

#include <algorithm>

#include "lib/profile/region_name.h"

namespace roofmark::markers {

template <typename Decide>
bool Selection::IsIn(std::vector<Decision>& decisions, size_t index, Decide decide) {
  if (decisions.size() <= index) decisions.resize(index + 1);
  Decision& decision = decisions[index];
  if (decision == Decision::kNone) decision = decide() ? Decision::kIn : Decision::kOut;
  return decision == Decision::kIn;
}

bool Selection::LeavesOut(uint32_t name) {
  const std::lock_guard lock(mutex_);
  return !IsIn(of_names_, name, [&] { return !choice_.LeavesOut(names_.Text(name)); });
}

bool Selection::Chooses(uint32_t place) {
  const std::lock_guard lock(mutex_);
  return IsIn(of_places_, place, [&] { return choice_.Chooses(NamesAt(place)); });
}

std::vector<std::string> Selection::NamesAt(uint32_t place) const {
  std::vector<std::string> names;
  while (place != 0) {
    const PathNode node = places_.Get(place);
    names.push_back(names_.Text(node.name));
    place = node.parent;
  }
  std::reverse(names.begin(), names.end());
  return names;
}

Selection::LeftOut Selection::WhatIsLeftOut(size_t most) const {
  const std::lock_guard lock(mutex_);
  LeftOut left_out;
  const auto add = [&](const std::vector<std::string>& names) {
    if (++left_out.count > most) return;
    std::string path = EscapeRegionName(names[0]);
    for (size_t i = 1; i < names.size(); ++i) path = JoinPath(path, names[i]);
    left_out.some.push_back(std::move(path));
  };
  for (uint32_t place = 1; place < of_places_.size(); ++place) {
    if (of_places_[place] == Decision::kOut) add(NamesAt(place));
  }
  for (uint32_t name = 1; name < of_names_.size(); ++name) {
    if (of_names_[name] == Decision::kOut) add({names_.Text(name)});
  }
  return left_out;
}

}  // namespace roofmark::markers

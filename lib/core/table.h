// SPDX-License-Identifier: BSD-3-Clause
//
// Tables whose rows are found by an enumerator. Each row carries its own `id`, and the order is
// checked at compile time, so that a row can be neither forgotten nor exchanged with its neighbour:
//
//   constexpr Named<Colour> kColours[] = {{Colour::kRed, "red"}, {Colour::kBlue, "blue"}};
//   static_assert(InOrder(kColours, Colour::kBlue));
//   std::string_view ColourName(Colour colour) { return RowOf(kColours, colour).name; }
#ifndef ROOFMARK_LIB_CORE_TABLE_H_
#define ROOFMARK_LIB_CORE_TABLE_H_

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace roofmark {

// The row of a table that gives nothing but a name.
template <class Id>
struct Named {
  Id id;
  std::string_view name;
};

// True if row i of `rows` has the id `first` + i. An array that is longer than its list of rows
// fails as well, because the rows that were left out have the id 0.
template <class Rows>
constexpr bool InOrder(const Rows& rows, size_t first = 0) {
  size_t expected = first;
  for (const auto& row : rows) {
    if (static_cast<size_t>(row.id) != expected++) return false;
  }
  return true;
}

// The same from the id 0 to `last`: for an enumeration without a count of its own.
template <class Rows, class Id>
requires(!std::convertible_to<Id, size_t>) constexpr bool InOrder(const Rows& rows, Id last) {
  return std::size(rows) == static_cast<size_t>(last) + 1 && InOrder(rows);
}

// The row of `id` in a table of which InOrder() is true.
template <class Rows, class Id>
constexpr const auto& RowOf(const Rows& rows, Id id) {
  return rows[static_cast<size_t>(id)];
}

// The id of the row that has this `name`. Linear: for files and command lines.
template <class Rows>
constexpr auto FindByName(const Rows& rows, std::string_view name)
    -> std::optional<decltype(std::begin(rows)->id)> {
  for (const auto& row : rows) {
    if (row.name == name) return row.id;
  }
  return std::nullopt;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_TABLE_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of tests that have several factors. A fault of a program nearly always depends on one
// factor or on two of them, so every pair of values of two factors is tried, in as few tests as
// possible. With ROOFMARK_TEST_EXHAUSTIVE in the environment the whole product is tried: `./test -L
// exhaustive`.
#ifndef ROOFMARK_TESTS_SUPPORT_PAIRS_H_
#define ROOFMARK_TESTS_SUPPORT_PAIRS_H_

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace roofmark::test {

inline bool Exhaustive() { return std::getenv("ROOFMARK_TEST_EXHAUSTIVE") != nullptr; }

// An index for each factor.
using Row = std::vector<size_t>;

// All rows, the last factor varying fastest.
inline std::vector<Row> Product(const std::vector<size_t>& sizes) {
  std::vector<Row> rows = {{}};
  for (const size_t size : sizes) {
    std::vector<Row> longer;
    for (const Row& row : rows) {
      for (size_t value = 0; value < size; ++value) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    }
    rows = std::move(longer);
  }
  return rows;
}

// Which value of which factor is beside which value of which later one.
using Pair = std::tuple<size_t, size_t, size_t, size_t>;

inline std::vector<Pair> PairsIn(const Row& row) {
  std::vector<Pair> pairs;
  for (size_t a = 0; a < row.size(); ++a) {
    for (size_t b = a + 1; b < row.size(); ++b) pairs.emplace_back(a, row[a], b, row[b]);
  }
  return pairs;
}

// Some of `rows`, in their order, that have each pair which `rows` have. Always the row that adds
// most, of equal ones the first: the same everywhere.
inline std::vector<Row> Covering(const std::vector<Row>& rows) {
  std::set<Pair> missing;
  for (const Row& row : rows) {
    for (const Pair& pair : PairsIn(row)) missing.insert(pair);
  }
  std::set<size_t> chosen;
  std::map<size_t, size_t> taken;  // by the first value
  while (!missing.empty()) {
    size_t best = 0, most = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      size_t adds = 0;
      for (const Pair& pair : PairsIn(rows[i])) adds += missing.count(pair);
      const bool rarer = adds == most && adds > 0 && taken[rows[i][0]] < taken[rows[best][0]];
      if (adds > most || rarer) best = i, most = adds;
    }
    chosen.insert(best);
    ++taken[rows[best][0]];
    for (const Pair& pair : PairsIn(rows[best])) missing.erase(pair);
  }
  std::vector<Row> covering;
  for (const size_t index : chosen) covering.push_back(rows[index]);
  return covering;
}

// For testing::ValuesIn(): tuples of a value of each factor, so that each pair of values of two
// factors appears for which there is a tuple that is `allowed`. Of two factors that is their
// product. Of three or four with n values each there are at most 1.5 n^2, for n up to 7; n^2 is the
// least possible.
template <typename Allowed, typename... Values>
std::vector<std::tuple<Values...>> PairsWhere(Allowed allowed,
                                              const std::vector<Values>&... factors) {
  const auto at = [&](const Row& row) {
    return [&]<size_t... factor>(std::index_sequence<factor...>) {
      return std::tuple<Values...>(factors[row[factor]]...);
    }
    (std::index_sequence_for<Values...>());
  };
  std::vector<Row> rows;
  for (Row& row : Product({factors.size()...})) {
    if (std::apply(allowed, at(row))) rows.push_back(std::move(row));
  }
  std::vector<std::tuple<Values...>> tuples;
  for (const Row& row : Exhaustive() ? rows : Covering(rows)) tuples.push_back(at(row));
  return tuples;
}

template <typename... Values>
std::vector<std::tuple<Values...>> Pairs(const std::vector<Values>&... factors) {
  return PairsWhere([](const Values&...) { return true; }, factors...);
}

// Of two factors pairs are everything. But where the first one's values are of a few kinds it is
// enough that each kind is beside each value of the second one, and each value beside `least` of
// them. Tuples that are `wanted` are among them. Their order is that of the product.
template <typename KindOf, typename Test, typename A, typename B>
std::vector<std::tuple<A, B>> KindsWhere(KindOf kind_of, Test allowed, Test wanted, size_t least,
                                         const std::vector<A>& first,
                                         const std::vector<B>& second) {
  const size_t n = second.size();
  std::vector<bool> can(first.size() * n), chosen(first.size() * n);
  std::vector<size_t> of_first(first.size()), of_second(n);
  const auto choose = [&](size_t at) {
    chosen[at] = true;
    ++of_first[at / n];
    ++of_second[at % n];
  };
  for (size_t at = 0; at < can.size(); ++at) {
    can[at] = allowed(first[at / n], second[at % n]);
    if (can[at] && (Exhaustive() || wanted(first[at / n], second[at % n]))) choose(at);
  }
  // Each kind beside each value: what is missing goes to the one of the kind that has the fewest.
  for (size_t at = 0; at < can.size(); ++at) {
    size_t best = at;
    bool there = false;
    for (size_t i = 0; i < first.size(); ++i) {
      if (kind_of(first[i]) != kind_of(first[at / n])) continue;
      const size_t other = i * n + at % n;
      there |= chosen[other];
      if (can[other] && (!can[best] || of_first[i] < of_first[best / n])) best = other;
    }
    if (!there && can[best]) choose(best);
  }
  for (size_t i = 0; i < first.size(); ++i) {
    while (of_first[i] < least) {
      size_t best = n;
      for (size_t j = 0; j < n; ++j) {
        if (!can[i * n + j] || chosen[i * n + j]) continue;
        if (best == n || of_second[j] < of_second[best]) best = j;
      }
      if (best == n) break;  // it is beside all that it can be beside
      choose(i * n + best);
    }
  }
  std::vector<std::tuple<A, B>> tuples;
  for (size_t i = 0; i < first.size(); ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (chosen[i * n + j]) tuples.emplace_back(first[i], second[j]);
    }
  }
  return tuples;
}

// The values of an array, as a factor.
template <typename Array>
auto Factor(const Array& values) {
  return std::vector(std::begin(values), std::end(values));
}

inline std::vector<bool> Both() { return {false, true}; }

// Where one value says what all say: that one, and in the exhaustive group all.
template <typename Value>
std::vector<Value> SomeOf(std::vector<Value> some, std::vector<Value> all) {
  return Exhaustive() ? all : some;
}

// Where each of many things is tried with several values: the next one in turn, and in the
// exhaustive group all.
template <typename Value>
std::vector<Value> InTurn(const std::vector<Value>& all, size_t turn) {
  return Exhaustive() || all.empty() ? all : std::vector<Value>(1, all[turn % all.size()]);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_PAIRS_H_

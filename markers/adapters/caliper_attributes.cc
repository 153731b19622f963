// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapters/caliper_attributes.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

cali_id_t cali_function_attr_id = roofmark::adapters::kNoAttribute;
cali_id_t cali_loop_attr_id = roofmark::adapters::kNoAttribute;
cali_id_t cali_statement_attr_id = roofmark::adapters::kNoAttribute;
cali_id_t cali_annotation_attr_id = roofmark::adapters::kNoAttribute;

namespace roofmark::adapters {
namespace {

// cali_attr_properties: stored as a value, hidden, of the whole program, in no hierarchy.
constexpr int kNoRegions = 1 | 128 | 512 | 1024;

// A list that only grows.
std::atomic<const CaliperAttribute*> g_attributes{nullptr};
std::atomic<cali_id_t> g_next_id{1};

constexpr uint64_t Word(const char* text, size_t bytes) {
  uint64_t word = 0;
  if (bytes == sizeof word && !std::is_constant_evaluated()) {
    std::memcpy(&word, text, sizeof word);
    return word;
  }
  for (size_t i = 0; i < bytes; ++i) {
    word |= uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  }
  return word;
}

// By words: it is formed at each call by name. The last word may overlap the one before.
constexpr uint64_t Hash(std::string_view text) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
  constexpr size_t kWord = sizeof(uint64_t);
  if (text.size() <= kWord) return (Word(text.data(), text.size()) + text.size()) * kFactor;
  uint64_t hash = text.size();
  for (size_t at = 0; at + kWord < text.size(); at += kWord) {
    hash = (hash ^ Word(text.data() + at, kWord)) * kFactor;
    hash ^= hash >> 32;
  }
  return (hash ^ Word(text.data() + text.size() - kWord, kWord)) * kFactor;
}
constexpr uint64_t kFunction = Hash("function"), kLoop = Hash("loop"),
                   kStatement = Hash("statement"), kAnnotation = Hash("annotation");

}  // namespace

uint64_t OwnerOf(const char* attribute_name) noexcept { return Hash(attribute_name); }

AttributeUse UseOf(cali_id_t attribute) noexcept {
  if (attribute == cali_function_attr_id) return {kFunction, true};
  if (attribute == cali_loop_attr_id) return {kLoop, true};
  if (attribute == cali_annotation_attr_id) return {kAnnotation, true};
  if (attribute == cali_statement_attr_id) return {kStatement, true};
  const CaliperAttribute* known = FindAttribute(attribute);
  return known == nullptr ? AttributeUse{attribute, true}
                          : AttributeUse{known->owner, known->regions};
}

const CaliperAttribute* FindAttribute(cali_id_t attribute) noexcept {
  const CaliperAttribute* known = g_attributes.load(std::memory_order_acquire);
  while (known != nullptr && known->id != attribute) known = known->next;
  return known;
}

const CaliperAttribute* FindAttribute(const char* name) noexcept {
  const CaliperAttribute* known = g_attributes.load(std::memory_order_acquire);
  while (known != nullptr && std::strcmp(known->name, name) != 0) known = known->next;
  return known;
}

// Two threads may note the same name at once: the numbers of both are good, since both have the
// same owner.
cali_id_t NoteAttribute(const char* name, int properties, cali_id_t id) noexcept {
  if (const CaliperAttribute* known =
          id == kNoAttribute ? FindAttribute(name) : FindAttribute(id)) {
    return known->id;
  }
  auto* attribute = new (std::nothrow) CaliperAttribute;
  char* copy = strdup(name);
  if (attribute == nullptr || copy == nullptr) {
    delete attribute;
    std::free(copy);
    return id;
  }
  if (id == kNoAttribute) id = g_next_id.fetch_add(1, std::memory_order_relaxed);
  *attribute = {id, Hash(name), copy, (properties & kNoRegions) == 0, g_attributes.load()};
  while (!g_attributes.compare_exchange_weak(attribute->next, attribute)) {
  }
  return id;
}

}  // namespace roofmark::adapters

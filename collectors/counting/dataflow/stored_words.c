/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/dataflow/state.h"

/* Neighbouring floats are no dependence: words are as small as they. */
enum { kWordShift = 2, kMostWords = 16, kStoreBuffer = 64 };

static uint32_t place_of(uint64_t word) { return (uint32_t)word % ROOF_FLOW_WORDS; }

static uint64_t first_word(const struct roof_flow_access* access) {
  return (access->address >> kWordShift) + 1;
}
static uint64_t end_word(const struct roof_flow_access* access) {
  const uint64_t end = ((access->address + access->bytes - 1) >> kWordShift) + 2;
  const uint64_t begin = first_word(access);
  return end - begin > kMostWords ? begin + kMostWords : end;
}

void roof_flow_store_words(struct roof_dataflow* flow, const struct roof_flow_access* access,
                           struct roof_moment stored) {
  const uint64_t end = end_word(access);
  ++flow->stores;
  for (uint64_t word = first_word(access); word < end; ++word) {
    const struct roof_flow_word entry = {word, stored, flow->stores};
    flow->word[place_of(word)] = entry;
  }
}

void roof_flow_load_words(const struct roof_dataflow* flow, const struct roof_flow_load* load,
                          const struct roof_flow_access* access, struct roof_loaded* loaded) {
  const uint32_t forward =
      load->to_vector ? flow->latencies.forward_vector : flow->latencies.forward_general;
  const uint64_t end = end_word(access);
  int in_buffer = 1; /* all of it was stored lately: it comes from the store buffer */
  struct roof_moment stored = {0, ROOF_FLOW_NOBODY};
  for (uint64_t word = first_word(access); word < end; ++word) {
    const struct roof_flow_word* entry = &flow->word[place_of(word)];
    const int known = entry->word == word;
    in_buffer = in_buffer && known && flow->stores - entry->number < kStoreBuffer;
    if (known) roof_later(&stored, entry->stored);
  }
  if (in_buffer && loaded->wait == ROOF_WAIT_VALUE && loaded->cycles > forward) {
    loaded->at -= loaded->cycles - forward;
    loaded->cycles = forward;
    loaded->page = 0;
    loaded->cause = ROOF_FLOW_FORWARD;
  }
  if (stored.by == ROOF_FLOW_NOBODY || stored.at + forward < loaded->at) return;
  loaded->at = stored.at + forward;
  loaded->cycles = forward;
  loaded->page = 0;
  loaded->before = stored.by;
  loaded->wait = ROOF_WAIT_VALUE;
  loaded->cause = ROOF_FLOW_FORWARD;
}

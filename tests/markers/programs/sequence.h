// SPDX-License-Identifier: BSD-3-Clause
//
// Sequences of markers that nobody would write, drawn from a seed: what programs/sequences.cc
// executes, and what the test expects of it. Rounds alternate: first the main thread acts alone,
// then all workers act at once. Of even seeds the main thread pauses the recording, too.
#ifndef ROOFMARK_TESTS_MARKERS_PROGRAMS_SEQUENCE_H_
#define ROOFMARK_TESTS_MARKERS_PROGRAMS_SEQUENCE_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace roofmark::test {

enum class Act : uint8_t {
  kBegin,       // a literal's marker
  kBeginNamed,  // of a name made at run time
  kEnd,
  kEndNamed,
  kWork,
  kOperations,
  kPause,
  kResume,
};

struct Step {
  Act act;
  uint32_t name;    // of kNames
  uint64_t amount;  // of declared work
};

inline constexpr const char* kNames[] = {"a", "b", "c/d", "e"};
inline constexpr size_t kNameCount = 4;
inline constexpr uint32_t kWorkers = 3, kRounds = 6, kSteps = 2000;
inline constexpr const char* kHandlerName = "handler";  // a region of signal handlers
inline constexpr uint64_t kHandlerBytes = 16;           // that each visit of it declares
inline constexpr uint64_t kHandlerCalls = 3;            // of markers, for each signal

using Steps = std::vector<Step>;

struct Sequence {
  std::vector<Steps> main;                  // by round
  std::vector<std::vector<Steps>> workers;  // by worker and round
};

// The steps of one thread. Most ends are those of the region that was begun last.
class Draw {
 public:
  explicit Draw(bool pauses) : choices_(pauses ? 19 : 18) {}

  Step operator()(std::mt19937& random) {
    const auto below = [&random](uint32_t end) { return static_cast<uint32_t>(random() % end); };
    const uint32_t choice = below(choices_), amount = below(1000);
    uint32_t name = below(kNameCount);
    // Ends are a little more likely than begins, so that stacks stay low.
    const Act act = choice < 4        ? Act::kBegin
                    : choice < 7      ? Act::kBeginNamed
                    : choice < 11     ? Act::kEnd
                    : choice < 15     ? Act::kEndNamed
                    : choice < 17     ? Act::kWork
                    : choice < 18     ? Act::kOperations
                    : amount % 4 == 0 ? Act::kPause  // so that recording is seldom paused
                                      : Act::kResume;
    if (act == Act::kBegin || act == Act::kBeginNamed) begun_.push_back(name);
    const bool matches = below(10) < 8;
    if ((act == Act::kEnd || act == Act::kEndNamed) && matches && !begun_.empty()) {
      name = begun_.back();
      begun_.pop_back();
    }
    return {act, name, amount};
  }

 private:
  const uint32_t choices_;
  std::vector<uint32_t> begun_;
};

inline Sequence SequenceOf(uint32_t seed) {
  std::mt19937 random(seed);
  const auto steps = [&random](Draw& draw) {
    Steps drawn;
    for (uint32_t i = 0; i < kSteps; ++i) drawn.push_back(draw(random));
    return drawn;
  };
  Sequence sequence;
  sequence.workers.resize(kWorkers);
  Draw main(seed % 2 == 0);
  std::vector<Draw> workers(kWorkers, Draw(false));
  for (uint32_t round = 0; round < kRounds; ++round) {
    sequence.main.push_back(steps(main));
    for (uint32_t worker = 0; worker < kWorkers; ++worker) {
      sequence.workers[worker].push_back(steps(workers[worker]));
    }
  }
  return sequence;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_PROGRAMS_SEQUENCE_H_

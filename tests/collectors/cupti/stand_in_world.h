// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of the stand-in share: its state, and how calls of it begin.
#ifndef ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_WORLD_H_
#define ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_WORLD_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/cupti/stand_in.h"

namespace stand_in {

namespace cupti = roofmark::cupti;

// A kernel or a copy.
struct Activity {
  int kind;
  uint8_t copy_kind;
  uint32_t context;
  uint64_t bytes, start, end;
};

}  // namespace stand_in

namespace roofmark::cupti {
struct ContextRecord {
  int device = 0;
  uint32_t id = 0;
  bool alive = true, known = false;  // known: somebody asked for its id
  std::map<std::string, uint64_t> queued;
  std::vector<stand_in::Activity> activities;  // of what is queued
};
struct SubscriberRecord {};
struct HostObjectRecord {
  std::vector<std::string> metrics;
};
struct RangeObjectRecord {
  ContextRecord* context = nullptr;
  bool started = false;
  size_t most = 0;
  uint8_t* image = nullptr;
  std::vector<std::string> stack;
  std::vector<std::pair<std::string, std::map<std::string, uint64_t>>> ranges;
};
}  // namespace roofmark::cupti

namespace stand_in {

struct World {
  Script script;
  std::vector<std::unique_ptr<cupti::ContextRecord>> contexts;
  std::map<std::string, int> calls;
  std::vector<cupti::Context> current;
  cupti::SubscriberRecord subscriber;
  cupti::Callback callback = nullptr;
  void* user = nullptr;
  bool created = false, destroyed = false;
  int open = 0;
  std::string misuse;
  cupti::BufferRequest request = nullptr;
  cupti::BufferCompleted completed = nullptr;
  std::set<int> activities;        // kinds that are enabled
  std::vector<Activity> executed;  // of these, in no buffer yet
  uint64_t now = 1000000000;       // ns
  // What was decoded into an image.
  std::map<const uint8_t*, decltype(cupti::RangeObjectRecord::ranges)> images;
};

inline World& TheWorld() {
  static World* world = new World;
  return *world;
}

// The result of this call.
inline int Called(const char* function) {
  World& world = TheWorld();
  const int n = ++world.calls[function];
  const auto failure = world.script.failures.find(function);
  if (failure == world.script.failures.end()) return cupti::kSuccess;
  const auto from = world.script.failures_from.find(function);
  return n >= (from == world.script.failures_from.end() ? 1 : from->second) ? failure->second
                                                                            : cupti::kSuccess;
}

inline int Misused(const char* what) {
  if (TheWorld().misuse.empty()) TheWorld().misuse = what;
  return cupti::kInvalidOperation;
}

// Kernels and copies of the context that wait end now.
void ExecuteActivities(cupti::Context context);

}  // namespace stand_in

#define CALLED(function) \
  if (const int result = stand_in::Called(#function); result != 0) return result
#define API extern "C" STAND_IN_EXPORT int

#endif  // ROOFMARK_TESTS_COLLECTORS_CUPTI_STAND_IN_WORLD_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// Random programs: translated they end with the registers, flags and memory that native code ends
// with. ROOFMARK_TEST_BLOCKS=10000000 tries as many blocks, 20000 at most with
// ROOFMARK_GATES=short; ROOFMARK_TEST_SEED begins elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tests/collectors/counting/native/programs.h"
#include "tests/support/gates.h"

namespace roofmark {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

uint64_t MostBlocks() {
  const uint64_t most = FromEnvironment("ROOFMARK_TEST_BLOCKS", 10000);
  return test::ShortGates() ? std::min<uint64_t>(most, 20000) : most;
}

// What an x87 instruction leaves of its own address, and which parts of the state are as they were
// at power-on, is not compared.
void Forget(MachineState* state) {
  std::memset(&state->vectors[6], 0, 18);
  std::memset(&state->vectors[28], 0, 4);
  std::memset(&state->vectors[416], 0, 96);
  std::memset(&state->vectors[512], 0, 64);
}

std::string Difference(const MachineState& a, const MachineState& b) {
  for (int i = 0; i < 16; ++i)
    if (a.general[i] != b.general[i])
      return "general register " + std::to_string(i) + ": " + std::to_string(a.general[i]) + " " +
             std::to_string(b.general[i]);
  if (a.flags != b.flags) return "flags " + std::to_string(a.flags) + " " + std::to_string(b.flags);
  for (size_t i = 0; i < a.vectors.size(); ++i)
    if (a.vectors[i] != b.vectors[i]) return "vector state, byte " + std::to_string(i);
  return "";
}

// In turns: half of the time code is executed that writes no trail, as it is between bursts.
// Noted: blocks are told apart by their place, with no trail.
enum class Trails { kNotWritten, kWritten, kInTurns, kNoted };

class Turns {
 public:
  explicit Turns(Translator& translator)
      : room_(translator.area()->room), trail_(translator.area()->room->trail) {
    roof_native_guide guide = {};
    guide.cookie = this;
    guide.arrive = [](void* turns, roof_native_area* area, uint32_t, uint64_t) {
      const uint64_t arrival = static_cast<Turns*>(turns)->arrivals_++;
      if (arrival % 2 == 0) area->version ^= ROOF_NATIVE_QUIET;
      area->rounds = 1 + arrival % 5;  // they pause soon
      return area;
    };
    guide.full = [](void*, roof_native_area*) { return 1; };
    roof_native_set_guide(translator.native(), &guide);
    // Not only where programs arrive at code that they do not know: the trail is soon full.
    room_->trail += (ROOF_TRAIL_BYTES - kRoom) / sizeof(uint64_t);
    translator.area()->position = room_->trail;
  }
  ~Turns() { room_->trail = trail_; }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

 private:
  static constexpr size_t kRoom = 200;  // bytes
  uint64_t arrivals_ = 0;
  roof_native_room* room_;
  uint64_t* trail_;
};

class NativeRandom : public testing::TestWithParam<Trails> {};

TEST_P(NativeRandom, TranslatedProgramsEndAsNativeOnes) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  const uint64_t most = MostBlocks();
  const uint64_t seed = FromEnvironment("ROOFMARK_TEST_SEED", 1);
  const Arena arena;
  Programs programs(arena, seed);
  uint64_t blocks = 0, faults = 0, tried = 0, left = 0;
  std::vector<uint8_t> data(Arena::kBytes);
  while (blocks < most) {
    Records records;
    const bool trails = GetParam() == Trails::kWritten || GetParam() == Trails::kInTurns;
    Translator translator(arena, 1 << 21, trails ? &records : nullptr, /*in_pieces=*/false,
                          GetParam() == Trails::kNoted);
    std::optional<Turns> turns;
    if (GetParam() == Trails::kInTurns) turns.emplace(translator);
    const auto made = static_cast<uint64_t>(programs.Make());
    const uint64_t start = ++tried;
    MachineState native = programs.Start(start);
    if (!RunNatively(&native, arena.code())) {
      ++faults;
      continue;
    }
    std::memcpy(data.data(), arena.data(), data.size());
    MachineState translated = programs.Start(start);
    ASSERT_TRUE(RunTranslated(translator.area(), &translated, arena.code())) << programs.Text();
    Forget(&native);
    Forget(&translated);
    ASSERT_EQ(Difference(native, translated), "") << tried << ": " << programs.Text();
    ASSERT_EQ(std::memcmp(data.data(), arena.data(), data.size()), 0) << programs.Text();
    // Where no fault ends them (vmcall on Intel's CPUs in a virtual machine), programs go on
    // natively.
    const uint64_t* exits = translator.area()->exits;
    ASSERT_EQ(exits[ROOF_LEAVE_STOP] + exits[ROOF_LEAVE_CONTROL], 1u) << programs.Text();
    left += exits[ROOF_LEAVE_CONTROL];
    blocks += made;
  }
  EXPECT_LT(faults, tried / 10);
  EXPECT_LT(left, tried / 50);
  RecordProperty("blocks", std::to_string(blocks));
}

std::string NameOf(const testing::TestParamInfo<Trails>& test) {
  constexpr const char* kNames[] = {"NotWritten", "Written", "InTurns", "Noted"};
  return kNames[static_cast<size_t>(test.param)];
}

INSTANTIATE_TEST_SUITE_P(Trails, NativeRandom,
                         testing::Values(Trails::kNotWritten, Trails::kWritten, Trails::kInTurns,
                                         Trails::kNoted),
                         NameOf);

}  // namespace
}  // namespace roofmark

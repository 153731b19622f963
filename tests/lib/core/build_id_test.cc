// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/build_id.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace roofmark {
namespace {

struct Note {
  uint32_t type;
  std::string name;  // with its zero
  std::string content;
};
std::string IdIn(const std::vector<Note>& notes, size_t cut = 0) {
  std::string bytes;
  for (const Note& note : notes) {
    const uint32_t header[3] = {static_cast<uint32_t>(note.name.size()),
                                static_cast<uint32_t>(note.content.size()), note.type};
    bytes.append(reinterpret_cast<const char*>(header), sizeof header);
    for (const std::string& part : {note.name, note.content}) {
      bytes += part;
      bytes.append((4 - part.size() % 4) % 4, '\0');
    }
  }
  return Hexadecimal(FindBuildId({bytes.data(), bytes.size() - cut}));
}

TEST(BuildId, StandsInANoteOfGnu) {
  const std::string gnu = {'G', 'N', 'U', '\0'}, other = {'X', 'Y', 'Z', '\0'};
  const Note id{NT_GNU_BUILD_ID, gnu, "\x01\xab\xff"};
  EXPECT_EQ(IdIn({id}), "01abff");
  EXPECT_EQ(IdIn({{NT_GNU_ABI_TAG, gnu, "12345"}, {NT_GNU_BUILD_ID, other, "z"}, id}), "01abff");
  EXPECT_EQ(IdIn({}), "");
  EXPECT_EQ(IdIn({{NT_GNU_BUILD_ID, gnu, std::string(65, 'x')}}), "") << "longer than any";
}

TEST(BuildId, NotesThatAreCutOrLieGiveNone) {
  const std::string gnu = {'G', 'N', 'U', '\0'};
  const Note id{NT_GNU_BUILD_ID, gnu, "12345678"};
  for (size_t cut = 1; cut <= 8 + 4 + 12; ++cut) EXPECT_EQ(IdIn({id}, cut), "") << cut;
  const uint32_t huge[4] = {UINT32_MAX, UINT32_MAX, NT_GNU_BUILD_ID, 0};
  EXPECT_EQ(Hexadecimal(FindBuildId({reinterpret_cast<const char*>(huge), sizeof huge})), "");
}

}  // namespace
}  // namespace roofmark

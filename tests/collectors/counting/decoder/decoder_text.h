// SPDX-License-Identifier: BSD-3-Clause
//
// The decoder's answer as text: "dp.256.fma=8", "other", "branch" ..., joined by spaces.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_DECODER_TEXT_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_DECODER_TEXT_H_

#include <string>
#include <vector>

#include "collectors/counting/decoder/decoder.h"
#include "collectors/counting/schema.h"

namespace roofmark {

inline std::string FlopText(unsigned precision, unsigned width, unsigned kind,
                            unsigned operations) {
  static const char* const kPrecision[] = {"dp", "sp", "hp"};
  static const char* const kWidth[] = {"scalar", "128", "256", "512"};
  static const char* const kKind[] = {"add", "mul", "fma", "div", "sqrt"};
  return std::string(kPrecision[precision]) + "." + kWidth[width] + "." + kKind[kind] + "=" +
         std::to_string(operations);
}

inline void Append(std::string* text, const std::string& word) {
  if (!text->empty()) *text += " ";
  *text += word;
}

inline std::string ClassText(const roof_class& c) {
  static const char* const kFlags[] = {"other",           "transcendental", "branch", "nt-store",
                                       "repeated-string", "avx512",         "gather"};
  constexpr unsigned kPerPrecision = ROOF_C_FLOPS(1, 0, 0);
  std::string text;
  for (int i = 0; i < c.terms; ++i) {
    unsigned counter = c.term[i].counter;
    if (counter == ROOF_C_BF16_FLOPS) {
      Append(&text, "bf16=" + std::to_string(c.term[i].operations));
      continue;
    }
    if (counter == ROOF_C_VNNI_OPERATIONS) {
      Append(&text, "vnni=" + std::to_string(c.term[i].operations));
      continue;
    }
    Append(&text, FlopText(counter / kPerPrecision, counter % kPerPrecision / ROOF_KINDS,
                           counter % ROOF_KINDS, c.term[i].operations));
  }
  for (int i = 0; i < 7; ++i)
    if ((c.flags >> i) & 1) Append(&text, kFlags[i]);
  return text;
}

inline std::string DecodedText(const std::vector<uint8_t>& bytes) {
  roof_instruction instruction;
  roof_class meaning;
  if (!roof_decode(bytes.data(), static_cast<unsigned>(bytes.size()), &instruction))
    return "too short";
  roof_classify(&instruction, &meaning);
  return ClassText(meaning);
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_DECODER_TEXT_H_

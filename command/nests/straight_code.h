// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_NESTS_STRAIGHT_CODE_H_
#define ROOFMARK_COMMAND_NESTS_STRAIGHT_CODE_H_

#include <cstdint>
#include <map>
#include <optional>

#include "command/nests/code.h"
#include "lib/binary/binary.h"
#include "lib/found/executed.h"

namespace roofmark::cli {

// What functions execute outside of their loops. Files of modules are read when they are asked for.
class StraightCode {
 public:
  // Both must outlive it; `code` is FindCode() of `executed`.
  StraightCode(const Executed& executed, const FoundCode& code)
      : executed_(executed), code_(code) {}

  // Whether there is floating-point arithmetic in it, parts of the function and bodies of its
  // OpenMP constructs included. No where this build cannot read instructions.
  bool Computes(uint32_t module, uint32_t function);

 private:
  bool ComputesIn(uint32_t module, const binary::Binary& binary,
                  const binary::Function& part) const;

  const Executed& executed_;
  const FoundCode& code_;
  std::map<uint32_t, std::optional<binary::Binary>> binaries_;  // by module; nothing: unreadable
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_NESTS_STRAIGHT_CODE_H_

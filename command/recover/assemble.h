// SPDX-License-Identifier: BSD-3-Clause
//
// One roofline file from what dead processes left and the parts that others wrote.
#ifndef ROOFMARK_COMMAND_RECOVER_ASSEMBLE_H_
#define ROOFMARK_COMMAND_RECOVER_ASSEMBLE_H_

#include <string>
#include <vector>

#include "command/recover/collect.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

struct Assembled {
  RooflineFile file;
  std::vector<std::string> parts;  // files that were taken in
  std::vector<std::string> notes;  // sentences
};

// `part_places` are directories that parts ("NAME.part3.json") of the same job are looked for in. A
// rank that wrote its part is not taken from its spool as well. `collected` must hold a spool.
// Notes of both become warnings of the file, and so does every region that was not finished.
Assembled Assemble(const Collected& collected, const std::vector<std::string>& part_places);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_ASSEMBLE_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// What `--help` says of each subcommand, as plain data: manual pages and the completion of shells
// are made of it.
#ifndef ROOFMARK_COMMAND_MANUAL_PAGE_H_
#define ROOFMARK_COMMAND_MANUAL_PAGE_H_

#include <string>
#include <vector>

namespace roofmark::cli {

struct OptionPage {
  std::vector<std::string> names;  // "-o", "--output"; for a positional argument "FILE"
  bool positional = false;
  bool required = false;
  bool repeated = false;           // takes more than one value
  bool optional_value = false;     // --adapters, or --adapters=LIST
  std::string value;               // what help calls it; empty: it takes none
  std::vector<std::string> words;  // the only values there are; empty: any
  std::string text;
};

struct CommandPage {
  std::string name;   // empty: `roofmark` itself
  std::string about;  // lines that begin with blanks are examples
  std::vector<OptionPage> options;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MANUAL_PAGE_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// Children whose output is read: this command once more, because what the engine or a kernel may
// bring down must not take the doctor along; and other programs.
#ifndef ROOFMARK_COMMAND_OWN_CHILD_H_
#define ROOFMARK_COMMAND_OWN_CHILD_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofmark::cli {

struct ChildOutput {
  int status = -1;  // as a shell gives it; -1: see error
  std::string out, err;
  std::string error;  // it could not be started, or took too long: a sentence
};

// `environment` is added to this process's; variables of roofmark's own settings are removed first.
ChildOutput RunOwnChild(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment, int seconds);

// A program with its arguments, found by PATH where its name has no slash. `input` is what it reads
// from its standard input.
ChildOutput RunForOutput(std::vector<std::string> words, std::string_view input, int seconds);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_OWN_CHILD_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of `roofmark`. Commands declare here what they take; options.cc alone includes
// the parser (CLI11), which costs more to compile than any command. Handles are cheap copies and
// are valid as long as the CommandLine; targets must outlive its Parse.
#ifndef ROOFMARK_COMMAND_OPTIONS_H_
#define ROOFMARK_COMMAND_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/manual/page.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace roofmark::cli {

inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

// One option or positional argument. Each function restricts it further and returns the same one.
// Other options are named as declared ("--force").
class Option {
 public:
  explicit Option(CLI::Option* option, bool whole = false) : option_(option), whole_(whole) {}

  Option Required() const;
  Option OneOf(const std::vector<std::string>& words) const;  // help lists them: a|b|c
  Option Within(double least, double most) const;
  Option ExistingDirectory() const;
  Option Excludes(const std::string& other) const;
  Option Needs(const std::string& other) const;
  Option Takes(int least, int most) const;  // how many values follow one use
  Option OneEachTime() const;               // repeated for more; what follows is no value of it
  Option Shown(const std::string& value) const;  // what help calls the value
  Option Hidden() const;                         // not in help

  bool given() const;  // after Parse

 private:
  CLI::Option* option_;
  bool whole_;  // its value is a whole number
};

// How a file that a command writes is named, and what happens to one that is there.
struct OutputKind {
  std::string_view extension;   // "svg": a name for another kind of file is refused; empty: any
  const bool* force = nullptr;  // the command's --force, if it has one
  bool checks_itself = false;   // it has its own rule for a file that is there
  // Why such a file cannot be made here, as a sentence with the cure; empty: it can.
  std::string (*why_not)() = nullptr;
};

// One subcommand. `names` is "-o,--output" or, for a positional argument, "FILE".
class Command {
 public:
  explicit Command(CLI::App* app, int* status)
      : app_(app), status_(status), outputs_(std::make_shared<Outputs>()) {}

  Option Flag(const std::string& names, bool& target, const std::string& doc = "") const;
  Option Value(const std::string& names, std::string& target, const std::string& doc) const;
  Option Value(const std::string& names, uint32_t& target, const std::string& doc) const;
  Option Value(const std::string& names, uint64_t& target, const std::string& doc) const;
  Option Value(const std::string& names, double& target, const std::string& doc) const;
  Option Value(const std::string& names, std::vector<std::string>& target,
               const std::string& doc) const;

  // A file that the command writes; "-" is standard output. Runs refuses one that exists or cannot
  // be written before the work is done.
  Option Output(const std::string& names, std::string& target, const std::string& doc,
                const OutputKind& kind) const;

  // A text that `read` takes, or says why it cannot, as a clause.
  enum class Given { kOnce, kRepeatedly };
  Option Read(const std::string& names, const std::string& doc,
              const std::function<std::string(const std::string&)>& read,
              Given given = Given::kOnce) const;

  // A flag that takes a value after `=` only; without one it is `otherwise`.
  Option FlagOrValue(const std::string& name, const std::string& otherwise, std::string& target,
                     const std::string& doc) const;

  // The value that belongs to the word given.
  template <typename T>
  Option Choice(const std::string& names, T& target,
                const std::vector<std::pair<std::string, T>>& choices,
                const std::string& doc) const {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    return Word(names, doc, words, [&target, choices](const std::string& given) {
      for (const auto& [word, value] : choices) {
        if (word == given) target = value;
      }
    });
  }

  // Everything after the first positional argument belongs to it, even what looks like an option.
  void PositionalsAtEnd() const;
  void Hidden() const;  // not in help
  // Called when the subcommand was chosen and its arguments are right; returns the exit status.
  void Runs(std::function<int()> run) const;

 private:
  Option Word(const std::string& names, const std::string& doc,
              const std::vector<std::string>& words,
              const std::function<void(const std::string&)>& take) const;

  struct Declared {
    const std::string* file;
    const bool* force;
    std::string (*why_not)();
  };
  static bool CanMake(const Declared& output);
  using Outputs = std::vector<Declared>;

  CLI::App* app_;
  int* status_;
  std::shared_ptr<Outputs> outputs_;
};

class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command Add(const std::string& name, const std::string& about);
  // Runs the chosen subcommand. The exit status: what it returned, or kUsage after saying what is
  // wrong with the arguments.
  int Parse(int argc, const char* const* argv);
  // What help says, without what is hidden: `roofmark` itself, then its subcommands.
  std::vector<CommandPage> Pages() const;
  std::string Version() const;

 private:
  std::unique_ptr<CLI::App> app_;
  int status_ = 0;
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_OPTIONS_H_

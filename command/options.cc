// SPDX-License-Identifier: BSD-3-Clause
#include "command/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "command/output.h"

// Checks carry no description: help would print it behind the value's name.
namespace roofmark::cli {
namespace {

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// A positional argument is its own name for its value: help does not add a type to it.
template <typename T>
Option AddValue(CLI::App& app, const std::string& names, T& target, const std::string& doc) {
  CLI::Option* option = app.add_option(names, target, doc);
  if (names[0] != '-') option->type_name("");
  return Option(option);
}

}  // namespace

Option Option::Required() const {
  option_->required();
  return *this;
}

Option Option::OneOf(const std::vector<std::string>& words) const {
  option_->type_name(Joined(words, "|"));
  option_->check(CLI::Validator(
      [words](std::string& given) {
        const bool known = std::find(words.begin(), words.end(), given) != words.end();
        return known ? "" : given + " is not one of " + Joined(words, ", ");
      },
      ""));
  return *this;
}

Option Option::Within(double least, double most) const {
  option_->check(CLI::Validator(
      [least, most](std::string& given) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(given, value);
        if (number && value >= least && value <= most) return std::string();
        return fmt::format("{} is not a number from {:g} to {:g}", given, least, most);
      },
      ""));
  return *this;
}

Option Option::ExistingDirectory() const {
  option_->check(CLI::Validator(CLI::ExistingDirectory).description(""))->type_name("DIR");
  return *this;
}

Option Option::Excludes(const std::string& other) const {
  option_->excludes(other);
  return *this;
}

Option Option::Needs(const std::string& other) const {
  option_->needs(other);
  return *this;
}

Option Option::Takes(int least, int most) const {
  option_->expected(least, most);
  return *this;
}

Option Option::OneEachTime() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::Shown(const std::string& value) const {
  option_->type_name(value);
  return *this;
}

Option Option::Hidden() const {
  option_->group("");
  return *this;
}

bool Option::given() const { return option_->count() > 0; }

Option Command::Flag(const std::string& names, bool& target, const std::string& doc) const {
  return Option(app_->add_flag(names, target, doc));
}

Option Command::FlagOrValue(const std::string& name, const std::string& otherwise,
                            std::string& target, const std::string& doc) const {
  return Option(app_->add_flag(name + "{" + otherwise + "}", target, doc));
}

Option Command::Value(const std::string& names, std::string& target, const std::string& doc) const {
  return AddValue(*app_, names, target, doc);
}

Option Command::Value(const std::string& names, uint32_t& target, const std::string& doc) const {
  return AddValue(*app_, names, target, doc);
}

Option Command::Value(const std::string& names, uint64_t& target, const std::string& doc) const {
  return AddValue(*app_, names, target, doc);
}

Option Command::Value(const std::string& names, double& target, const std::string& doc) const {
  return AddValue(*app_, names, target, doc);
}

Option Command::Value(const std::string& names, std::vector<std::string>& target,
                      const std::string& doc) const {
  return AddValue(*app_, names, target, doc);
}

Option Command::Word(const std::string& names, const std::string& doc,
                     const std::vector<std::string>& words,
                     const std::function<void(const std::string&)>& take) const {
  const Option option(app_->add_option_function<std::string>(names, take, doc));
  return option.OneOf(words);
}

void Command::PositionalsAtEnd() const { app_->positionals_at_end(); }

void Command::Runs(std::function<int()> run) const {
  app_->callback([run = std::move(run), status = status_] { *status = run(); });
}

CommandLine::CommandLine(const std::string& about, const std::string& version)
    : app_(std::make_unique<CLI::App>(about)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->failure_message(CLI::FailureMessage::simple);
}

CommandLine::~CommandLine() = default;

Command CommandLine::Add(const std::string& name, const std::string& about) {
  return Command(app_->add_subcommand(name, about), &status_);
}

int CommandLine::Parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, wrong;
    const int status = app_->exit(error, help, wrong);
    Print(help.str());
    std::string sentences = wrong.str();
    sentences.erase(sentences.find_last_not_of('\n') + 1);
    if (!sentences.empty()) Say(sentences);
    return status == 0 ? 0 : kUsage;
  }
  return status_;
}

}  // namespace roofmark::cli

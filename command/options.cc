// SPDX-License-Identifier: BSD-3-Clause
#include "command/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <type_traits>

#include "command/output.h"
#include "command/output_files.h"
#include "lib/core/nearest.h"

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
  return Option(option, std::is_integral_v<T>);
}

// `--output "$OUT"` without an OUT: not as if the option were not there.
std::string WhyEmpty(const std::string& given) {
  return given.empty() ? "its value is empty; give one, or leave the option out" : "";
}

template <typename T>
Option AddText(CLI::App& app, const std::string& names, T& target, const std::string& doc) {
  const Option option = AddValue(app, names, target, doc);
  if (names[0] == '-') app.get_option(names.substr(0, names.find(',')))->check(&WhyEmpty);
  return option;
}

std::vector<std::string_view> OptionsOf(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> CommandsOf(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  }
  return names;
}

// `roofmark help` and `roofmark help report` as `--help` and `report --help`.
std::vector<std::string> WithoutHelpCommand(std::vector<std::string> words, const CLI::App& app) {
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  if (words.empty()) return {"--help"};
  const std::vector<std::string_view> known = CommandsOf(app);
  const bool is_known = std::find(known.begin(), known.end(), words[0]) != known.end();
  words.resize(1);
  if (is_known) words.emplace_back("--help");
  return words;
}

std::string MeantBy(const std::string& dashes, std::string_view near, const std::string& of) {
  return near.empty() ? fmt::format("`{} --help` lists them", of)
                      : fmt::format("did you mean {}{}?", dashes, near);
}

// The first word that names no command and no option, in one sentence; empty: there is none.
std::string Unknown(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& last = chosen.empty() ? app : *chosen.front();
  const std::string of = chosen.empty() ? "roofmark" : "roofmark " + last.get_name();
  for (const std::string& each : last.remaining()) {
    if (each == "--") continue;
    const std::string word = each.substr(0, each.find('='));
    const size_t dashes = std::min(word.find_first_not_of('-'), word.size());
    if (dashes > 0) {
      const std::string_view near = NearestWord(word.substr(dashes), OptionsOf(last));
      return fmt::format("`{}` has no option {}: {}", of, word, MeantBy("--", near, of));
    }
    if (!chosen.empty()) {
      return fmt::format("`{0}` takes no {1}: `{0} --help` says what it takes", of, each);
    }
    const std::string_view near = NearestWord(each, CommandsOf(app));
    return fmt::format("there is no command {}: {}", each, MeantBy("", near, of));
  }
  return chosen.empty() ? "name a command: `roofmark --help` lists them" : "";
}

// "a|b|c", where each is a word to be typed and not the name of a value.
std::vector<std::string> Words(const std::string& shown) {
  if (shown.find('|') == std::string::npos) return {};
  std::vector<std::string> words = CLI::detail::split(shown, '|');
  const auto is_name = [](const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  };
  return std::any_of(words.begin(), words.end(), is_name) ? std::vector<std::string>() : words;
}

OptionPage PageOf(const CLI::Option& option) {
  OptionPage page;
  for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
  page.positional = page.names.empty();
  if (page.positional) page.names.push_back(option.get_name(true));
  page.required = option.get_required();
  page.repeated = option.get_expected_max() > 1;
  // A flag with a value after `=` alone names what it is without.
  page.optional_value = option.get_expected_min() == 0 && !option.get_fnames().empty();
  if (page.optional_value) {
    page.value = "LIST";
  } else if (option.get_items_expected_max() > 0) {
    page.value = option.get_type_name();
  }
  page.words = Words(page.value);
  page.text = option.get_description();
  return page;
}

CommandPage PageOf(const CLI::App& app, const std::string& name) {
  CommandPage page{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) page.options.push_back(PageOf(*option));
  }
  return page;
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
      [least, most, whole = whole_](std::string& given) {
        double value = 0;
        uint64_t digits = 0;
        const bool number = CLI::detail::lexical_cast(given, value) &&
                            (!whole || CLI::detail::lexical_cast(given, digits));
        if (number && value >= least && value <= most) return std::string();
        return fmt::format("{} is not a {}number from {:g} to {:g}",
                           given.empty() ? "an empty text" : given, whole ? "whole " : "", least,
                           most);
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
  return AddText(*app_, names, target, doc);
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
  return AddText(*app_, names, target, doc);
}

Option Command::Output(const std::string& names, std::string& target, const std::string& doc,
                       const OutputKind& kind) const {
  const Option option = AddText(*app_, names, target, doc).Shown("FILE");
  if (!kind.checks_itself) outputs_->push_back({&target, kind.force, kind.why_not});
  if (kind.extension.empty()) return option;
  app_->get_option(names.substr(0, names.find(',')))
      ->check([extension = kind.extension](const std::string& given) {
        return WhyMisnamed(given, extension);
      });
  return option;
}

Option Command::Read(const std::string& names, const std::string& doc,
                     const std::function<std::string(const std::string&)>& read,
                     Given given) const {
  CLI::Option* option = app_->add_option_function<std::vector<std::string>>(
      names, [](const std::vector<std::string>&) {}, doc);
  option->check(read);
  if (given == Given::kOnce) option->expected(1);
  // A file name behind it is no second value.
  option->allow_extra_args(false);
  return Option(option);
}

Option Command::Word(const std::string& names, const std::string& doc,
                     const std::vector<std::string>& words,
                     const std::function<void(const std::string&)>& take) const {
  const Option option(app_->add_option_function<std::string>(names, take, doc));
  return option.OneOf(words);
}

void Command::PositionalsAtEnd() const { app_->positionals_at_end(); }

void Command::Hidden() const { app_->group(""); }

bool Command::CanMake(const Declared& output) {
  if (!MayWrite(*output.file, output.force)) return false;
  if (output.file->empty() || output.why_not == nullptr) return true;
  const std::string why = output.why_not();
  if (!why.empty()) PassOn(why);
  return why.empty();
}

void Command::Runs(std::function<int()> run) const {
  app_->callback([run = std::move(run), status = status_, outputs = outputs_] {
    const bool can_make = std::all_of(outputs->begin(), outputs->end(), &Command::CanMake);
    *status = can_make ? run() : kFailure;
  });
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
  std::vector<std::string> words =
      WithoutHelpCommand({argv + std::min(argc, 1), argv + argc}, *app_);
  try {
    std::reverse(words.begin(), words.end());  // as the parser takes them
    app_->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    // A misspelt option may have taken the place of one that is required.
    const bool may_be_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                                dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (const std::string unknown = may_be_unknown ? Unknown(*app_) : ""; !unknown.empty()) {
      PassOn(unknown);
      return kUsage;
    }
    std::ostringstream help, wrong;
    const int status = app_->exit(error, help, wrong);
    Print(help.str());
    std::string sentences = wrong.str();
    sentences.erase(sentences.find_last_not_of('\n') + 1);
    if (!sentences.empty()) PassOn(sentences);
    return status == 0 ? 0 : kUsage;
  }
  return status_;
}

std::vector<CommandPage> CommandLine::Pages() const {
  const CLI::App& app = *app_;
  std::vector<CommandPage> pages = {PageOf(app, "")};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) pages.push_back(PageOf(*sub, sub->get_name()));
  }
  return pages;
}

std::string CommandLine::Version() const { return app_->version(); }

}  // namespace roofmark::cli

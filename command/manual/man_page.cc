// SPDX-License-Identifier: BSD-3-Clause
#include "command/manual/man_page.h"

#include <fmt/format.h>

#include <sstream>

#include "command/manual/completion.h"
#include "lib/core/settings.h"

namespace roofmark::cli {
namespace {

// A line of text as man(7) wants it: hyphens stay hyphens, nothing is taken for a request.
std::string Roff(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '\\') {
      text += "\\e";
    } else if (c == '-') {
      text += "\\-";
    } else {
      text += c;
    }
  }
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) text.insert(0, "\\&");
  return text;
}

// Empty lines separate paragraphs; lines that begin with blanks stay as they are.
std::string Paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  bool example = false;
  for (std::string line; std::getline(lines, line);) {
    const bool shown = !line.empty() && line[0] == ' ';
    if (shown != example && !line.empty()) {
      out += shown ? ".PP\n.nf\n" : ".fi\n";
      example = shown;
    }
    if (line.empty()) {
      if (!example) out += ".PP\n";
    } else {
      out += Roff(line) + "\n";
    }
  }
  if (example) out += ".fi\n";
  return out;
}

std::string Header(const std::string& name, int section, const std::string& version,
                   const std::string& summary) {
  return fmt::format(".TH {} {} \"\" \"roofmark {}\" \"roofmark\"\n.SH NAME\n{} \\- {}\n", name,
                     section, version, Roff(name), Roff(summary));
}

std::string Synopsis(const CommandPage& page) {
  std::string text = ".SH SYNOPSIS\n.B roofmark";
  if (!page.name.empty()) text += " " + Roff(page.name);
  text += "\n[OPTIONS]";
  if (page.name.empty()) text += " SUBCOMMAND";
  for (const OptionPage& option : page.options) {
    if (!option.positional) continue;
    const std::string name = Roff(option.names[0]) + (option.repeated ? "..." : "");
    text += option.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

std::string Entry(const OptionPage& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "" : ", ") + ("\\fB" + Roff(name) + "\\fR");
  }
  if (!option.positional && !option.value.empty()) {
    names += option.optional_value ? "[=" : " ";
    names += "\\fI" + Roff(option.value) + "\\fR" + (option.optional_value ? "]" : "");
    if (option.repeated) names += " ...";
  }
  return ".TP\n" + names + "\n" + Paragraphs(option.text);
}

std::string Entries(const CommandPage& page, bool positional, const char* title) {
  std::string text;
  for (const OptionPage& option : page.options) {
    if (option.positional == positional) text += Entry(option);
  }
  return text.empty() ? text : fmt::format(".SH {}\n{}", title, text);
}

std::string Subcommands(const std::vector<CommandPage>& pages) {
  std::string text = ".SH SUBCOMMANDS\n";
  for (const CommandPage& page : pages) {
    if (page.name.empty()) continue;
    text += fmt::format(".TP\n.BR roofmark\\-{} (1)\n{}\n", page.name, Roff(FirstLine(page.about)));
  }
  return text;
}

}  // namespace

std::string ManPage(const CommandPage& page, const std::vector<CommandPage>& pages,
                    const std::string& version) {
  const bool itself = page.name.empty();
  const std::string name = itself ? "roofmark" : "roofmark-" + page.name;
  const std::string summary =
      itself ? "rooflines of MPI codes, region by region" : FirstLine(page.about);
  return Header(name, 1, version, summary) + Synopsis(page) + ".SH DESCRIPTION\n" +
         Paragraphs(page.about) + Entries(page, true, "ARGUMENTS") +
         (itself ? Subcommands(pages) : "") + Entries(page, false, "OPTIONS") +
         ".SH EXIT STATUS\n0; 1 for a failure; 2 for wrong usage; or that of the program that was "
         "run.\n.SH SEE ALSO\n.BR roofmark (1),\n.BR roofmark\\-settings (7)\n";
}

std::string SettingsManPage(const std::string& version) {
  std::string text = Header("roofmark-settings", 7, version, "variables that roofmark reads") +
                     ".SH DESCRIPTION\nPrograms with markers read these variables when they "
                     "start. If none is set, nothing is recorded.\n.SH VARIABLES\n";
  for (const SettingInfo& info : AllSettings()) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}", VariableName(info.key),
                        Paragraphs(std::string(info.doc)));
    text += fmt::format(".br\nValues: {}.\n.br\nDefault: {}.\n", Roff(std::string(info.values)),
                        Roff(std::string(info.default_text)));
  }
  return text + ".SH SEE ALSO\n.BR roofmark (1)\n";
}

}  // namespace roofmark::cli

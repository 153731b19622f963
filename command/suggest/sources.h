// SPDX-License-Identifier: BSD-3-Clause
//
// The sources that found loops and functions name, below one folder.
#ifndef ROOFMARK_COMMAND_SUGGEST_SOURCES_H_
#define ROOFMARK_COMMAND_SUGGEST_SOURCES_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/result.h"
#include "lib/suggest/mark.h"

namespace roofmark::cli {

// One source, and what is put into it.
class SourceFile {
 public:
  // `name`: from the folder of sources on.
  SourceFile(std::string name, std::string text)
      : name_(std::move(name)),
        text_(std::move(text)),
        source_(suggest::Scan(text_)),
        structure_(source_),
        language_(suggest::LanguageOf(name_, source_)) {}
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& name() const { return name_; }
  const suggest::Structure& structure() const { return structure_; }
  suggest::Language language() const { return language_; }

  void Add(const suggest::Marks& marks);
  // Of everything that was added; empty if nothing was.
  std::string Difference() const;

 private:
  std::string name_, text_;
  suggest::Source source_;
  suggest::Structure structure_;
  suggest::Language language_;
  std::vector<suggest::Insertion> insertions_;
  bool scoped_ = false;
};

class Sources {
 public:
  explicit Sources(std::string folder) : folder_(std::move(folder)) {}

  // By the name that debug information has: as it is, or by the longest of its ends that names a
  // file in the folder. What is outside of the folder is an error, a clause.
  Result<SourceFile*> Open(const std::string& file);
  // Of all sources, in the order of their names.
  std::string Difference() const;

 private:
  Result<std::string> Find(const std::string& file) const;

  const std::string folder_;
  std::map<std::string, std::unique_ptr<SourceFile>> files_;  // by name
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SUGGEST_SOURCES_H_

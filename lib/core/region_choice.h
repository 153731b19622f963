// SPDX-License-Identifier: BSD-3-Clause
//
// Which regions are recorded (ROOFMARK_REGIONS): patterns, separated by commas.
//
//     solve/*,-halo    what lies inside `solve`, but no region named `halo`
//
// A pattern is compared with a region's path part by part, from the end: `halo` with the region's
// own name, wherever it lies, `solve/mul` with `mul` right inside `solve`, `/solve` with `solve` as
// an outermost region. A part is a glob (lib/core/glob.h) and never stands for two regions, except
// that a part `*` of a path stands for one or more. `-` before a pattern leaves its regions out. Of
// the patterns that match, the last decides. If none does, a region is in if all patterns leave
// out, otherwise out.
#ifndef ROOFMARK_LIB_CORE_REGION_CHOICE_H_
#define ROOFMARK_LIB_CORE_REGION_CHOICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/glob.h"
#include "lib/core/result.h"

namespace roofmark {

class RegionPattern {
 public:
  // The error is a clause about `text`.
  static Result<RegionPattern> Parse(std::string_view text);

  bool leaves_out() const { return leaves_out_; }
  // True if a region's own name decides.
  bool IsOfName() const { return parts_.size() == 2 && parts_[0].star && !parts_[1].star; }
  // `names` are those of a path, outermost first.
  bool Matches(const std::vector<std::string>& names) const;
  // False if it matches no path that ends with `name`.
  bool MayEndWith(std::string_view name) const;
  // True if paths match alike with and without a region `name` around others.
  bool Overlooks(std::string_view name) const;

 private:
  struct Part {
    bool star = false;  // any number of regions; otherwise one
    Glob glob = {};
  };
  std::string AddPart(std::string_view text, bool of_path);

  bool leaves_out_ = false;
  std::vector<Part> parts_;
};

// Not changed after Parse(), so threads may share it.
class RegionChoice {
 public:
  // Without patterns all regions are in.
  RegionChoice() = default;
  // The error names the pattern: "`solve/[a` has a [ without its ]".
  static Result<RegionChoice> Parse(std::string_view text);

  bool ChoosesAll() const { return patterns_.empty(); }
  // True if names alone decide nothing: paths must be known.
  bool NeedsPaths() const { return needs_paths_; }
  // True if regions of that name are out wherever they lie, and no pattern has to know where they
  // are: their markers may be off.
  bool LeavesOut(std::string_view name) const;
  // Whether the region with this path is in. `names` has all its regions, those too that are out;
  // those that LeavesOut() may be missing.
  bool Chooses(const std::vector<std::string>& names) const;

 private:
  bool otherwise_ = true;  // where no pattern matches
  bool needs_paths_ = false;
  std::vector<RegionPattern> patterns_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_REGION_CHOICE_H_

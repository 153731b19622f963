// SPDX-License-Identifier: BSD-3-Clause
//
// A kernel that was improved, as people see it: `roofmark run --against` executes the old and the
// new one in turns, and the picture of `roofmark compare` has an arrow from where it was to where
// it is. The kernel `slow` reads a matrix whose rows fall into one set of every cache; spread over
// the sets, it moves an eighth of the bytes. The counting collector's caches are fixed, so that the
// way along the axis of intensities is known beforehand. How fast it is depends on what else runs
// on the machine: only that the picture says the same as the table is demanded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "lib/core/file.h"
#include "lib/model/machine_json.h"
#include "tests/lib/model/model_machine.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Point {
  double x = 0, y = 0;  // px
};

class Moved : public ::testing::Test {
 protected:
  static std::string Slow(const std::string& variant) {
    return std::string(KERNELS "/") + test::kMpis[0].name + "/slow --variant " + variant +
           " --iterations 2 --n 512";
  }
  test::Ended Roofmark(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {ROOFMARK};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return test::Run(command,
                     test::ForLaunchers({{"XDG_CACHE_HOME", directory_.path()},
                                         {"LC_ALL", "C.UTF-8"},
                                         {"ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:1M:16"},
                                         {"OMP_NUM_THREADS", "1"},
                                         {"OMPI_MCA_hwloc_base_binding_policy", "none"}}),
                     directory_.path());
  }
  void RunAgainst() {
    ASSERT_TRUE(WriteFile(directory_.File("machine.json"), MachineToJson(test::ModelMachine()),
                          IfExists::kReplace));
    std::vector<std::string> arguments = {
        "run", "--collector", "timer",          "--machine", "machine.json", "--repeat",
        "3",   "--against",   Slow("conflict"), "-o",        "run.json",     "--"};
    std::istringstream words(Slow("spread"));
    arguments.insert(arguments.end(), std::istream_iterator<std::string>(words), {});
    const test::Ended ended = Roofmark(arguments);
    ASSERT_EQ(ended.status, 0) << ended.err;
    ran_ = ended.out;
  }
  // The region's row of a quantity: ratio of the second run to the first.
  double Ratio(const std::string& csv, const std::string& quantity) {
    std::istringstream lines(csv);
    std::string head, line;
    std::getline(lines, head);
    for (; std::getline(lines, line);) {
      if (line.find(",slow,") == std::string::npos ||
          line.find("," + quantity + ",") == std::string::npos)
        continue;
      return Field(head, line, "ratio");
    }
    ADD_FAILURE() << quantity << " is not in\n" << csv;
    return 0;
  }

  test::TempDir directory_;
  std::string ran_;

 private:
  static double Field(const std::string& head, const std::string& line, const std::string& name) {
    std::istringstream names(head), values(line);
    for (std::string each, value;
         std::getline(names, each, ',') && std::getline(values, value, ',');) {
      if (each == name) return std::stod(value);
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
};

// The middle of the region's dot of one run.
Point DotOf(const std::string& svg, const std::string& run) {
  const std::regex dot(
      "cx=\"([0-9.]+)\" cy=\"([0-9.]+)\" r=\"[0-9.]+\" data-part=\"[0-9]+\"><title>slow, " + run);
  std::smatch found;
  if (!std::regex_search(svg, found, dot)) {
    ADD_FAILURE() << "no dot of the " << run;
    return {};
  }
  return {std::stod(found[1]), std::stod(found[2])};
}

// Pixels of a factor of ten, by the names of an axis, whose place follows `tick_text`.
double DecadePx(const std::string& svg, const std::string& tick_text) {
  const std::regex tick(tick_text + "=\"([0-9.]+)\"[^>]*>([0-9.e+-]+)<");
  std::sregex_iterator at(svg.begin(), svg.end(), tick), end;
  if (at == end || std::next(at) == end) {
    ADD_FAILURE() << "no axis";
    return 1;
  }
  const std::sregex_iterator next = std::next(at);
  const std::smatch &first = *at, &second = *next;
  return (std::stod(second[1]) - std::stod(first[1])) /
         std::log10(std::stod(second[2]) / std::stod(first[2]));
}

// Where an arrow of that part begins and where its tip is.
bool HasArrow(const std::string& svg, Point from, Point to) {
  const std::regex arrow(
      "class=\"arrow[^\"]*\" d=\"M([0-9.]+) ([0-9.]+)L[0-9. ]+M([0-9.]+) ([0-9.]+)L[^\"]*\" "
      "data-part");
  for (std::sregex_iterator at(svg.begin(), svg.end(), arrow), end; at != end; ++at) {
    const std::smatch& found = *at;
    const auto near = [](const Point& point, const std::string& x, const std::string& y) {
      constexpr double kRadius = 25;  // the largest dot's
      return std::hypot(std::stod(x) - point.x, std::stod(y) - point.y) < kRadius;
    };
    if (near(from, found[1], found[2]) && near(to, found[3], found[4])) return true;
  }
  return false;
}

TEST_F(Moved, AnArrowLeadsFromWhereItWasToWhereItIs) {
  RunAgainst();
  EXPECT_THAT(ran_, HasSubstr("first:  run.before.json, 3 executions"));
  const test::Ended compared = Roofmark(
      {"compare", "run.before.json", "run.json", "--svg", "moved.svg", "--html", "moved.html"});
  ASSERT_EQ(compared.status, 0) << compared.err;
  const test::Ended table = Roofmark({"compare", "run.before.json", "run.json", "--csv", "-"});
  ASSERT_EQ(table.status, 0) << table.err;
  const double intensity = Ratio(table.out, "intensity_dram"), speed = Ratio(table.out, "gflops");
  EXPECT_NEAR(intensity, 8, 0.8) << table.out;

  const std::string svg = *ReadFile(directory_.File("moved.svg"));
  const Point from = DotOf(svg, "first run"), to = DotOf(svg, "second run");
  const double right = DecadePx(svg, "class=\"tick mid\" x");
  const double up = DecadePx(svg, "class=\"tick end\" x=\"[0-9.]+\" y");
  EXPECT_LT(up, 0) << "the larger, the further up";
  EXPECT_NEAR((to.x - from.x) / right, std::log10(intensity), 0.02);
  EXPECT_NEAR((to.y - from.y) / up, std::log10(speed), 0.02);
  EXPECT_TRUE(HasArrow(svg, from, to)) << svg;
  EXPECT_THAT(*ReadFile(directory_.File("moved.html")), StartsWith("<!DOCTYPE html>"));
}

}  // namespace
}  // namespace roofmark

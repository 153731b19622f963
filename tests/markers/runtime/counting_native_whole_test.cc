// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that are installed on many machines, not marked, as a whole under the native engine:
// they print and end as they do alone, and every process says what it counted, or what it lost.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "lib/core/file.h"
#include "lib/profile/whole.h"
#include "tests/markers/runtime/native_run.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

bool IsInstalled(const char* program) { return access(program, X_OK) == 0; }

const Environment kWhole = {
    {"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_ENGINE", "native"}, {"ROOFMARK_COUNT", "flops"},
    {"ROOFMARK_OUTSIDE", "on"},         {"ROOFMARK_QUIET", "1"},       {"ROOFMARK_SPOOL", "off"}};

// What was counted outside of all regions, which is all.
uint64_t Counted(const JobProfile& job, MetricId id) {
  const Cell& cell = job.whole.At(static_cast<size_t>(WholeRow::kProgram), id);
  return static_cast<uint64_t>(cell.Sum());
}

class NativeWhole : public NativeRun {
 protected:
  // Files are made in a directory of its own each time.
  std::vector<JobProfile> CountWhole(const std::vector<std::string>& command) {
    const TempDir alone_in, counted_in, files;
    const Ended alone = test::Run(command, {{"LC_ALL", "C"}}, alone_in.path());
    Environment given = kWhole;
    given.insert(
        {{"LC_ALL", "C"}, {"LD_PRELOAD", LIBRARY}, {"ROOFMARK_OUTPUT", files.File("run.%p.json")}});
    const Ended counted = test::Run(command, given, counted_in.path());
    EXPECT_EQ(counted.out, alone.out);
    EXPECT_EQ(counted.err, alone.err);
    EXPECT_EQ(counted.status, alone.status);
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(Contents(counted_in.path()), Contents(alone_in.path()));
    std::vector<JobProfile> jobs;
    for (const std::string& file : ListFiles(files.path()))
      jobs.push_back(ReadRoofline(files.File(file)).job);
    EXPECT_GE(jobs.size(), 1u);
    return jobs;
  }
  static std::map<std::string, std::string> Contents(const std::string& directory) {
    std::map<std::string, std::string> contents;
    for (const std::string& file : ListFiles(directory)) {
      const std::string path = directory + "/" + file;
      if (std::filesystem::is_regular_file(path)) contents[file] = *ReadFile(path);
    }
    return contents;
  }
};

// Programs of a line or two.
struct Program {
  const char* name;
  const char* file;
  std::vector<std::string> arguments;
  uint64_t adds = 0;  // scalar additions in double precision that it makes at least
};
const Program kPrograms[] = {
    {"perl",
     "/usr/bin/perl",
     {"-e",
      "my %h; $h{length $_ x ($_ % 17)} .= sprintf '%.3f ', 0.5 + sqrt $_ for 1..3000; print "
      "join(',', "
      "map { \"$_=$h{$_}\" } sort keys %h), \"\\n\"; open F, '>file'; print F 'text'; eval { die "
      "'caught' }; print $@; print `echo child`"},
     3000},
    {"sqlite3",
     "/usr/bin/sqlite3",
     {"data.db",
      "create table t(a integer primary key, b text, c real); with recursive n(i) as (select 1 "
      "union all select i + 1 from n where i < 2000) insert into t select i, hex(i), i / 7.0 from "
      "n; create index x on t(b); select count(*), sum(c), max(b) from t where b like '3%'; select "
      "avg(c * c) from t;"},
     2000},
    {"python3",
     "/usr/bin/python3",
     {"-c",
      "import json, re, threading, zlib\n"
      "out = []\n"
      "def work(n): out.append(sum(i * 0.5 for i in range(n)))\n"
      "threads = [threading.Thread(target=work, args=(1000 * n,)) for n in (1, 2, 3)]\n"
      "for t in threads: t.start()\n"
      "for t in threads: t.join()\n"
      "print(sorted(out), json.dumps(re.findall('a.', 'abacad')), zlib.crc32(b'x' * 9999))\n"
      "try: 1 / 0\nexcept ZeroDivisionError as e: print(e)\n"},
     6000},
};

class NativeWholePrograms : public NativeWhole, public testing::WithParamInterface<Program> {};

TEST_P(NativeWholePrograms, GoOnAsTheyDoAlone) {
  const Program& program = GetParam();
  if (!IsInstalled(program.file)) GTEST_SKIP() << program.file << " is not installed";
  std::vector<std::string> command = {program.file};
  command.insert(command.end(), program.arguments.begin(), program.arguments.end());
  const std::vector<JobProfile> jobs = CountWhole(command);
  uint64_t adds = 0, instructions = 0;
  for (const JobProfile& job : jobs) {  // of the program, and of what it begins
    EXPECT_EQ(Incomplete(job), "");
    adds += Counted(job, kAdds);
    instructions += Counted(job, metric::kInstructions);
  }
  EXPECT_GE(adds, program.adds);
  EXPECT_GT(instructions, 1000 * 1000u);
}

INSTANTIATE_TEST_SUITE_P(Of, NativeWholePrograms, testing::ValuesIn(kPrograms),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(NativeWhole, NumpyAndItsBlas) {
  const std::string python = "/usr/bin/python3";
  if (test::Run({python, "-c", "import numpy"}).status != 0)
    GTEST_SKIP() << "numpy is not installed";
  const std::vector<JobProfile> jobs = CountWhole(
      {python, "-c",
       "import numpy as n\n"
       "a = n.arange(90000.0).reshape(300, 300) / 9e4\n"
       "b = a @ a\n"
       "print(b.sum(), n.linalg.svd(a[:40, :40])[1][:2], n.sin(a).sum(), n.sort(-a).sum())\n"});
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(Incomplete(jobs[0]), "");
  uint64_t flops = 0;
  for (MetricId id = 0; id < kMetrics; ++id)
    if (IsFlops(id)) flops += Counted(jobs[0], id);
  EXPECT_GE(flops, 2u * 300 * 300 * 300);
}

// The driver begins the compiler, the assembler and the linker, which are counted as well.
TEST_F(NativeWhole, TheCompiler) {
  if (!IsInstalled("/usr/bin/g++")) GTEST_SKIP() << "g++ is not installed";
  const TempDir source;
  source.Write("main.cc",
               "#include <cstdio>\n#include <map>\n#include <string>\n"
               "int main() { std::map<std::string, double> m{{\"a\", 1}}; "
               "std::printf(\"%g\\n\", m[\"a\"] * 1.5); }\n");
  const std::vector<JobProfile> jobs =
      CountWhole({"/usr/bin/g++", "-O2", source.File("main.cc"), "-o", "program"});
  EXPECT_GE(jobs.size(), 4u);
  for (const JobProfile& job : jobs)
    EXPECT_EQ(Incomplete(job), "") << job.run.passes[0].command.front();
}

TEST_F(NativeWhole, Git) {
  const std::string git = "/usr/bin/git";
  if (!IsInstalled(git.c_str())) GTEST_SKIP() << git << " is not installed";
  const std::string script = git + " init -q -b main . && for i in 1 2 3; do echo $i > file; " +
                             git + " add file; " + git +
                             " -c user.name=n -c user.email=e commit -q -m $i; done; " + git +
                             " log --oneline --stat; " + git + " fsck";
  const TempDir at_home;
  setenv("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z", 1);
  setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z", 1);
  setenv("HOME", at_home.path().c_str(), 1);
  const std::vector<JobProfile> jobs = CountWhole({"/bin/sh", "-c", script});
  EXPECT_GE(jobs.size(), 8u);
  for (const JobProfile& job : jobs)
    EXPECT_EQ(Incomplete(job), "") << job.run.passes[0].command.front();
}

// What it makes at run time goes on uncounted, and it says so.
TEST_F(NativeWhole, CodeThatIsMadeAtRunTime) {
  const std::string node = "/usr/bin/node";
  if (!IsInstalled(node.c_str())) GTEST_SKIP() << node << " is not installed";
  const std::vector<JobProfile> jobs = CountWhole(
      {node, "-e",
       "let s = 0; for (let i = 0; i < 3e6; ++i) s += Math.sqrt(i) * 0.5; console.log(s, "
       "JSON.stringify([...new Set('abcabc')])); Promise.resolve(7).then(console.log)"});
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_THAT(Incomplete(jobs[0]), HasSubstr("(outside of all regions"));
  EXPECT_THAT(Incomplete(jobs[0]), HasSubstr("made at run time"));
}

}  // namespace
}  // namespace roofmark::test

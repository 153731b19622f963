// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests that launch real jobs, on every MPI that was found. Every job has a time
// limit, so that each of these tests is a test of "nothing hangs" too.
#ifndef ROOFMARK_TESTS_MPI_MPI_JOBS_H_
#define ROOFMARK_TESTS_MPI_MPI_JOBS_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark::test {

class MpiJobs : public testing::TestWithParam<Mpi> {
 protected:
  static constexpr int kSeconds = 240;  // of any job; a few seconds where nothing else runs

  std::string Program(const std::string& name) const {
    return std::string(PROGRAMS "/") + GetParam().name + "/" + name;
  }
  bool Has(const std::string& program) const { return access(Program(program).c_str(), X_OK) == 0; }
  bool IsOpenMpi() const { return GetParam().IsOpenMpi(); }

  Ended Launch(std::vector<std::string> arguments, Environment environment = {}) {
    arguments.insert(arguments.begin(), GetParam().launcher);
    environment.try_emplace("ROOFMARK_COLLECTOR", "timer");
    environment.try_emplace("ROOFMARK_OUTPUT", directory_.File("run.json"));
    // Who ends without notice leaves its spool: not in the system's place.
    environment.try_emplace("ROOFMARK_SPOOL", spool_.path());
    return test::Run(arguments, ForLaunchers(environment), directory_.path(), kSeconds);
  }

  std::vector<std::string> Files() const { return ListFiles(directory_.path()); }
  JobProfile Read(const std::string& file) const { return ReadRoofline(directory_.File(file)).job; }
  void RemoveFiles() const {
    for (const std::string& name : Files()) std::remove(directory_.File(name).c_str());
  }
  // A row's cell; one without ranks if there is no such row.
  static Cell At(const JobProfile& job, const std::string& path, MetricId metric) {
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path;
    return row < 0 ? Cell{} : job.At(static_cast<size_t>(row), metric);
  }

  TempDir directory_, spool_;
};

inline std::string NameOf(const testing::TestParamInfo<Mpi>& given) { return given.param.name; }

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MPI_MPI_JOBS_H_

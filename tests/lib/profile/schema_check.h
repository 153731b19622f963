// SPDX-License-Identifier: BSD-3-Clause
//
// Checks a produced file against one of our schemas by an implementation that is not ours.
#ifndef ROOFMARK_TESTS_LIB_PROFILE_SCHEMA_CHECK_H_
#define ROOFMARK_TESTS_LIB_PROFILE_SCHEMA_CHECK_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/process.h"

namespace roofmark::test {

inline bool HavePythonJsonschema() {
  return std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") == 0;
}

// `schema` is a file name in docs/.
inline bool MatchesSchema(const std::string& json, const std::string& schema) {
  const test::TempDir directory;
  const std::string file = directory.File(schema);
  std::ofstream(file) << json;
  const std::string command =
      "python3 -c 'import json,jsonschema,sys; s=json.load(open(sys.argv[2])); "
      "jsonschema.Draft7Validator.check_schema(s); "
      "jsonschema.Draft7Validator(s).validate(json.load(open(sys.argv[1])))' '" +
      file + "' '" ROOFMARK_DOCS_DIR "/" + schema + "' >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

#define ROOFMARK_SKIP_WITHOUT_JSONSCHEMA()                 \
  if (!::roofmark::test::HavePythonJsonschema()) {         \
    GTEST_SKIP() << "python3-jsonschema is not installed"; \
  }

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_PROFILE_SCHEMA_CHECK_H_

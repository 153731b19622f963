// SPDX-License-Identifier: BSD-3-Clause
//
// What most tests include, compiled once.
#ifndef ROOFMARK_TESTS_SUPPORT_PRECOMPILED_H_
#define ROOFMARK_TESTS_SUPPORT_PRECOMPILED_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#endif  // ROOFMARK_TESTS_SUPPORT_PRECOMPILED_H_

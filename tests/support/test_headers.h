// SPDX-License-Identifier: BSD-3-Clause
//
// What most tests include, compiled once for all of them (lib/cmake/RoofmarkTargets.cmake).
#ifndef ROOFMARK_TESTS_SUPPORT_TEST_HEADERS_H_
#define ROOFMARK_TESTS_SUPPORT_TEST_HEADERS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#endif  // ROOFMARK_TESTS_SUPPORT_TEST_HEADERS_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// Which sanitizers this is compiled with: 0 or 1. GCC and clang say it in different ways.
#ifndef ROOFMARK_TESTS_SUPPORT_SANITIZERS_H_
#define ROOFMARK_TESTS_SUPPORT_SANITIZERS_H_

#ifdef __has_feature
#define ROOFMARK_TEST_HAS(feature) __has_feature(feature)
#else
#define ROOFMARK_TEST_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || ROOFMARK_TEST_HAS(address_sanitizer)
#define ROOFMARK_TEST_ASAN 1
#else
#define ROOFMARK_TEST_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || ROOFMARK_TEST_HAS(thread_sanitizer)
#define ROOFMARK_TEST_TSAN 1
#else
#define ROOFMARK_TEST_TSAN 0
#endif

// Of either, where a test leaves them out: they take stack, memory functions and signals
// themselves.
#define ROOFMARK_TEST_SANITIZED (ROOFMARK_TEST_ASAN || ROOFMARK_TEST_TSAN)

#endif  // ROOFMARK_TESTS_SUPPORT_SANITIZERS_H_

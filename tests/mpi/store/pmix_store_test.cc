// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked of PMIx, of functions that imitate it, and against its headers where they are.
#include "mpi/store/pmix_store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#if __has_include(<pmix_common.h>)
#include <pmix_common.h>
#define WITH_PMIX
#endif

namespace roofmark::mpi {
namespace {

#ifdef WITH_PMIX
static_assert(sizeof(pmix::Proc) == sizeof(pmix_proc_t));
static_assert(offsetof(pmix::Proc, rank) == offsetof(pmix_proc_t, rank));
static_assert(sizeof(pmix::Value) == sizeof(pmix_value_t));
static_assert(offsetof(pmix::Value, data) == offsetof(pmix_value_t, data));
static_assert(sizeof(pmix::Info) == sizeof(pmix_info_t));
static_assert(offsetof(pmix::Info, value) == offsetof(pmix_info_t, value));
static_assert(pmix::kSuccess == PMIX_SUCCESS && pmix::kNotThere == PMIX_ERR_INIT);
static_assert(pmix::kBool == PMIX_BOOL && pmix::kUint32 == PMIX_UINT32);
static_assert(pmix::kGlobal == PMIX_GLOBAL);
static_assert(std::string_view(pmix::kOptional) == PMIX_OPTIONAL);
#endif

// A store of one process's keys, and of those that others have brought.
std::map<std::string, uint32_t> g_put;
std::map<uint32_t, uint32_t> g_others;
int g_commits, g_put_result, g_commit_result;

int Put(uint8_t scope, const char* key, pmix::Value* value) {
  EXPECT_EQ(scope, pmix::kGlobal);
  EXPECT_EQ(value->type, pmix::kUint32);
  if (g_put_result == 0) g_put[key] = value->data.number;
  return g_put_result;
}
int Commit() {
  ++g_commits;
  return g_commit_result;
}
int Get(const pmix::Proc* proc, const char* key, const pmix::Info* info, size_t infos,
        pmix::Value** value) {
  EXPECT_STREQ(proc->nspace, "job.1");
  EXPECT_STREQ(key, "roofmark");
  EXPECT_EQ(infos, 1u);
  EXPECT_STREQ(info->key, "pmix.optional");
  EXPECT_TRUE(info->value.type == pmix::kBool && info->value.data.flag);
  constexpr int kNotFound = -46;
  if (!g_others.contains(proc->rank)) return kNotFound;
  *value = static_cast<pmix::Value*>(std::calloc(1, sizeof **value));
  (*value)->type = pmix::kUint32;
  return 0;
}
constexpr PmixCalls kCalls = {&Put, &Get, &Commit};

class PmixStoreTest : public testing::Test {
 protected:
  PmixStoreTest() {
    g_put.clear();
    g_others.clear();
    g_commits = g_put_result = g_commit_result = 0;
  }
};

TEST_F(PmixStoreTest, PutsItsKeyOnce) {
  PmixStore store("job.1", [] { return true; });
  EXPECT_FALSE(store.Announced());
  EXPECT_EQ(store.Commit(kCalls), 0);
  EXPECT_TRUE(store.Announced());
  EXPECT_EQ(g_put, (std::map<std::string, uint32_t>{{"roofmark", 1}}));
  g_put.clear();
  EXPECT_EQ(store.Commit(kCalls), 0);
  EXPECT_EQ(g_commits, 2);
  EXPECT_TRUE(g_put.empty());
  g_others = {{0, 1}, {7, 1}};
  EXPECT_TRUE(store.IsThere(0));
  EXPECT_FALSE(store.IsThere(1));
  EXPECT_TRUE(store.IsThere(7));
}

TEST_F(PmixStoreTest, TheLibrarysCallIsMadeWhateverComes) {
  g_put_result = -1;
  PmixStore refused("job.1", [] { return true; });
  EXPECT_EQ(refused.Commit(kCalls), 0);
  EXPECT_FALSE(refused.Announced());
  g_put_result = 0;
  g_commit_result = -5;
  PmixStore failed("job.1", [] { return true; });
  EXPECT_EQ(failed.Commit(kCalls), -5);
  EXPECT_FALSE(failed.Announced());
  g_commit_result = 0;
  PmixStore unusable("job.1", [] { return false; });
  EXPECT_EQ(unusable.Commit(kCalls), 0);
  EXPECT_FALSE(unusable.Announced());
  PmixStore endless(std::string(256, 'x'), [] { return true; });
  EXPECT_EQ(endless.Commit(kCalls), 0);
  EXPECT_FALSE(endless.Announced());
  EXPECT_EQ(g_commits, 4);
  PmixStore none("job.1", [] { return true; });
  EXPECT_EQ(none.Commit({}), pmix::kNotThere);
  EXPECT_FALSE(none.Announced());
}

TEST_F(PmixStoreTest, LibrariesThatDoNotSayWhatTheyBringAreNotTrusted) {
  EXPECT_FALSE(BringsAllKeys(nullptr));
}

}  // namespace
}  // namespace roofmark::mpi

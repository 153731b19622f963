// SPDX-License-Identifier: BSD-3-Clause
#include "command/reservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/other_user.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReservationTest : public testing::Test {
 protected:
  std::vector<std::string> Names() const { return test::ListFiles(directory_.path()); }
  const test::TempDir directory_;
  const std::string name_ = directory_.File("run.json");
};

TEST_F(ReservationTest, WithoutAFileTheNameIsFreeAgain) {
  {
    const Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_TRUE(taken);
    EXPECT_THAT(Names(), ElementsAre("run.json"));
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ReservationTest, WhatWasWrittenStays) {
  {
    Result<Reservation> taken = Reservation::Of(name_, false);
    ASSERT_EQ(*taken->Write("text"), name_);
  }
  EXPECT_EQ(*ReadFile(name_), "text");
}

TEST_F(ReservationTest, ASignalThatEndsTheProcessGivesTheNameUp) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(test::InChild([&] {
                const Result<Reservation> taken = Reservation::Of(name_, false);
                if (!taken) return 1;
                raise(signal);
                return 2;
              }),
              -1)
        << "it ends by the signal";
    EXPECT_THAT(Names(), IsEmpty());
  }
}

TEST_F(ReservationTest, AnIgnoredSignalStaysIgnored) {
  EXPECT_EQ(test::InChild([&] {
              signal(SIGHUP, SIG_IGN);  // as nohup does
              const Result<Reservation> taken = Reservation::Of(name_, false);
              raise(SIGHUP);
              return taken && Names().size() == 1 ? 0 : 1;
            }),
            0);
}

TEST_F(ReservationTest, ANameOfAKilledProcessIsTakenOver) {
  EXPECT_EQ(test::InChild([&] {
              const Result<Reservation> taken = Reservation::Of(name_, false);
              raise(SIGKILL);
              return taken ? 1 : 2;
            }),
            -1);
  EXPECT_THAT(Names(), ElementsAre("run.json"));
  Result<Reservation> taken = Reservation::Of(name_, false);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->path(), name_);
  EXPECT_EQ(*taken->Write("text"), name_);
  EXPECT_THAT(Names(), ElementsAre("run.json"));
}

}  // namespace
}  // namespace roofmark::cli

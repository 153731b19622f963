// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/names.h"

#include <gtest/gtest.h>

namespace roofmark::binary {
namespace {

struct Row {
  const char* symbol;
  Part part;
  const char* parent;
  const char* source;
};

class SymbolNameTest : public testing::TestWithParam<Row> {};

TEST_P(SymbolNameTest, IsTakenApart) {
  const SymbolName name = ReadSymbolName(GetParam().symbol);
  EXPECT_EQ(name.part, GetParam().part);
  EXPECT_EQ(name.parent, GetParam().parent);
  EXPECT_EQ(name.source, GetParam().source);
}

INSTANTIATE_TEST_SUITE_P(
    All, SymbolNameTest,
    testing::Values(Row{"sweep", Part::kWhole, "", "sweep"},
                    Row{"sweep.cold", Part::kCold, "sweep", "sweep"},
                    Row{"sweep.cold.3", Part::kCold, "sweep", "sweep"},
                    Row{"sweep.part.0", Part::kClone, "sweep", "sweep"},
                    Row{"sweep.constprop.0.isra.1", Part::kClone, "sweep.constprop.0", "sweep"},
                    Row{"sweep.isra.0.cold", Part::kCold, "sweep.isra.0", "sweep"},
                    Row{"sweep.lto_priv.0", Part::kClone, "sweep", "sweep"},
                    Row{"sweep._omp_fn.0", Part::kOutlined, "sweep", "sweep"},
                    Row{"sweep._omp_fn.12.cold", Part::kCold, "sweep._omp_fn.12", "sweep"},
                    Row{"sweep.omp_outlined", Part::kOutlined, "sweep", "sweep"},
                    Row{"sweep.omp_outlined.2", Part::kOutlined, "sweep", "sweep"},
                    Row{".omp_outlined.", Part::kOutlined, "", ""},
                    Row{".omp_outlined..1", Part::kOutlined, "", ""},
                    Row{".omp_outlined._debug__", Part::kOutlined, "", ""},
                    Row{".omp.reduction.reduction_func", Part::kOutlined, "", ""},
                    Row{".omp_task_entry.", Part::kOutlined, "", ""},
                    Row{"sweep.avx2", Part::kClone, "sweep", "sweep"},
                    Row{"sweep.arch_x86_64_v3", Part::kClone, "sweep", "sweep"},
                    Row{"sweep.default", Part::kClone, "sweep", "sweep"},
                    Row{"inner.0", Part::kWhole, "", "inner.0"}));

TEST(SourceNameTest, IsThatOfTheSource) {
  EXPECT_EQ(SourceName("sweep"), "sweep");
  EXPECT_EQ(SourceName("sweep_"), "sweep_");
  EXPECT_EQ(SourceName("sweep_", true), "sweep");
  EXPECT_EQ(SourceName("inner.0", true), "inner");
  EXPECT_EQ(SourceName("__solver_MOD_sweep"), "solver::sweep");
  EXPECT_EQ(SourceName("__solver_MOD_sweep._omp_fn.0", true), "solver::sweep");
  EXPECT_EQ(SourceName("__base.child_MOD_sweep", true), "base.child::sweep");
  EXPECT_EQ(SourceName("_ZN6solver5SweepEPdi"), "solver::Sweep");
  EXPECT_EQ(SourceName("_ZN6solver5SweepEPdi.isra.0"), "solver::Sweep");
  EXPECT_EQ(SourceName("_Z5sweepIdEvPT_i"), "sweep<double>");
  EXPECT_EQ(SourceName("_Znothing"), "_Znothing");
  EXPECT_EQ(SourceName(".omp_outlined."), ".omp_outlined.");
}

TEST(WithoutArgumentsTest, LeavesTheName) {
  EXPECT_EQ(WithoutArguments("solver::Sweep(double*, int)"), "solver::Sweep");
  EXPECT_EQ(WithoutArguments("void sweep<double>(double*)"), "sweep<double>");
  EXPECT_EQ(WithoutArguments("Grid::At(int) const"), "Grid::At");
  EXPECT_EQ(WithoutArguments("(anonymous namespace)::Sweep(int)"), "(anonymous namespace)::Sweep");
  EXPECT_EQ(WithoutArguments("Grid::operator()(int, int)"), "Grid::operator()");
  EXPECT_EQ(WithoutArguments("Grid::operator double() const"), "Grid::operator double");
  EXPECT_EQ(WithoutArguments("bool Grid::operator==<int>(int)"), "Grid::operator==<int>");
  EXPECT_EQ(WithoutArguments("Sweep(int)::{lambda(int)#1}::operator()(int) const"),
            "Sweep(int)::{lambda(int)#1}::operator()");
  EXPECT_EQ(WithoutArguments("std::vector<std::pair<int, int> > f<int>(void (*)(int))"), "f<int>");
  EXPECT_EQ(WithoutArguments("sweep"), "sweep");
  EXPECT_EQ(WithoutArguments(")"), ")");
  EXPECT_EQ(WithoutArguments(""), "");
}

}  // namespace
}  // namespace roofmark::binary

// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/gpu/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace roofmark::gpu {
namespace {

std::string ExplainBlas(const char* call, int status) {
  return status == 0 ? "" : fmt::format("{}: status {}", call, status);
}

// A factor, in the type of the results.
union Factor {
  double real64;
  float real32;
  int32_t int32;
};
Factor FactorOf(int type, int value) {
  Factor factor = {};
  if (type == kReal64) {
    factor.real64 = value;
  } else if (type == kInt32) {
    factor.int32 = value;
  } else {
    factor.real32 = static_cast<float>(value);
  }
  return factor;
}

template <class T>
bool AllAre(const std::string& bytes, double wanted) {
  constexpr double kTolerance = 1e-6;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    if (!(std::abs(static_cast<double>(number) - wanted) <= kTolerance * wanted)) return false;
  }
  return true;
}

}  // namespace

Result<std::shared_ptr<const BlasOnDevice>> BlasOnDevice::Open(const Driver& driver) {
  if (!driver.no_blas.empty()) return Error{driver.no_blas};
  std::shared_ptr<BlasOnDevice> opened(new BlasOnDevice(driver));
  std::string why = ExplainBlas("cublasLtCreate", driver.blas_create(&opened->blas_));
  if (why.empty()) {
    why = ExplainBlas("cublasLtMatmulPreferenceCreate", driver.wish_create(&opened->wish_));
  }
  if (why.empty()) {
    why = ExplainBlas(
        "cublasLtMatmulPreferenceSetAttribute",
        driver.wish_set(opened->wish_, kMostWorkspace, &kWorkspaceBytes, sizeof kWorkspaceBytes));
  }
  if (!why.empty()) return Error{std::move(why)};
  return std::shared_ptr<const BlasOnDevice>(std::move(opened));
}

BlasOnDevice::~BlasOnDevice() {
  if (wish_ != nullptr) driver_.wish_destroy(wish_);
  if (blas_ != nullptr) driver_.blas_destroy(blas_);
}

Result<std::shared_ptr<const Product>> Product::Make(std::shared_ptr<const BlasOnDevice> blas,
                                                     const ProductKind& kind,
                                                     const ProductMemory& memory) {
  std::shared_ptr<Product> made(new Product(std::move(blas), kind, memory));
  std::string why = made->Describe();
  if (!why.empty()) return Error{std::move(why)};
  return std::shared_ptr<const Product>(std::move(made));
}

Product::~Product() {
  const Driver& driver = blas_->driver_;
  if (results_ != nullptr) driver.matrix_destroy(results_);
  if (operands_ != nullptr) driver.matrix_destroy(operands_);
  if (product_ != nullptr) driver.product_destroy(product_);
}

// The first operand is transposed: FP8 and integers are multiplied in no other way.
std::string Product::Describe() {
  const Driver& driver = blas_->driver_;
  const uint32_t n = memory_.n;
  std::string why = ExplainBlas("cublasLtMatmulDescCreate",
                                driver.product_create(&product_, kind_.compute, kind_.results));
  if (why.empty()) {
    why = ExplainBlas(
        "cublasLtMatmulDescSetAttribute",
        driver.product_set(product_, kFirstTransposed, &kTransposed, sizeof kTransposed));
  }
  if (why.empty()) {
    why = ExplainBlas("cublasLtMatrixLayoutCreate",
                      driver.matrix_create(&operands_, kind_.operands, n, n, n));
  }
  if (why.empty()) {
    why = ExplainBlas("cublasLtMatrixLayoutCreate",
                      driver.matrix_create(&results_, kind_.results, n, n, n));
  }
  if (!why.empty()) return why;
  BlasChoice choice = {};
  int found = 0;
  why = ExplainBlas("cublasLtMatmulAlgoGetHeuristic",
                    driver.choose(blas_->blas_, product_, operands_, operands_, results_, results_,
                                  blas_->wish_, 1, &choice, &found));
  if (why.empty() && (found < 1 || choice.status != 0)) why = "cuBLAS has no algorithm for it";
  algorithm_ = choice.algorithm;
  return why;
}

uint64_t Product::ResultBytes() const {
  return uint64_t{memory_.n} * memory_.n * (kind_.results == kReal64 ? sizeof(double) : 4);
}

bool Product::FillOperands(Session& session) const {
  const uint64_t bytes = uint64_t{memory_.n} * memory_.n * kind_.element_bytes;
  constexpr uint32_t kNoNumber = UINT32_MAX;  // and -1 of integers
  return session.Fill(memory_.a, kind_.word, bytes) && session.Fill(memory_.b, kind_.word, bytes) &&
         session.Fill(memory_.d, kNoNumber, ResultBytes());
}

bool Product::Multiply(std::string& wrong) const {
  const Factor one = FactorOf(kind_.results, 1), zero = FactorOf(kind_.results, 0);
  const std::string why = ExplainBlas(
      "cublasLtMatmul", blas_->driver_.multiply(blas_->blas_, product_, &one, memory_.a, operands_,
                                                memory_.b, operands_, &zero, memory_.d, results_,
                                                memory_.d, results_, &algorithm_, memory_.workspace,
                                                BlasOnDevice::kWorkspaceBytes, nullptr));
  if (!why.empty()) wrong = fmt::format("{}: {}", kind_.id, why);
  return why.empty();
}

bool Product::AreRight(const std::string& bytes) const {
  const double wanted = memory_.n * kind_.operand * kind_.operand;
  if (kind_.results == kReal64) return AllAre<double>(bytes, wanted);
  return kind_.results == kInt32 ? AllAre<int32_t>(bytes, wanted) : AllAre<float>(bytes, wanted);
}

bool Product::Check(Session& session, std::string& wrong) const {
  constexpr uint64_t kLook = 4096;
  const uint64_t all = ResultBytes(), look = std::min(all, kLook);
  std::string first(look, '\0'), last(look, '\0');
  if (!session.ToHost(first.data(), memory_.d, look) ||
      !session.ToHost(last.data(), memory_.d + all - look, look) || !session.Synchronize()) {
    return false;
  }
  if (!AreRight(first) || !AreRight(last)) {
    wrong = fmt::format("{}: the product has wrong numbers", kind_.id);
  }
  return wrong.empty();
}

}  // namespace roofmark::gpu

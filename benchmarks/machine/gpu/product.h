// SPDX-License-Identifier: BSD-3-Clause
//
// A product of square matrices by cuBLAS (cublasLt): a second opinion on what multiprocessors
// sustain. All operands are equal numbers, as those of the kernels are, so each result is known.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_PRODUCT_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_PRODUCT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/machine/gpu/session.h"
#include "lib/core/result.h"

namespace roofmark::gpu {

struct ProductKind {
  std::string_view id, label, unit;  // of the ceiling
  int operands, results, compute;    // types of cuBLAS; factors have the type of the results
  uint32_t element_bytes, word;      // of operands: 4 bytes full of them
  double operand;                    // the number that these are
  uint32_t least_capability;         // 10 x major + minor
};

// Of all kinds: they are done one after the other.
struct ProductMemory {
  uint32_t n = 0;  // rows and columns
  uint64_t a = 0, b = 0, d = 0, workspace = 0;
};

// cuBLAS on the device that is current.
class BlasOnDevice {
 public:
  static constexpr uint64_t kWorkspaceBytes = 32 << 20;

  static Result<std::shared_ptr<const BlasOnDevice>> Open(const Driver& driver);
  BlasOnDevice(const BlasOnDevice&) = delete;
  BlasOnDevice& operator=(const BlasOnDevice&) = delete;
  ~BlasOnDevice();

 private:
  friend class Product;
  explicit BlasOnDevice(const Driver& driver) : driver_(driver) {}

  const Driver& driver_;
  Blas blas_ = nullptr;
  BlasWish wish_ = nullptr;
};

class Product {
 public:
  // With the algorithm that cuBLAS proposes first. The error says what it cannot do.
  static Result<std::shared_ptr<const Product>> Make(std::shared_ptr<const BlasOnDevice> blas,
                                                     const ProductKind& kind,
                                                     const ProductMemory& memory);
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product();

  bool FillOperands(Session& session) const;
  // False: `wrong` says why.
  bool Multiply(std::string& wrong) const;
  // Looks at the first and the last results.
  bool Check(Session& session, std::string& wrong) const;

 private:
  Product(std::shared_ptr<const BlasOnDevice> blas, const ProductKind& kind,
          const ProductMemory& memory)
      : blas_(std::move(blas)), kind_(kind), memory_(memory) {}
  std::string Describe();
  uint64_t ResultBytes() const;
  bool AreRight(const std::string& bytes) const;

  std::shared_ptr<const BlasOnDevice> blas_;
  const ProductKind& kind_;
  const ProductMemory memory_;
  BlasProduct product_ = nullptr;
  BlasMatrix operands_ = nullptr, results_ = nullptr;
  BlasAlgorithm algorithm_ = {};
};

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_PRODUCT_H_

// SPDX-License-Identifier: BSD-3-Clause
//
// gpp [NW [FMA [DIVIDE [STRIDE [N [VISITS]]]]]]: the General Plasmon Pole kernel of BerkeleyGW as
// Yang et al. (2018, section II-D) parametrise it, as benchmarks/kernels/gpp.cc has it for the
// host: for NW frequencies w (1 to 6), sums over bands, over plane waves G' and over N plane waves
// G of
//   aqs(G, band) eps(G, G') W(G, G') / (w - e(band) - W(G, G')).
// Per term 8 FLOPs and 18 for each frequency, with fused operations (FMA 1) or without (0). With
// DIVIDE 0 a product stands in place of the division; with 1 the division is an estimate and two
// steps of Newton's method, 8 FLOPs in place of one, so that what is executed is known. Lanes
// visit G with a STRIDE (1, 2, 4, 8, 16): from 2 on half of each sector is wasted at once.
//
// Check: W, eps and aqs repeat along G with periods 7, 5 and 3, so each sum is one over 105
// residues, done in long double.
#include <complex>
#include <cstring>

#include "program.cuh"

constexpr unsigned kThreads = 256, kChunks = 4, kBands = 16, kOwn = 8;
constexpr unsigned kMost = 6;   // frequencies
constexpr double kScale = 0.5;  // where the division is not

// w - e(band). In the memory of constants, as all arguments of kernels.
struct Energies {
  double of[kBands][kMost];
};

template <bool kFused>
__device__ double MulAdd(double a, double b, double c) {
  return kFused ? __fma_rn(a, b, c) : __dadd_rn(__dmul_rn(a, b), c);
}
template <bool kFused>
__device__ double MulSub(double a, double b, double c) {
  return kFused ? __fma_rn(a, b, -c) : __dsub_rn(__dmul_rn(a, b), c);
}
template <bool kFused>
__device__ double SubMul(double c, double a, double b) {
  return kFused ? __fma_rn(-a, b, c) : __dsub_rn(c, __dmul_rn(a, b));
}

// 1 / x to 6 digits: what is below 20 bits of x is not looked at, and 0 in the estimate (PTX).
__device__ double Estimate(double x) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  return r;
#else  // in tests without a device
  const auto upper = [](double number) {
    unsigned long long bits;
    memcpy(&bits, &number, sizeof bits);
    bits &= ~0xffffffffull;
    memcpy(&number, &bits, sizeof bits);
    return number;
  };
  return upper(1 / upper(x));
#endif
}

// 1 / x to 14 digits or better, of a normal number.
__device__ double Reciprocal(double x) {
  double r = Estimate(x);
  for (int step = 0; step < 2; ++step) r = __fma_rn(r, __fma_rn(-x, r, 1), r);
  return r;
}

// A block does a part of the plane waves of one band and one G'. All threads do equally much.
template <int kFrequencies, bool kFused, bool kDivide>
__global__ void Gpp(unsigned n, unsigned shift, const double2* pole, const double2* epsilon,
                    const double2* element, const Energies energies, double2* sums) {
  const unsigned band = blockIdx.y / kOwn, own = blockIdx.y % kOwn;
  const unsigned rounds = n >> shift;  // terms in each of 2^shift rounds
  double energy[kFrequencies];
  double2 sum[kFrequencies];
#pragma unroll
  for (int i = 0; i < kFrequencies; ++i) {
    energy[i] = energies.of[band][i];
    sum[i] = {0, 0};
  }
#pragma unroll 1
  for (unsigned at = blockIdx.x * kThreads + threadIdx.x; at < n; at += kChunks * kThreads) {
    const unsigned g = (at % rounds << shift) + at / rounds;
    const double2 w = pole[own * n + g], e = epsilon[own * n + g], a = element[band * n + g];
    const double re = SubMul<kFused>(__dmul_rn(a.x, e.x), a.y, e.y);
    const double im = MulAdd<kFused>(a.x, e.y, __dmul_rn(a.y, e.x));
    const double square = __dmul_rn(w.y, w.y), cross = __dmul_rn(w.x, w.y);
#pragma unroll
    for (int i = 0; i < kFrequencies; ++i) {
      const double off = __dsub_rn(energy[i], w.x);
      const double norm = MulAdd<kFused>(off, off, square);
      const double up = MulSub<kFused>(w.x, off, square), across = MulAdd<kFused>(w.y, off, cross);
      const double factor = kDivide ? Reciprocal(norm) : __dmul_rn(kScale, norm);
      sum[i].x = MulAdd<kFused>(SubMul<kFused>(__dmul_rn(up, re), across, im), factor, sum[i].x);
      sum[i].y = MulAdd<kFused>(MulAdd<kFused>(across, re, __dmul_rn(up, im)), factor, sum[i].y);
    }
  }
  const unsigned thread = (blockIdx.y * kChunks + blockIdx.x) * kThreads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kFrequencies; ++i) sums[thread * kFrequencies + i] = sum[i];
}

using Kernel = void (*)(unsigned, unsigned, const double2*, const double2*, const double2*,
                        Energies, double2*);
template <int kFrequencies>
Kernel Choose(bool fused, bool divide) {
  if (fused) return divide ? Gpp<kFrequencies, true, true> : Gpp<kFrequencies, true, false>;
  return divide ? Gpp<kFrequencies, false, true> : Gpp<kFrequencies, false, false>;
}
Kernel Choose(size_t frequencies, bool fused, bool divide) {
  using Chooser = Kernel (*)(bool, bool);
  constexpr Chooser kChoosers[] = {Choose<1>, Choose<2>, Choose<3>,
                                   Choose<4>, Choose<5>, Choose<6>};
  return kChoosers[frequencies - 1](fused, divide);
}

using Long = std::complex<long double>;
double2 PoleAt(size_t g, size_t own) {
  return {1 + 0.25 * static_cast<double>(g % 7), 0.5 + 0.125 * static_cast<double>(own)};
}
double2 EpsilonAt(size_t g, size_t own) {
  return {0.75 + 0.125 * static_cast<double>(g % 5), -0.0625 * static_cast<double>(own)};
}
double2 ElementAt(size_t g, size_t band) {
  return {0.5 + 0.25 * static_cast<double>(g % 3), 0.03125 * static_cast<double>(band)};
}
double EnergyAt(size_t frequency, size_t band) {
  return -0.5 - 0.25 * static_cast<double>(frequency) - 0.125 * static_cast<double>(band);
}
Long Exact(double2 number) { return {number.x, number.y}; }

template <class Value>
std::vector<double2> Rows(size_t rows, size_t n, Value value) {
  std::vector<double2> all(rows * n);
  for (size_t i = 0; i < all.size(); ++i) all[i] = value(i % n, i / n);
  return all;
}

// Of one band, G' and frequency, and what its terms add up to without cancelling.
Long Wanted(size_t n, size_t band, size_t own, double energy, bool divide, long double& magnitude) {
  constexpr size_t kPeriod = 7 * 5 * 3;
  Long sum = 0;
  for (size_t r = 0; r < kPeriod; ++r) {
    const auto times = static_cast<long double>(n / kPeriod + (r < n % kPeriod ? 1 : 0));
    const Long w = Exact(PoleAt(r, own)), off = static_cast<long double>(energy) - w;
    const Long factor =
        divide ? w / off : w * std::conj(off) * (std::norm(off) * static_cast<long double>(kScale));
    const Long term = Exact(ElementAt(r, band)) * Exact(EpsilonAt(r, own)) * factor;
    sum += times * term;
    magnitude += times * std::abs(term);
  }
  return sum;
}

int main(int argc, char** argv) {
  const Job job(argc, argv);
  const size_t nw = Argument(argc, argv, 1, 3), stride = Argument(argc, argv, 4, 1);
  const bool fused = Argument(argc, argv, 2, 1) != 0, divide = Argument(argc, argv, 3, 1) != 0;
  const size_t n = Argument(argc, argv, 5, size_t{1} << 18), visits = Argument(argc, argv, 6, 10);
  unsigned shift = 0;
  while (size_t{1} << shift < stride) ++shift;
  Expect(nw >= 1 && nw <= 6, "NW is not 1 to 6");
  Expect(size_t{1} << shift == stride && stride <= 16, "STRIDE is not 1, 2, 4, 8 or 16");
  Expect(n > 0 && n % (kThreads * kChunks * 16) == 0, "N is no multiple of 16384");
  Energies energies;
  for (size_t i = 0; i < kBands * kMost; ++i) {
    energies.of[i / kMost][i % kMost] = EnergyAt(i % kMost, i / kMost);
  }
  constexpr unsigned kPairs = kBands * kOwn, kPerPair = kChunks * kThreads;
  DeviceArray<double2> pole(Rows(kOwn, n, PoleAt)), epsilon(Rows(kOwn, n, EpsilonAt)),
      element(Rows(kBands, n, ElementAt)), sums(std::vector<double2>(kPairs * kPerPair * nw));
  const Kernel kernel = Choose(nw, fused, divide);
  for (size_t visit = 0; visit < visits; ++visit) {
    ROOF_REGION_BEGIN("gpp");
    kernel<<<dim3(kChunks, kPairs), kThreads>>>(static_cast<unsigned>(n), shift, pole.data(),
                                                epsilon.data(), element.data(), energies,
                                                sums.data());
    ROOF_REGION_END("gpp");
  }
  Check(cudaDeviceSynchronize(), "gpp");
  const std::vector<double2> result = sums.Fetch();
  for (size_t pair = 0; pair < kPairs; ++pair) {
    for (size_t i = 0; i < nw; ++i) {
      Long sum = 0;
      for (size_t t = 0; t < kPerPair; ++t) sum += Exact(result[(pair * kPerPair + t) * nw + i]);
      long double magnitude = 0;
      const size_t band = pair / kOwn;
      const Long wanted = Wanted(n, band, pair % kOwn, EnergyAt(i, band), divide, magnitude);
      Expect(std::abs(sum - wanted) <= 1e-12L * magnitude, "gpp");
    }
  }
  const double w = static_cast<double>(nw), times = static_cast<double>(visits);
  const double terms = static_cast<double>(n) * kPairs * times;
  const double threads = static_cast<double>(kPairs) * kPerPair * times;
  const double division = divide ? 4 : 0;  // FMAs; else a multiplication
  const double muls = fused ? 4 + (divide ? 2 : 3) * w : 6 + (divide ? 9 : 10) * w;
  job.Known("gpp", "kernels", times, 0);
  job.Known("gpp", "flops_dp_add", terms * (fused ? w : 2 + 8 * w), 0);
  job.Known("gpp", "flops_dp_mul", terms * muls, 0);
  job.Known("gpp", "flops_dp_fma", 2 * terms * ((fused ? 2 + 7 * w : 0) + division * w), 0);
  job.Known("gpp", "global_bytes", 48 * terms + 16 * w * threads, 0);
}

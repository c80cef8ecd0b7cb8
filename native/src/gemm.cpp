#include <cblas.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "kernels.hpp"

namespace nightsweep {
namespace {

/** Elements checked against a plain loop; each costs k multiplications. */
constexpr std::size_t kChecked = 4096;

template <typename T>
T element(int rank, std::size_t i, int matrix) {
  const std::size_t h = (i * 2654435761U + static_cast<std::size_t>(rank * 97 + matrix * 31)) % 1009;
  return static_cast<T>(h) / static_cast<T>(1009) - static_cast<T>(0.5);
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, int lda, const float* b,
          int ldb, float* c) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int lda, const double* b,
          int ldb, double* c) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

template <typename T>
class Gemm {
 public:
  Gemm(int rank, const GemmOptions& o)
      : m_(static_cast<std::size_t>(o.m)),
        n_(static_cast<std::size_t>(o.n)),
        k_(static_cast<std::size_t>(o.k)),
        ta_(o.layout[0] == 'T'),
        tb_(o.layout[1] == 'T'),
        a_(m_ * k_),
        b_(k_ * n_),
        c_(m_ * n_) {
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = element<T>(rank, i, 0);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = element<T>(rank, i, 1);
  }

  void operator()() {
    gemm(ta_ ? CblasTrans : CblasNoTrans, tb_ ? CblasTrans : CblasNoTrans, static_cast<int>(m_), static_cast<int>(n_),
         static_cast<int>(k_), a_.data(), static_cast<int>(ta_ ? m_ : k_), b_.data(), static_cast<int>(tb_ ? k_ : n_),
         c_.data());
  }

  /** Elements that differ by more than rounding explains, of a stride over all of them. */
  long check(bool spoil) {
    (*this)();
    if (spoil) c_[0] += 1;
    const std::size_t stride = std::max<std::size_t>(1, c_.size() / kChecked);
    const double tolerance = 8 * static_cast<double>(k_) * static_cast<double>(std::numeric_limits<T>::epsilon());
    long wrong = 0;
    for (std::size_t i = 0; i < c_.size(); i += stride) {
      const std::size_t row = i / n_;
      const std::size_t column = i % n_;
      double expected = 0;
      for (std::size_t p = 0; p < k_; ++p) {
        expected += static_cast<double>(ta_ ? a_[p * m_ + row] : a_[row * k_ + p]) *
                    static_cast<double>(tb_ ? b_[column * k_ + p] : b_[p * n_ + column]);
      }
      wrong += !(std::abs(static_cast<double>(c_[i]) - expected) <= tolerance);
    }
    return wrong;
  }

 private:
  std::size_t m_, n_, k_;
  bool ta_, tb_;
  std::vector<T> a_, b_, c_;
};

template <typename T>
Json run(Transport& transport, const GemmOptions& o, const Sampling& sampling) {
  const Json identity = {{"kernel", "gemm"},          {"m", o.m},
                         {"n", o.n},                  {"k", o.k},
                         {"dtype", to_string(o.dtype)}, {"layout", o.layout},
                         {"ranks", transport.ranks()}, {"opsPerSample", sampling.ops_per_sample}};
  Gemm<T> operation(transport.rank(), o);
  const bool spoil = o.fault == Fault::wrong && transport.rank() == 0;
  long wrong = transport.sum_over_ranks(operation.check(spoil));
  if (o.fault == Fault::crash && transport.rank() == transport.ranks() - 1) {
    std::_Exit(42);
  }
  const Samples samples = time_operation(
      transport, sampling, "kernel: gemm, mnk: " + std::to_string(o.m) + "x" + std::to_string(o.n) + "x" + std::to_string(o.k),
      [&] { operation(); });
  wrong += transport.sum_over_ranks(operation.check(spoil));
  return case_record(identity, samples, sampling, wrong, {0, 0, 2.0 * o.m * o.n * o.k});
}

}  // namespace

Json run_gemm(Transport& transport, const GemmOptions& o, const Sampling& sampling) {
  if (o.m < 1 || o.n < 1 || o.k < 1) {
    throw std::invalid_argument("m, n and k are at least 1");
  }
  switch (o.dtype) {
    case Dtype::f32:
      return Json::array({run<float>(transport, o, sampling)});
    case Dtype::f64:
      return Json::array({run<double>(transport, o, sampling)});
    case Dtype::i32:
      throw std::invalid_argument("gemm has no dtype i32; expected f32 or f64");
  }
  throw std::invalid_argument("no such dtype");
}

}  // namespace nightsweep

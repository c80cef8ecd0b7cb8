#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors.hpp"
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

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, int lda,
          const float* b, int ldb, float* c) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int lda,
          const double* b, int ldb, double* c) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

template <typename T>
class Gemm final : public Kernel {
 public:
  Gemm(const Run& run, const Json& identity)
      : m_(identity["m"].get<std::size_t>()),
        n_(identity["n"].get<std::size_t>()),
        k_(identity["k"].get<std::size_t>()),
        ta_(identity["layout"].get<std::string>()[0] == 'T'),
        tb_(identity["layout"].get<std::string>()[1] == 'T'),
        a_(m_ * k_),
        b_(k_ * n_),
        c_(m_ * n_) {
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = element<T>(run.transport.rank(), i, 0);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = element<T>(run.transport.rank(), i, 1);
  }

  /** Elements that differ by more than rounding explains, of a stride over all of them. */
  long check(bool spoil) override {
    multiply();
    if (spoil) c_[0] += 1;
    const std::size_t stride = std::max<std::size_t>(1, c_.size() / kChecked);
    const double tolerance =
        8 * static_cast<double>(k_) * static_cast<double>(std::numeric_limits<T>::epsilon());
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

  std::vector<Component> components() override {
    return {{.name = "gemm",
             .operation = [this] { multiply(); },
             .flops = 2.0 * static_cast<double>(m_) * static_cast<double>(n_) * static_cast<double>(k_)}};
  }

 private:
  void multiply() {
    gemm(ta_ ? CblasTrans : CblasNoTrans, tb_ ? CblasTrans : CblasNoTrans, static_cast<int>(m_),
         static_cast<int>(n_), static_cast<int>(k_), a_.data(), static_cast<int>(ta_ ? m_ : k_), b_.data(),
         static_cast<int>(tb_ ? k_ : n_), c_.data());
  }

  std::size_t m_, n_, k_;
  bool ta_, tb_;
  std::vector<T> a_, b_, c_;
};

std::unique_ptr<Kernel> make(const Run& run, const Json& identity) {
  const std::string dtype = identity["dtype"];
  if (run.transport.backend() != "mpi") throw Unsupported("this BLAS multiplies on the host");
  if (dtype == "f32") return std::make_unique<Gemm<float>>(run, identity);
  if (dtype == "f64") return std::make_unique<Gemm<double>>(run, identity);
  throw Unsupported("this BLAS has no matrix product in " + dtype);
}

}  // namespace

KernelKind gemm_kind() {
  using enum Parameter::Type;
  return {"gemm", "a matrix product on every rank",
          with_common({{"m", "--m", integer, 512, "rows of the product"},
                       {"n", "--n", integer, 512, "columns of the product"},
                       {"k", "--k", integer, 512, "the common dimension"},
                       {"layout", "--layout", text, "NN", "transposed or not", {"NN", "NT", "TN", "TT"}}},
                      {"f32", "f64", "bf16", "f16"}),
          make};
}

}  // namespace nightsweep

#include <cblas.h>

#include <algorithm>
#include <limits>

#include "errors.hpp"
#include "gemm_check.hpp"
#include "gpu_gemm.hpp"
#include "kernels.hpp"
#include "memory.hpp"

namespace nightsweep {
namespace {

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
      : seed_(mixed(run.check_seed, static_cast<std::uint64_t>(run.transport.rank()))),
        shape_{identity["m"], identity["n"], identity["k"], identity["layout"].get<std::string>()[0] == 'T',
               identity["layout"].get<std::string>()[1] == 'T'} {
    const auto m = static_cast<double>(shape_.m), n = static_cast<double>(shape_.n);
    const auto k = static_cast<double>(shape_.k);
    hold_memory(run.transport, (m * k + k * n + m * n) * sizeof(T) + n * k * sizeof(double));
    a_.resize(shape_.m * shape_.k);
    b_.resize(shape_.k * shape_.n);
    c_.resize(shape_.m * shape_.n);
    fill_fractions();
  }

  /** Checks every element of a product of integers exactly, then the rounding of the timed product. */
  long check(bool spoil) override {
    const GemmCheck<T> check(shape_, a_, b_, c_);
    fill_integers();
    multiply_anew();
    if (spoil) c_[0] += 1;
    long wrong = check.wrong_of_exact(seed_);
    for (const bool first_is_whole : {true, false}) {
      fill_selection(shape_, first_is_whole, std::numeric_limits<T>::digits, seed_, a_, b_);
      multiply_anew();
      wrong += check.wrong_of_exact(seed_);
    }
    fill_fractions();
    multiply_anew();
    return wrong + check.wrong_by_rounding(seed_);
  }

  std::vector<Component> components() override {
    return {{.name = "gemm",
             .operation = [this] { multiply(); },
             .flops = 2.0 * static_cast<double>(shape_.m) * static_cast<double>(shape_.n) *
                      static_cast<double>(shape_.k)}};
  }

  Json facts() override {
    return {{"elementsCompared", c_.size()},
            {"elementsHeldForRounding", GemmCheck<T>(shape_, a_, b_, c_).sampled()}};
  }

 private:
  void fill_integers() {
    const int range = exact_range(std::numeric_limits<T>::digits, shape_.k);
    KeyedRandom random(seed_, 0, 0, 0);
    for (auto* matrix : {&a_, &b_}) {
      for (T& x : *matrix) x = static_cast<T>(random.below(2 * range + 1) - range);
    }
  }
  /** Fills with numbers in (-0.5, 0.5) that have more digits than T. */
  void fill_fractions() {
    KeyedRandom random(seed_, 0, 0, 1);
    for (auto* matrix : {&a_, &b_}) {
      for (T& x : *matrix) x = static_cast<T>(random.uniform() - 0.5);
    }
  }
  /** Clears the result first, so that an earlier product cannot pass for this one's. */
  void multiply_anew() {
    std::ranges::fill(c_, std::numeric_limits<T>::quiet_NaN());
    run_timed("gemm");
  }
  void multiply() {
    const auto [m, n, k, ta, tb] = shape_;
    gemm(ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, static_cast<int>(m),
         static_cast<int>(n), static_cast<int>(k), a_.data(), static_cast<int>(ta ? m : k), b_.data(),
         static_cast<int>(tb ? k : n), c_.data());
  }

  std::uint64_t seed_;
  GemmShape shape_;
  std::vector<T> a_, b_, c_;
};

std::unique_ptr<Kernel> make_gemm(const Run& run, const Json& identity) {
  const std::string dtype = identity["dtype"];
  if (run.transport.accelerator() != nullptr) return gpu_gemm(run, identity);
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
                      {"f32", "f64", "bf16", "f16", "fp8"}),
          make_gemm};
}

}  // namespace nightsweep

#include "tp_shape.hpp"

#include <cblas.h>

#include <cmath>
#include <numbers>

#include "ep_random.hpp"

namespace nightsweep {
namespace {

constexpr std::uint64_t kInput = 100;
constexpr std::uint64_t kCachedKey = 101;

/** Uniform around 0 with variance 1; equal in every precision that can represent it. */
double at(std::uint64_t what, std::uint64_t row, std::uint64_t column) {
  const std::uint64_t bits = mixed(mixed(what, row), column);
  // 24 bits, so that f32 and f64 agree.
  return (static_cast<double>(bits >> 40) * 0x1p-24 - 0.5) * 2 * std::numbers::sqrt3;
}

int to_blas(std::size_t n) { return static_cast<int>(n); }

}  // namespace

TpShape tp_shape(const Json& identity) {
  const auto size = [&](const char* name) { return identity.at(name).get<std::size_t>(); };
  const bool decode = identity.at("phase") == "decode";
  return {size("hidden"),
          size("heads"),
          size("intermediate"),
          decode ? size("tokens") : 1,
          decode ? 1 : size("tokens"),
          decode ? size("cachedTokens") : 0};
}

double tp_flops(const TpShape& s, int ranks) {
  const auto rows = static_cast<double>(s.rows());
  const auto hidden = static_cast<double>(s.hidden);
  const double width = hidden / ranks;
  // A new token sees the cached ones and, on average, half of the new ones.
  const double seen = static_cast<double>(s.cached) + (static_cast<double>(s.fresh) + 1) / 2;
  return rows *
         (8 * hidden * width + 4 * width * seen + 6 * hidden * static_cast<double>(s.intermediate) / ranks);
}

template <typename T>
std::vector<T> matrix_block(TpMatrix matrix, std::size_t all_rows, std::size_t first_row, std::size_t rows,
                            std::size_t first_column, std::size_t columns) {
  // A power of two near 1 / sqrt(inputs) keeps results as large as inputs, and is exact in f32.
  const double scale = std::exp2(std::round(-0.5 * std::log2(static_cast<double>(all_rows))));
  std::vector<T> block(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = at(static_cast<std::uint64_t>(matrix), first_row + r, first_column + c);
      block[r * columns + c] = static_cast<T>(static_cast<float>(scale * value));
    }
  }
  return block;
}

template <typename T>
std::vector<T> tp_input(const TpShape& shape) {
  std::vector<T> input(shape.rows() * shape.hidden);
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = static_cast<T>(static_cast<float>(at(kInput, i / shape.hidden, i % shape.hidden)));
  }
  return input;
}

template <typename T>
std::vector<T> tp_cache(const TpShape& shape, bool values, std::size_t sequence, std::size_t head) {
  std::vector<T> cache(shape.cached * shape.head_dim());
  for (std::size_t i = 0; i < cache.size(); ++i) {
    cache[i] = static_cast<T>(
        static_cast<float>(at(kCachedKey + (values ? 1 : 0), sequence * shape.heads + head, i)));
  }
  return cache;
}

template <typename T>
void rotate(T* head, std::size_t head_dim, std::size_t position) {
  const std::size_t half = head_dim / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double exponent = -static_cast<double>(2 * i) / static_cast<double>(head_dim);
    const double angle = static_cast<double>(position) * std::pow(kRotationBase, exponent);
    const double a = static_cast<double>(head[i]);
    const double b = static_cast<double>(head[i + half]);
    head[i] = static_cast<T>(a * std::cos(angle) - b * std::sin(angle));
    head[i + half] = static_cast<T>(a * std::sin(angle) + b * std::cos(angle));
  }
}

template <typename T>
void normalise(const T* from, T* to, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      squares += static_cast<double>(from[r * columns + c]) * static_cast<double>(from[r * columns + c]);
    }
    const double factor = 1 / std::sqrt(squares / static_cast<double>(columns) + kEpsilon);
    for (std::size_t c = 0; c < columns; ++c) {
      to[r * columns + c] = static_cast<T>(factor * static_cast<double>(from[r * columns + c]));
    }
  }
}

void multiply(bool transposed_b, std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
              const float* b, std::size_t ldb, float* c, std::size_t ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, transposed_b ? CblasTrans : CblasNoTrans, to_blas(m), to_blas(n),
              to_blas(k), 1, a, to_blas(lda), b, to_blas(ldb), 0, c, to_blas(ldc));
}

void multiply(bool transposed_b, std::size_t m, std::size_t n, std::size_t k, const double* a,
              std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, transposed_b ? CblasTrans : CblasNoTrans, to_blas(m), to_blas(n),
              to_blas(k), 1, a, to_blas(lda), b, to_blas(ldb), 0, c, to_blas(ldc));
}

template std::vector<float> matrix_block(TpMatrix, std::size_t, std::size_t, std::size_t, std::size_t,
                                         std::size_t);
template std::vector<double> matrix_block(TpMatrix, std::size_t, std::size_t, std::size_t, std::size_t,
                                          std::size_t);
template std::vector<float> tp_input(const TpShape&);
template std::vector<double> tp_input(const TpShape&);
template std::vector<float> tp_cache(const TpShape&, bool, std::size_t, std::size_t);
template std::vector<double> tp_cache(const TpShape&, bool, std::size_t, std::size_t);
template void rotate(float*, std::size_t, std::size_t);
template void rotate(double*, std::size_t, std::size_t);
template void normalise(const float*, float*, std::size_t, std::size_t);
template void normalise(const double*, double*, std::size_t, std::size_t);

}  // namespace nightsweep

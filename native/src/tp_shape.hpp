#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "json.hpp"

namespace nightsweep {

/** The base of the angles by which positions rotate keys and queries. */
inline constexpr double kRotationBase = 10000;
/** Added to a row's mean square before the division. */
inline constexpr double kEpsilon = 1e-6;

/** A transformer layer and the tokens that go through it. */
struct TpShape {
  std::size_t hidden = 1024, heads = 8, intermediate = 4096;
  /**
   * Sequences, new tokens of each, and cached older tokens of each. Decoding has one new token in each
   * sequence.
   */
  std::size_t sequences = 1, fresh = 1, cached = 128;

  [[nodiscard]] std::size_t head_dim() const { return hidden / heads; }
  [[nodiscard]] std::size_t rows() const { return sequences * fresh; }
  [[nodiscard]] std::size_t context() const { return cached + fresh; }
};

/** The shape for a whole identity. */
TpShape tp_shape(const Json& identity);

/** The layer's matrices, each inputs by outputs. Heads are blocks of columns of query, key and value. */
enum class TpMatrix { query, key, value, out, gate, up, down };

/**
 * The numbers in a block of a whole matrix. They depend only on the position, so any rank can make any shard.
 */
template <typename T>
std::vector<T> matrix_block(TpMatrix matrix, std::size_t all_rows, std::size_t first_row, std::size_t rows,
                            std::size_t first_column, std::size_t columns);

/** The layer's input, rows by hidden. */
template <typename T>
std::vector<T> tp_input(const TpShape& shape);

/** One head's cached keys (rotated already) or values of one sequence, tokens by head_dim. */
template <typename T>
std::vector<T> tp_cache(const TpShape& shape, bool values, std::size_t sequence, std::size_t head);

/** Rotates pairs (i, i + head_dim / 2) of one head's query or key by the angles of its position. */
template <typename T>
void rotate(T* head, std::size_t head_dim, std::size_t position);

/** Divides each row by its root mean square. */
template <typename T>
void normalise(const T* from, T* to, std::size_t rows, std::size_t columns);

/** c = a b or a b^T, row-major; lda, ldb and ldc are the lengths of rows in memory. */
void multiply(bool transposed_b, std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
              const float* b, std::size_t ldb, float* c, std::size_t ldc);
void multiply(bool transposed_b, std::size_t m, std::size_t n, std::size_t k, const double* a,
              std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc);

/** Floating-point operations of one of this many ranks. */
double tp_flops(const TpShape& shape, int ranks);

/** The whole layer on one rank, in double precision. */
std::vector<double> tp_reference(const TpShape& shape);

}  // namespace nightsweep

#pragma once
#include <cmath>

#include "dtype.hpp"
#include "gpu_step.hpp"

namespace nightsweep {

/** Columns of a row for which one index sums the squares. */
inline constexpr std::size_t kStepColumns = 256;

/** One rank's part of a layer: heads are its own; rows are sequences times fresh tokens. */
struct TpExtent {
  std::size_t sequences, fresh, cached, heads, dim;

  NIGHTSWEEP_STEP std::size_t rows() const { return sequences * fresh; }
  NIGHTSWEEP_STEP std::size_t context() const { return cached + fresh; }
  NIGHTSWEEP_STEP std::size_t width() const { return heads * dim; }
  /** The start of a head's keys or values for a sequence, tokens by dim. */
  NIGHTSWEEP_STEP std::size_t cache(std::size_t sequence, std::size_t head) const {
    return (sequence * heads + head) * context() * dim;
  }
};

/** Sums of squares of a row's stretches. One index for each row and stretch. */
template <typename T>
struct SumSquares {
  const T* from;
  float* sums;
  std::size_t columns, stretches;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t begin = i % stretches * kStepColumns;
    const std::size_t end = begin + kStepColumns < columns ? begin + kStepColumns : columns;
    const T* const row = from + i / stretches * columns;
    float sum = 0;
    for (std::size_t c = begin; c < end; ++c) sum += static_cast<float>(row[c]) * static_cast<float>(row[c]);
    sums[i] = sum;
  }
};

/** Divides each row by its root mean square. One index for each element. */
template <typename T>
struct DivideRows {
  const T* from;
  const float* sums;
  T* to;
  std::size_t columns, stretches;
  float epsilon;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    float squares = 0;
    for (std::size_t s = 0; s < stretches; ++s) squares += sums[i / columns * stretches + s];
    const float root = ::sqrtf(squares / static_cast<float>(columns) + epsilon);
    to[i] = T(static_cast<float>(from[i]) / root);
  }
};

/**
 * Rotates queries and keys by their positions, in place, and stores keys and values. One index for each row,
 * head and pair.
 */
template <typename T>
struct RotateAndKeep {
  TpExtent e;
  /** Query, key and value of each row, each as wide as all heads. */
  T* qkv;
  T* keys;
  T* values;
  /** By position and pair. */
  const float* cosines;
  const float* sines;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t half = e.dim / 2;
    const std::size_t pair = i % half;
    const std::size_t head = i / half % e.heads;
    const std::size_t row = i / half / e.heads;
    const std::size_t position = e.cached + row % e.fresh;
    const float cosine = cosines[position * half + pair];
    const float sine = sines[position * half + pair];
    T* const query = qkv + row * 3 * e.width() + head * e.dim;
    turn(query, pair, half, cosine, sine);
    T* const key = query + e.width();
    turn(key, pair, half, cosine, sine);
    const T* const value = key + e.width();
    const std::size_t kept = e.cache(row / e.fresh, head) + position * e.dim;
    for (const std::size_t at : {pair, pair + half}) {
      keys[kept + at] = key[at];
      values[kept + at] = value[at];
    }
  }

 private:
  NIGHTSWEEP_STEP static void turn(T* vector, std::size_t pair, std::size_t half, float cosine, float sine) {
    const float a = static_cast<float>(vector[pair]);
    const float b = static_cast<float>(vector[pair + half]);
    vector[pair] = T(a * cosine - b * sine);
    vector[pair + half] = T(a * sine + b * cosine);
  }
};

/**
 * Scaled products of queries and visible keys. One index for each sequence, head, fresh token and older
 * token.
 */
template <typename T>
struct Score {
  TpExtent e;
  const T* qkv;
  const T* keys;
  float* scores;
  float scale;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t seen = i % e.context();
    const std::size_t fresh = i / e.context() % e.fresh;
    const std::size_t head = i / e.context() / e.fresh % e.heads;
    const std::size_t sequence = i / e.context() / e.fresh / e.heads;
    if (seen > e.cached + fresh) return;
    const T* const query = qkv + (sequence * e.fresh + fresh) * 3 * e.width() + head * e.dim;
    const T* const key = keys + e.cache(sequence, head) + seen * e.dim;
    float sum = 0;
    for (std::size_t d = 0; d < e.dim; ++d) sum += static_cast<float>(query[d]) * static_cast<float>(key[d]);
    scores[i] = scale * sum;
  }
};

/**
 * The largest score of each query, and the sum of the exponentials relative to it. One index for each
 * sequence, head and token.
 */
struct SumScores {
  TpExtent e;
  const float* scores;
  float* largest;
  float* sums;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t seen = e.cached + i % e.fresh + 1;
    const float* const row = scores + i * e.context();
    float most = row[0];
    for (std::size_t j = 1; j < seen; ++j) most = row[j] > most ? row[j] : most;
    float sum = 0;
    for (std::size_t j = 0; j < seen; ++j) sum += ::expf(row[j] - most);
    largest[i] = most;
    sums[i] = sum;
  }
};

/** Turns scores into shares of attention, 0 for hidden tokens. One index for each score. */
struct SoftenScores {
  TpExtent e;
  const float* largest;
  const float* sums;
  float* scores;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t row = i / e.context();
    const bool sees = i % e.context() <= e.cached + row % e.fresh;
    scores[i] = sees ? ::expf(scores[i] - largest[row]) / sums[row] : 0;
  }
};

/** Values weighted by shares. One index for each row, head and element. */
template <typename T>
struct Attend {
  TpExtent e;
  const float* shares;
  const T* values;
  T* attended;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const std::size_t element = i % e.dim;
    const std::size_t head = i / e.dim % e.heads;
    const std::size_t row = i / e.dim / e.heads;
    const std::size_t sequence = row / e.fresh;
    const std::size_t fresh = row % e.fresh;
    const float* const own = shares + ((sequence * e.heads + head) * e.fresh + fresh) * e.context();
    const T* const value = values + e.cache(sequence, head) + element;
    float sum = 0;
    for (std::size_t j = 0; j <= e.cached + fresh; ++j) sum += own[j] * static_cast<float>(value[j * e.dim]);
    attended[row * e.width() + head * e.dim + element] = T(sum);
  }
};

/** The gated activation. One index for each element. */
template <typename T>
struct Gate {
  T* gate;
  const T* up;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    const float g = static_cast<float>(gate[i]);
    gate[i] = T(g / (1 + ::expf(-g)) * static_cast<float>(up[i]));
  }
};

/** The sum of two arrays, element by element. */
template <typename T>
struct Add {
  const T* a;
  const T* b;
  T* sum;

  NIGHTSWEEP_STEP void operator()(std::size_t i) const {
    sum[i] = T(static_cast<float>(a[i]) + static_cast<float>(b[i]));
  }
};

}  // namespace nightsweep

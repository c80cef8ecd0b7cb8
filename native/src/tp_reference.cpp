#include <algorithm>
#include <cmath>

#include "tp_shape.hpp"

namespace nightsweep {
namespace {

using Numbers = std::vector<double>;

Numbers times(const Numbers& x, std::size_t rows, TpMatrix matrix, std::size_t in, std::size_t out) {
  const Numbers whole = matrix_block<double>(matrix, in, 0, in, 0, out);
  Numbers y(rows * out);
  multiply(false, rows, out, in, x.data(), in, whole.data(), out, y.data(), out);
  return y;
}

/** Rotates by complex multiplication, independently of the tested code. */
void turn(double* head, std::size_t dim, std::size_t position) {
  for (std::size_t i = 0; i < dim / 2; ++i) {
    const double angle = static_cast<double>(position) /
                         std::pow(10000.0, 2.0 * static_cast<double>(i) / static_cast<double>(dim));
    const double real = head[i], imaginary = head[i + dim / 2];
    head[i] = real * std::cos(angle) - imaginary * std::sin(angle);
    head[i + dim / 2] = imaginary * std::cos(angle) + real * std::sin(angle);
  }
}

/** One query over all visible keys, with plain loops. */
void attend(const double* query, const Numbers& keys, const Numbers& values, std::size_t seen,
            std::size_t dim, double* result) {
  Numbers weights(seen);
  for (std::size_t j = 0; j < seen; ++j) {
    for (std::size_t i = 0; i < dim; ++i) weights[j] += query[i] * keys[j * dim + i];
    weights[j] /= std::sqrt(static_cast<double>(dim));
  }
  const double most = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& w : weights) sum += w = std::exp(w - most);
  for (std::size_t i = 0; i < dim; ++i) {
    result[i] = 0;
    for (std::size_t j = 0; j < seen; ++j) result[i] += weights[j] / sum * values[j * dim + i];
  }
}

Numbers attention(const TpShape& s, Numbers q, Numbers k, const Numbers& v) {
  const std::size_t dim = s.head_dim();
  Numbers result(s.rows() * s.hidden);
  for (std::size_t sequence = 0; sequence < s.sequences; ++sequence) {
    for (std::size_t head = 0; head < s.heads; ++head) {
      Numbers keys = tp_cache<double>(s, false, sequence, head);
      Numbers values = tp_cache<double>(s, true, sequence, head);
      for (std::size_t t = 0; t < s.fresh; ++t) {
        const std::size_t at = (sequence * s.fresh + t) * s.hidden + head * dim;
        turn(&q[at], dim, s.cached + t);
        turn(&k[at], dim, s.cached + t);
        keys.insert(keys.end(), &k[at], &k[at] + dim);
        values.insert(values.end(), &v[at], &v[at] + dim);
      }
      for (std::size_t t = 0; t < s.fresh; ++t) {
        const std::size_t at = (sequence * s.fresh + t) * s.hidden + head * dim;
        attend(&q[at], keys, values, s.cached + t + 1, dim, &result[at]);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<double> tp_reference(const TpShape& s) {
  Numbers x = tp_input<double>(s);
  Numbers normal(x.size());
  normalise(x.data(), normal.data(), s.rows(), s.hidden);
  const auto projected = [&](TpMatrix m) { return times(normal, s.rows(), m, s.hidden, s.hidden); };
  const Numbers attended =
      attention(s, projected(TpMatrix::query), projected(TpMatrix::key), projected(TpMatrix::value));
  const Numbers out = times(attended, s.rows(), TpMatrix::out, s.hidden, s.hidden);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += out[i];
  normalise(x.data(), normal.data(), s.rows(), s.hidden);
  Numbers inner = times(normal, s.rows(), TpMatrix::gate, s.hidden, s.intermediate);
  const Numbers up = times(normal, s.rows(), TpMatrix::up, s.hidden, s.intermediate);
  for (std::size_t i = 0; i < inner.size(); ++i) inner[i] *= up[i] / (1 + std::exp(-inner[i]));
  const Numbers down = times(inner, s.rows(), TpMatrix::down, s.intermediate, s.hidden);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += down[i];
  return x;
}

}  // namespace nightsweep

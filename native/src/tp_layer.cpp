#include "tp_layer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nightsweep {
namespace {

template <typename T>
constexpr Dtype kDtype = sizeof(T) == sizeof(float) ? Dtype::f32 : Dtype::f64;

/** Copies columns into a wider matrix, beginning at a column. */
template <typename T>
void put_columns(const std::vector<T>& block, std::size_t columns, std::vector<T>& matrix,
                 std::size_t all_columns, std::size_t first) {
  for (std::size_t row = 0; row * columns < block.size(); ++row) {
    std::copy_n(&block[row * columns], columns, &matrix[row * all_columns + first]);
  }
}

/** The softmax over the first `seen` elements of a row; the others become 0. */
template <typename T>
void soften(T* row, std::size_t seen, std::size_t all, T scale) {
  const T most = scale * *std::max_element(row, row + seen);
  T sum = 0;
  for (std::size_t i = 0; i < seen; ++i) sum += row[i] = std::exp(scale * row[i] - most);
  for (std::size_t i = 0; i < seen; ++i) row[i] /= sum;
  std::fill(row + seen, row + all, T{0});
}

}  // namespace

template <typename T>
TpLayer<T>::TpLayer(Transport& transport, const TpShape& s)
    : transport_(transport),
      shape_(s),
      heads_(s.heads / static_cast<std::size_t>(transport.ranks())),
      columns_(s.intermediate / static_cast<std::size_t>(transport.ranks())),
      input_(tp_input<T>(s)) {
  const auto rank = static_cast<std::size_t>(transport.rank());
  const std::size_t width = heads_ * s.head_dim();
  const auto by_columns = [&](TpMatrix m, std::size_t columns) {
    return matrix_block<T>(m, s.hidden, 0, s.hidden, rank * columns, columns);
  };
  qkv_weights_.resize(s.hidden * 3 * width);
  put_columns(by_columns(TpMatrix::query, width), width, qkv_weights_, 3 * width, 0);
  put_columns(by_columns(TpMatrix::key, width), width, qkv_weights_, 3 * width, width);
  put_columns(by_columns(TpMatrix::value, width), width, qkv_weights_, 3 * width, 2 * width);
  out_weights_ = matrix_block<T>(TpMatrix::out, s.hidden, rank * width, width, 0, s.hidden);
  gate_weights_ = by_columns(TpMatrix::gate, columns_);
  up_weights_ = by_columns(TpMatrix::up, columns_);
  down_weights_ = matrix_block<T>(TpMatrix::down, s.intermediate, rank * columns_, columns_, 0, s.hidden);

  for (auto* rows : {&normal_, &partial_, &middle_, &output}) rows->resize(s.rows() * s.hidden);
  qkv_.resize(s.rows() * 3 * width);
  attended_.resize(s.rows() * width);
  gate_.resize(s.rows() * columns_);
  up_.resize(gate_.size());
  scores_.resize(s.fresh * s.context());
  keys_.resize(s.sequences * heads_ * s.context() * s.head_dim());
  values_.resize(keys_.size());
  for (std::size_t sequence = 0; sequence < s.sequences; ++sequence) {
    for (std::size_t head = 0; head < heads_; ++head) {
      std::ranges::copy(tp_cache<T>(s, false, sequence, rank * heads_ + head), cache(keys_, sequence, head));
      std::ranges::copy(tp_cache<T>(s, true, sequence, rank * heads_ + head), cache(values_, sequence, head));
    }
  }
  attention_ = {[this] { normalise(input_.data(), normal_.data(), shape_.rows(), shape_.hidden); },
                [this] { project_queries_keys_values(); }, [this] { rotate_and_cache(); },
                [this] { attend(); }, [this] { project_attended(); }};
  feed_forward_ = {[this] { add_partial(input_, middle_); },
                   [this] { normalise(middle_.data(), normal_.data(), shape_.rows(), shape_.hidden); },
                   [this] { feed_forward_in(); }, [this] { feed_forward_out(); }};
}

template <typename T>
T* TpLayer<T>::cache(std::vector<T>& of, std::size_t sequence, std::size_t head) {
  return &of[(sequence * heads_ + head) * shape_.context() * shape_.head_dim()];
}

template <typename T>
void TpLayer<T>::project_queries_keys_values() {
  const std::size_t width = 3 * heads_ * shape_.head_dim();
  multiply(false, shape_.rows(), width, shape_.hidden, normal_.data(), shape_.hidden, qkv_weights_.data(),
           width, qkv_.data(), width);
}

template <typename T>
void TpLayer<T>::rotate_and_cache() {
  const std::size_t dim = shape_.head_dim();
  const std::size_t width = heads_ * dim;
  for (std::size_t row = 0; row < shape_.rows(); ++row) {
    const std::size_t sequence = row / shape_.fresh;
    const std::size_t position = shape_.cached + row % shape_.fresh;
    for (std::size_t head = 0; head < heads_; ++head) {
      T* query = &qkv_[row * 3 * width + head * dim];
      rotate(query, dim, position);
      rotate(query + width, dim, position);
      std::copy_n(query + width, dim, cache(keys_, sequence, head) + position * dim);
      std::copy_n(query + 2 * width, dim, cache(values_, sequence, head) + position * dim);
    }
  }
}

template <typename T>
void TpLayer<T>::attend() {
  for (std::size_t sequence = 0; sequence < shape_.sequences; ++sequence) {
    for (std::size_t head = 0; head < heads_; ++head) attend(sequence, head);
  }
}

template <typename T>
void TpLayer<T>::attend(std::size_t sequence, std::size_t head) {
  const std::size_t dim = shape_.head_dim();
  const std::size_t width = heads_ * dim;
  const std::size_t context = shape_.context();
  const T scale = 1 / std::sqrt(static_cast<T>(dim));
  const T* queries = &qkv_[sequence * shape_.fresh * 3 * width + head * dim];
  multiply(true, shape_.fresh, context, dim, queries, 3 * width, cache(keys_, sequence, head), dim,
           scores_.data(), context);
  for (std::size_t t = 0; t < shape_.fresh; ++t) {
    soften(&scores_[t * context], shape_.cached + t + 1, context, scale);
  }
  multiply(false, shape_.fresh, dim, context, scores_.data(), context, cache(values_, sequence, head), dim,
           &attended_[sequence * shape_.fresh * width + head * dim], width);
}

template <typename T>
void TpLayer<T>::project_attended() {
  const std::size_t width = heads_ * shape_.head_dim();
  multiply(false, shape_.rows(), shape_.hidden, width, attended_.data(), width, out_weights_.data(),
           shape_.hidden, partial_.data(), shape_.hidden);
}

template <typename T>
void TpLayer<T>::feed_forward_in() {
  for (auto [weights, result] : {std::pair(&gate_weights_, &gate_), std::pair(&up_weights_, &up_)}) {
    multiply(false, shape_.rows(), columns_, shape_.hidden, normal_.data(), shape_.hidden, weights->data(),
             columns_, result->data(), columns_);
  }
  for (std::size_t i = 0; i < gate_.size(); ++i) gate_[i] *= up_[i] / (1 + std::exp(-gate_[i]));
}

template <typename T>
void TpLayer<T>::feed_forward_out() {
  multiply(false, shape_.rows(), shape_.hidden, columns_, gate_.data(), columns_, down_weights_.data(),
           shape_.hidden, partial_.data(), shape_.hidden);
}

template <typename T>
void TpLayer<T>::add_partial(const std::vector<T>& residual, std::vector<T>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = residual[i] + partial_[i];
}

template <typename T>
void TpLayer<T>::allreduce() {
  transport_.allreduce(partial_.data(), partial_.data(), partial_.size(), kDtype<T>);
}

template <typename T>
void TpLayer<T>::run_per_op() {
  for (const auto& operation : attention_) submitter_.run(operation);
  allreduce();
  for (const auto& operation : feed_forward_) submitter_.run(operation);
  allreduce();
  add_partial(middle_, output);
}

template <typename T>
void TpLayer<T>::run_split(bool sums) {
  const auto all_of = [](const Operations& operations) {
    return [&operations] {
      for (const auto& operation : operations) operation();
    };
  };
  submitter_.run(all_of(attention_));
  if (sums) allreduce();
  submitter_.run(all_of(feed_forward_));
  if (sums) allreduce();
}

template <typename T>
void TpLayer<T>::run_split() {
  run_split(true);
  add_partial(middle_, output);
}

template <typename T>
void TpLayer<T>::compute() {
  run_split(false);
}

template <typename T>
void TpLayer<T>::set_partial(T value) {
  std::ranges::fill(partial_, value);
}

template <typename T>
void TpLayer<T>::communicate() {
  allreduce();
  allreduce();
}

template <typename T>
void TpLayer<T>::forget() {
  constexpr T kNone = std::numeric_limits<T>::quiet_NaN();
  for (auto* numbers : {&normal_, &qkv_, &attended_, &partial_, &middle_, &gate_, &up_, &scores_, &output}) {
    std::ranges::fill(*numbers, kNone);
  }
  const std::size_t old = shape_.cached * shape_.head_dim();
  const std::size_t fresh = shape_.fresh * shape_.head_dim();
  for (auto* of : {&keys_, &values_}) {
    for (std::size_t h = 0; h < shape_.sequences * heads_; ++h) {
      std::fill_n(cache(*of, h / heads_, h % heads_) + old, fresh, kNone);
    }
  }
}

template class TpLayer<float>;
template class TpLayer<double>;

}  // namespace nightsweep

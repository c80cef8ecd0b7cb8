#include "gpu_tp_layer.hpp"

#include <algorithm>
#include <cmath>

#include "memory.hpp"

namespace nightsweep {
namespace {

template <typename T>
constexpr Dtype kElementType = std::is_same_v<T, float> ? Dtype::f32
                               : std::is_same_v<T, f16> ? Dtype::f16
                                                        : Dtype::bf16;

template <typename T>
constexpr ProductType kType = std::is_same_v<T, float> ? ProductType::f32
                              : std::is_same_v<T, f16> ? ProductType::f16
                                                       : ProductType::bf16;

std::size_t stretches(std::size_t columns) { return (columns + kStepColumns - 1) / kStepColumns; }

}  // namespace

template <typename T>
GpuTpLayer<T>::GpuTpLayer(Transport& transport, const TpShape& s, Accelerator& device, BufferKind memory)
    : transport_(transport),
      shape_(s),
      device_(device),
      memory_(memory),
      extent_{s.sequences, s.fresh, s.cached, s.heads / static_cast<std::size_t>(transport.ranks()),
              s.head_dim()},
      columns_(s.intermediate / static_cast<std::size_t>(transport.ranks())) {
  allocate_together(transport, [this] {
    make_all();
    plan();
  });
  attention_graph_ = transport_.recorded([this] { run(attention_); });
  feed_forward_graph_ = transport_.recorded([this] { run(feed_forward_); });
}

template <typename T>
void GpuTpLayer<T>::make_all() {
  const TpShape& s = shape_;
  const auto rank = static_cast<std::size_t>(transport_.rank());
  const std::size_t width = extent_.width();
  const auto by_columns = [&](TpMatrix m, std::size_t columns) {
    return matrix_block<float>(m, s.hidden, 0, s.hidden, rank * columns, columns);
  };
  std::vector<float> together(s.hidden * 3 * width);
  std::size_t first = 0;
  for (const TpMatrix m : {TpMatrix::query, TpMatrix::key, TpMatrix::value}) {
    const std::vector<float> block = by_columns(m, width);
    for (std::size_t row = 0; row < s.hidden; ++row) {
      std::copy_n(&block[row * width], width, &together[row * 3 * width + first]);
    }
    first += width;
  }
  qkv_weights_ = made_of(together);
  out_weights_ = made_of(matrix_block<float>(TpMatrix::out, s.hidden, rank * width, width, 0, s.hidden));
  gate_weights_ = made_of(by_columns(TpMatrix::gate, columns_));
  up_weights_ = made_of(by_columns(TpMatrix::up, columns_));
  down_weights_ =
      made_of(matrix_block<float>(TpMatrix::down, s.intermediate, rank * columns_, columns_, 0, s.hidden));
  input_ = made_of(tp_input<float>(s));

  const std::size_t rows = s.rows();
  for (Buffer* buffer : {&normal_, &partial_, &middle_, &result_}) *buffer = make(rows * s.hidden);
  squares_ = make(rows * stretches(s.hidden), sizeof(float));
  qkv_ = make(rows * 3 * width);
  attended_ = make(rows * width);
  gate_ = make(rows * columns_);
  up_ = make(rows * columns_);
  scores_ = make(rows * extent_.heads * extent_.context(), sizeof(float));
  largest_ = make(rows * extent_.heads, sizeof(float));
  sums_ = make(rows * extent_.heads, sizeof(float));

  const std::size_t cached = s.cached * s.head_dim();
  for (const bool values : {false, true}) {
    std::vector<float> cache(s.sequences * extent_.heads * extent_.context() * s.head_dim());
    for (std::size_t sequence = 0; sequence < s.sequences; ++sequence) {
      for (std::size_t head = 0; head < extent_.heads; ++head) {
        const auto own = tp_cache<float>(s, values, sequence, rank * extent_.heads + head);
        std::copy_n(own.data(), cached, &cache[extent_.cache(sequence, head)]);
      }
    }
    (values ? values_ : keys_) = made_of(cache);
  }
  const std::size_t half = s.head_dim() / 2;
  std::vector<float> cosines(extent_.context() * half), sines(cosines.size());
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    const double exponent = -static_cast<double>(2 * (i % half)) / static_cast<double>(s.head_dim());
    const double angle = static_cast<double>(i / half) * std::pow(kRotationBase, exponent);
    cosines[i] = static_cast<float>(std::cos(angle));
    sines[i] = static_cast<float>(std::sin(angle));
  }
  for (auto [numbers, to] : {std::pair(&cosines, &cosines_), std::pair(&sines, &sines_)}) {
    *to = make(numbers->size(), sizeof(float));
    transport_.upload(to->data(), numbers->data(), numbers->size() * sizeof(float));
  }
}

template <typename T>
void GpuTpLayer<T>::plan() {
  const std::size_t hidden = shape_.hidden;
  const std::size_t width = extent_.width();
  void* const stream = device_.stream();
  attention_ = {[this] { normalise(input_); }, product(normal_, hidden, qkv_weights_, 3 * width, qkv_),
                [this, stream] {
                  enqueue(stream, extent_.rows() * extent_.heads * extent_.dim / 2,
                          RotateAndKeep<T>{extent_, qkv_.as<T>(), keys_.as<T>(), values_.as<T>(),
                                           cosines_.as<float>(), sines_.as<float>()});
                },
                [this] { attend(); }, product(attended_, width, out_weights_, hidden, partial_)};
  feed_forward_ = {[this] { add(input_, middle_); },
                   [this] { normalise(middle_); },
                   product(normal_, hidden, gate_weights_, columns_, gate_),
                   product(normal_, hidden, up_weights_, columns_, up_),
                   [this, stream] {
                     enqueue(stream, extent_.rows() * columns_, Gate<T>{gate_.as<T>(), up_.as<T>()});
                   },
                   product(gate_, columns_, down_weights_, hidden, partial_)};
}

template <typename T>
Buffer GpuTpLayer<T>::make(std::size_t elements, std::size_t width) {
  return transport_.allocate(memory_, elements * width);
}

template <typename T>
Buffer GpuTpLayer<T>::made_of(const std::vector<float>& numbers) {
  const std::vector<T> narrow(numbers.begin(), numbers.end());
  Buffer made = make(narrow.size());
  transport_.upload(made.data(), narrow.data(), narrow.size() * sizeof(T));
  return made;
}

template <typename T>
std::function<void()> GpuTpLayer<T>::product(const Buffer& a, std::size_t k, const Buffer& b, std::size_t n,
                                             const Buffer& c) {
  products_.push_back(device_.product({shape_.rows(), n, k, false, false, kType<T>}));
  return [one = products_.back().get(), from = a.data(), with = b.data(), to = c.data()] {
    one->run(from, with, to);
  };
}

template <typename T>
void GpuTpLayer<T>::normalise(const Buffer& from) {
  const std::size_t parts = stretches(shape_.hidden);
  enqueue(device_.stream(), shape_.rows() * parts,
          SumSquares<T>{from.as<T>(), squares_.as<float>(), shape_.hidden, parts});
  enqueue(device_.stream(), shape_.rows() * shape_.hidden,
          DivideRows<T>{from.as<T>(), squares_.as<float>(), normal_.as<T>(), shape_.hidden, parts,
                        static_cast<float>(kEpsilon)});
}

template <typename T>
void GpuTpLayer<T>::attend() {
  void* const stream = device_.stream();
  const std::size_t queries = extent_.rows() * extent_.heads;
  const float scale = 1 / std::sqrt(static_cast<float>(extent_.dim));
  enqueue(stream, queries * extent_.context(),
          Score<T>{extent_, qkv_.as<T>(), keys_.as<T>(), scores_.as<float>(), scale});
  enqueue(stream, queries, SumScores{extent_, scores_.as<float>(), largest_.as<float>(), sums_.as<float>()});
  enqueue(stream, queries * extent_.context(),
          SoftenScores{extent_, largest_.as<float>(), sums_.as<float>(), scores_.as<float>()});
  enqueue(stream, queries * extent_.dim,
          Attend<T>{extent_, scores_.as<float>(), values_.as<T>(), attended_.as<T>()});
}

template <typename T>
void GpuTpLayer<T>::add(const Buffer& residual, const Buffer& sum) {
  enqueue(device_.stream(), shape_.rows() * shape_.hidden,
          Add<T>{residual.as<T>(), partial_.as<T>(), sum.as<T>()});
}

template <typename T>
void GpuTpLayer<T>::allreduce() {
  transport_.allreduce(partial_.data(), partial_.data(), shape_.rows() * shape_.hidden, kElementType<T>);
}

template <typename T>
void GpuTpLayer<T>::run(const Operations& operations) {
  for (const auto& operation : operations) operation();
}

template <typename T>
void GpuTpLayer<T>::run_per_op() {
  // Waits after each operation, like a host that submits one at a time.
  const auto one_by_one = [this](const Operations& operations) {
    for (const auto& operation : operations) {
      operation();
      device_.synchronise();
    }
  };
  one_by_one(attention_);
  allreduce();
  one_by_one(feed_forward_);
  allreduce();
  add(middle_, result_);
}

template <typename T>
void GpuTpLayer<T>::run_split(bool sums) {
  attention_graph_ ? (*attention_graph_)() : run(attention_);
  if (sums) allreduce();
  feed_forward_graph_ ? (*feed_forward_graph_)() : run(feed_forward_);
  if (sums) allreduce();
}

template <typename T>
void GpuTpLayer<T>::run_split() {
  run_split(true);
  add(middle_, result_);
}

template <typename T>
void GpuTpLayer<T>::compute() {
  run_split(false);
}

template <typename T>
void GpuTpLayer<T>::communicate() {
  allreduce();
  allreduce();
}

template <typename T>
void GpuTpLayer<T>::set_partial(T value) {
  const std::vector<T> all(shape_.rows() * shape_.hidden, value);
  transport_.upload(partial_.data(), all.data(), all.size() * sizeof(T));
}

template <typename T>
std::vector<T> GpuTpLayer<T>::summed() {
  std::vector<T> found(shape_.rows() * shape_.hidden);
  transport_.download(found.data(), partial_.data(), found.size() * sizeof(T));
  return found;
}

template <typename T>
void GpuTpLayer<T>::forget() {
  // With all bits set, every type has a NaN.
  const auto none_in = [this](void* to, std::size_t bytes) {
    const std::vector<std::byte> ones(bytes, std::byte{0xFF});
    transport_.upload(to, ones.data(), bytes);
  };
  for (const Buffer* numbers : {&normal_, &squares_, &qkv_, &attended_, &partial_, &middle_, &gate_, &up_,
                                &scores_, &largest_, &sums_, &result_}) {
    none_in(numbers->data(), numbers->bytes());
  }
  const std::size_t old = shape_.cached * extent_.dim;
  for (const Buffer* of : {&keys_, &values_}) {
    for (std::size_t h = 0; h < shape_.sequences * extent_.heads; ++h) {
      none_in(of->as<T>() + extent_.cache(h / extent_.heads, h % extent_.heads) + old,
              shape_.fresh * extent_.dim * sizeof(T));
    }
  }
}

template <typename T>
void GpuTpLayer<T>::settle() {
  std::vector<T> found(shape_.rows() * shape_.hidden);
  transport_.download(found.data(), result_.data(), found.size() * sizeof(T));
  output.assign(found.size(), 0);
  std::ranges::transform(found, output.begin(), [](T x) { return static_cast<float>(x); });
}

template class GpuTpLayer<float>;
template class GpuTpLayer<f16>;
template class GpuTpLayer<bf16>;

}  // namespace nightsweep

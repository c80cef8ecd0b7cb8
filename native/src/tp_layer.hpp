#pragma once
#include <functional>
#include <vector>

#include "submitter.hpp"
#include "tp_shape.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * One rank's shard of a layer: attention and feed-forward, each a column-parallel projection, what follows on
 * the own heads or columns, a row-parallel projection and an allreduce. T is float or double.
 */
template <typename T>
class TpLayer {
 public:
  TpLayer(Transport& transport, const TpShape& shape);

  /** Each operation is a submission by itself. */
  void run_per_op();
  /** Attention is one submission and the feed-forward another, with an allreduce after each. */
  void run_split();
  /** As split, without the allreduces. */
  void compute();
  /** The two allreduces alone. */
  void communicate();
  /** One number in place of each that communicate sums; zeros do not grow, however often they are summed. */
  void set_partial(T value);
  /** No number, where the next result and what it is made of are to be. */
  void forget();
  /** Brings what lies elsewhere to output: here nothing does. */
  void settle() {}
  /** Submissions are calls. */
  [[nodiscard]] static bool graphs() { return false; }

  /** After a run: the layer's output, rows by hidden, whole on every rank. */
  std::vector<T> output;

  /** Bytes that an allreduce sums. */
  [[nodiscard]] std::size_t allreduce_bytes() const { return partial_.size() * sizeof(T); }
  /** What the last allreduce left. */
  [[nodiscard]] const std::vector<T>& summed() { return partial_; }

 private:
  using Operations = std::vector<std::function<void()>>;

  void project_queries_keys_values();
  void rotate_and_cache();
  void attend();
  void attend(std::size_t sequence, std::size_t head);
  void project_attended();
  void feed_forward_in();
  void feed_forward_out();
  /** Adds what was summed over ranks to the residual, or takes it for the output. */
  void add_partial(const std::vector<T>& residual, std::vector<T>& sum);
  void allreduce();
  void run_split(bool sums);
  [[nodiscard]] T* cache(std::vector<T>& of, std::size_t sequence, std::size_t head);

  Transport& transport_;
  TpShape shape_;
  /** Of this rank: heads, and inner columns. */
  std::size_t heads_, columns_;
  std::vector<T> qkv_weights_, out_weights_, gate_weights_, up_weights_, down_weights_;
  std::vector<T> input_, normal_, qkv_, keys_, values_, scores_, attended_, partial_, middle_, gate_, up_;
  Operations attention_, feed_forward_;
  Submitter submitter_;
};

}  // namespace nightsweep

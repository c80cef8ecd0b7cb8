#pragma once
#include <functional>
#include <vector>

#include "submitter.hpp"
#include "tp_shape.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * One rank's shard of a layer: attention and feed-forward. Each consists of a column-parallel projection,
 * work on the rank's own heads or columns, a row-parallel projection and an allreduce. T is float or double.
 */
template <typename T>
class TpLayer {
 public:
  TpLayer(Transport& transport, const TpShape& shape);

  /** Submits each operation separately. */
  void run_per_op();
  /** Submits attention and feed-forward as one submission each, with an allreduce after each. */
  void run_split();
  /** Like split, without the allreduces. */
  void compute();
  /** Only the two allreduces. */
  void communicate();
  /**
   * Sets all summands of communicate to one number, for instance 0, which stays 0 however often it is summed.
   */
  void set_partial(T value);
  /** Sets the places of the next result and of its inputs to NaN. */
  void forget();
  /** Copies results from a device into output; does nothing here. */
  void settle() {}
  /** Always false: submissions are calls. */
  [[nodiscard]] static bool graphs() { return false; }

  /** After a run: the layer's output, rows by hidden, complete on every rank. */
  std::vector<T> output;

  /** Bytes that an allreduce sums. */
  [[nodiscard]] std::size_t allreduce_bytes() const { return partial_.size() * sizeof(T); }
  /** The result of the last allreduce. */
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
  /** Adds the sum over ranks to the residual. */
  void add_partial(const std::vector<T>& residual, std::vector<T>& sum);
  void allreduce();
  void run_split(bool sums);
  [[nodiscard]] T* cache(std::vector<T>& of, std::size_t sequence, std::size_t head);

  Transport& transport_;
  TpShape shape_;
  /** This rank's heads and inner columns. */
  std::size_t heads_, columns_;
  std::vector<T> qkv_weights_, out_weights_, gate_weights_, up_weights_, down_weights_;
  std::vector<T> input_, normal_, qkv_, keys_, values_, scores_, attended_, partial_, middle_, gate_, up_;
  Operations attention_, feed_forward_;
  Submitter submitter_;
};

}  // namespace nightsweep

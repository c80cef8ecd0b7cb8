#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "accelerator.hpp"
#include "gpu_tp_steps.hpp"
#include "tp_shape.hpp"
#include "transport.hpp"

namespace nightsweep {

/**
 * One rank's shard of a layer on its device, in T (float, f16 or bf16) with sums in f32: the counterpart of
 * TpLayer on a host. A submission is a graph if the device can record one, else the operations one after the
 * other.
 */
template <typename T>
class GpuTpLayer {
 public:
  /** @param memory the kind that the transport moves: the device's, or the heap if steps run on the host */
  GpuTpLayer(Transport& transport, const TpShape& shape, Accelerator& device, BufferKind memory);

  void run_per_op();
  void run_split();
  void compute();
  void communicate();
  void set_partial(T value);
  /** Sets the places of the next result and of its inputs to NaN. */
  void forget();
  /** Copies the result into output. */
  void settle();

  /** After settle: the layer's output, rows by hidden, complete on every rank. */
  std::vector<float> output;

  /** The result of the last allreduce. */
  [[nodiscard]] std::vector<T> summed();
  [[nodiscard]] std::size_t allreduce_bytes() const { return shape_.rows() * shape_.hidden * sizeof(T); }
  /** Whether submissions are graphs. */
  [[nodiscard]] bool graphs() const { return attention_graph_ && feed_forward_graph_; }

 private:
  using Operations = std::vector<std::function<void()>>;

  /** Allocates everything on the device. */
  void make_all();
  /** Plans the operations of both halves. */
  void plan();
  Buffer make(std::size_t elements, std::size_t width = sizeof(T));
  Buffer made_of(const std::vector<float>& numbers);
  /** Plans c = a b for all rows. */
  std::function<void()> product(const Buffer& a, std::size_t k, const Buffer& b, std::size_t n,
                                const Buffer& c);
  void normalise(const Buffer& from);
  void attend();
  void add(const Buffer& residual, const Buffer& sum);
  void allreduce();
  void run_split(bool sums);
  static void run(const Operations& operations);

  Transport& transport_;
  TpShape shape_;
  Accelerator& device_;
  BufferKind memory_;
  TpExtent extent_;
  std::size_t columns_;
  Buffer qkv_weights_, out_weights_, gate_weights_, up_weights_, down_weights_;
  Buffer input_, normal_, squares_, qkv_, keys_, values_, cosines_, sines_;
  Buffer scores_, largest_, sums_, attended_, partial_, middle_, gate_, up_, result_;
  std::vector<std::unique_ptr<Product>> products_;
  Operations attention_, feed_forward_;
  std::optional<std::function<void()>> attention_graph_, feed_forward_graph_;
};

}  // namespace nightsweep

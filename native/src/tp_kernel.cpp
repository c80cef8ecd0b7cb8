#include "tp_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "errors.hpp"
#include "gpu_tp_layer.hpp"
#include "memory.hpp"
#include "statistics.hpp"
#include "tp_layer.hpp"

namespace nightsweep {
namespace {

/** Tolerance of f32 and f64 after sums of this many terms. */
template <typename T>
double tolerance_of(const TpShape& shape) {
  return 64 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
         std::sqrt(static_cast<double>(std::max(shape.hidden, shape.intermediate)));
}

/** Tolerance of half types: weights and intermediate results are rounded, sums are in f32. */
double tolerance_of_half(int digits) { return 16 * std::ldexp(1.0, -digits); }

/** The kernel of a layer on the host or on a device. */
template <typename Layer>
class TpKernel final : public Kernel {
 public:
  template <typename... Where>
  TpKernel(Transport& transport, const Json& identity, double tolerance, Where&... where)
      : transport_(transport),
        variant_(identity.at("variant")),
        flops_(tp_flops(tp_shape(identity), transport.ranks())),
        layer_(transport, tp_shape(identity), where...),
        tolerance_(tolerance) {
    const TpShape shape = tp_shape(identity);
    reference_.resize(shape.rows() * shape.hidden);
    if (transport.rank() == 0) reference_ = tp_reference(shape);
    share_reference();
  }

  /**
   * Checks every element of the two variants with a result, and that the other timed parts really did their
   * work.
   */
  long check(bool spoil) override {
    long wrong = wrong_of_parts();
    for (const bool split : {false, true}) {
      layer_.forget();
      run_timed(split ? "split" : "per-op");
      layer_.settle();
      if (spoil) layer_.output.front() += 1;
      for (std::size_t i = 0; i < reference_.size(); ++i) {
        const double error = std::abs(static_cast<double>(layer_.output[i]) - reference_[i]);
        wrong += !(error <= tolerance_ * std::max(1.0, std::abs(reference_[i])));
        max_error_ = std::max(max_error_, error);
      }
    }
    return wrong;
  }

  std::vector<Component> components() override {
    const double flops = flops_;
    const auto summed = static_cast<double>(2 * layer_.allreduce_bytes());
    std::vector<Component> all = {
        {.name = "split", .operation = [this] { layer_.run_split(); }, .flops = flops},
        {.name = "per-op", .operation = [this] { layer_.run_per_op(); }, .flops = flops},
        {.name = "compute", .operation = [this] { layer_.compute(); }, .flops = flops},
        {.name = "communication",
         .operation = [this] { layer_.communicate(); },
         .before = [this] { layer_.set_partial({}); },
         .state_bytes = summed,
         .bus_factor = allreduce_bus_factor(transport_.ranks()),
         .least_bytes_written = transport_.ranks() > 1 ? summed : 0},
    };
    const auto judged = std::ranges::find(all, variant_, &Component::name);
    std::rotate(all.begin(), judged, judged + 1);
    return all;
  }

  Json facts() override {
    return {{"allreduceBytes", layer_.allreduce_bytes()},
            {"graphs", layer_.graphs()},
            {"maxError", transport_.max_over_ranks({max_error_}).front()},
            {"tolerance", tolerance_}};
  }

  Json derived(const std::vector<Component>& components, const std::vector<Samples>& samples) override {
    std::map<std::string, double> p50;
    for (std::size_t c = 0; c < components.size(); ++c) {
      p50[components[c].name] = summarise(samples[c].max_over_ranks).p50;
    }
    return {{"communicationShare", p50["communication"] / p50["split"]},
            {"perOpOverSplit", p50["per-op"] / p50["split"]}};
  }

 private:
  /** Checks the parts: computation must replace the NaNs; two sums of ones over n ranks are n squared. */
  long wrong_of_parts() {
    layer_.forget();
    run_timed("compute");
    long wrong = 0;
    for (const auto x : layer_.summed()) wrong += !std::isfinite(static_cast<double>(x));
    using T = std::decay_t<decltype(layer_.summed().front())>;
    layer_.set_partial(element_of<T>(1));
    run_timed("communication");
    const double n = transport_.ranks();
    for (const auto x : layer_.summed()) wrong += static_cast<double>(x) != n * n;
    return wrong;
  }

  /** Uses the control plane, since the data plane may be a device's. */
  void share_reference() {
    if (transport_.ranks() == 1) return;
    const std::string bytes(reinterpret_cast<const char*>(reference_.data()),
                            reference_.size() * sizeof(double));
    const std::string all = transport_.broadcast_text(bytes, 0);
    std::memcpy(reference_.data(), all.data(), all.size());
  }

  Transport& transport_;
  std::string variant_;
  double flops_;
  Layer layer_;
  double tolerance_;
  double max_error_ = 0;
  std::vector<double> reference_;
};

std::unique_ptr<Kernel> make_layer(const Run& run, const Json& identity) {
  const TpShape shape = tp_shape(identity);
  const bool wide = identity.at("dtype") == "f64";
  const auto hidden = static_cast<double>(shape.hidden);
  const auto intermediate = static_cast<double>(shape.intermediate);
  const double weights = 4 * hidden * hidden + 3 * hidden * intermediate;
  // While rank 0 computes the reference, it holds one whole matrix in doubles.
  const double whole = sizeof(double) * hidden * std::max(hidden, intermediate);
  const auto rows = static_cast<double>(shape.rows());
  const auto context = static_cast<double>(shape.context());
  const double caches = 2 * static_cast<double>(shape.sequences) * context * hidden;
  const double passed_on =
      rows * (8 * hidden + 2 * intermediate) + static_cast<double>(shape.fresh) * context;
  const double shared = (weights + caches) / run.transport.ranks();
  hold_memory(run.transport, whole + (wide ? 8 : 4) * (shared + passed_on));
  if (Accelerator* device = run.transport.accelerator(); device != nullptr) {
    BufferKind memory = BufferKind::device;
    const std::string dtype = identity.at("dtype");
    const auto on_device = [&]<typename T>(std::type_identity<T>,
                                           double tolerance) -> std::unique_ptr<Kernel> {
      return std::make_unique<TpKernel<GpuTpLayer<T>>>(run.transport, identity, tolerance, *device, memory);
    };
    if (dtype == "f16") return on_device(std::type_identity<f16>{}, tolerance_of_half(11));
    if (dtype == "bf16") return on_device(std::type_identity<bf16>{}, tolerance_of_half(8));
    return on_device(std::type_identity<float>{}, tolerance_of<float>(shape));
  }
  if (wide) {
    return std::make_unique<TpKernel<TpLayer<double>>>(run.transport, identity, tolerance_of<double>(shape));
  }
  return std::make_unique<TpKernel<TpLayer<float>>>(run.transport, identity, tolerance_of<float>(shape));
}

}  // namespace

KernelKind tp_layer_kind() {
  using enum Parameter::Type;
  return {
      "tp-layer", "a transformer layer, tensor-parallel",
      with_common({{"phase",
                    "--phase",
                    text,
                    "decode",
                    "one new token a sequence, or one new sequence",
                    {"decode", "prefill"}},
                   {"tokens", "--tokens", integer, 1, "decode: sequences; prefill: tokens of the sequence"},
                   {"cachedTokens", "--cached-tokens", integer, 128, "decode: older tokens of each sequence"},
                   {"hidden", "--hidden", integer, 1024, "elements of a token"},
                   {"heads", "--heads", integer, 8, "attention heads over all ranks"},
                   {"intermediate", "--intermediate", integer, 4096, "inner width of the feed-forward"},
                   {"variant",
                    "--variant",
                    text,
                    "split",
                    "which variant is judged",
                    {"split", "per-op", "compute", "communication"}}},
                  {"f32", "f64", "bf16", "f16"}),
      make_layer};
}

}  // namespace nightsweep

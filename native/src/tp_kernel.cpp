#include "tp_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "errors.hpp"
#include "memory.hpp"
#include "statistics.hpp"
#include "tp_layer.hpp"

namespace nightsweep {
namespace {

template <typename T>
class TpKernel final : public Kernel {
 public:
  TpKernel(Transport& transport, const Json& identity)
      : transport_(transport),
        variant_(identity.at("variant")),
        layer_(transport, tp_shape(identity)),
        tolerance_(64 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                   std::sqrt(static_cast<double>(
                       std::max(tp_shape(identity).hidden, tp_shape(identity).intermediate)))) {
    const TpShape shape = tp_shape(identity);
    reference_.resize(shape.rows() * shape.hidden);
    if (transport.rank() == 0) reference_ = tp_reference(shape);
    transport.broadcast(reference_.data(), reference_.size(), Dtype::f64, 0);
  }

  /** Both variants that have a result, every element. */
  long check(bool spoil) override {
    long wrong = 0;
    for (const bool split : {false, true}) {
      std::ranges::fill(layer_.output, std::numeric_limits<T>::quiet_NaN());
      split ? layer_.run_split() : layer_.run_per_op();
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
    const double flops = layer_.flops();
    const auto summed = static_cast<double>(2 * layer_.allreduce_bytes());
    std::vector<Component> all = {
        {.name = "split", .operation = [this] { layer_.run_split(); }, .flops = flops},
        {.name = "per-op", .operation = [this] { layer_.run_per_op(); }, .flops = flops},
        {.name = "compute", .operation = [this] { layer_.compute(); }, .flops = flops},
        {.name = "communication",
         .operation = [this] { layer_.communicate(); },
         .before = [this] { layer_.clear_partial(); },
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
  Transport& transport_;
  std::string variant_;
  TpLayer<T> layer_;
  double tolerance_;
  double max_error_ = 0;
  std::vector<double> reference_;
};

std::unique_ptr<Kernel> make(const Run& run, const Json& identity) {
  const TpShape shape = tp_shape(identity);
  const bool wide = identity.at("dtype") == "f64";
  const std::size_t weights = 4 * shape.hidden * shape.hidden + 3 * shape.hidden * shape.intermediate;
  // Rank 0 holds one whole matrix in doubles while it computes the reference.
  const std::size_t whole = sizeof(double) * shape.hidden * std::max(shape.hidden, shape.intermediate);
  hold_memory(run.transport,
              whole + (wide ? 8 : 4) * weights / static_cast<std::size_t>(run.transport.ranks()));
  if (wide) return std::make_unique<TpKernel<double>>(run.transport, identity);
  return std::make_unique<TpKernel<float>>(run.transport, identity);
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
      make};
}

}  // namespace nightsweep

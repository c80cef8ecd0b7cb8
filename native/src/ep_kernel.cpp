#include "ep_kernel.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "accelerator.hpp"
#include "ep_case.hpp"
#include "ep_facts.hpp"
#include "ep_oracle.hpp"
#include "gpu_ep_case.hpp"
#include "memory.hpp"

namespace nightsweep {
double ep_bytes(const EpOptions& o, const std::vector<std::size_t>& tokens) {
  const auto ranks = static_cast<double>(tokens.size());
  const auto own = static_cast<double>(std::ranges::max(tokens));
  const double all = std::accumulate(tokens.begin(), tokens.end(), 0.0);
  const double topk = o.routing.topk;
  const double fan = o.mode == EpMode::normal ? std::min(topk, ranks) : topk;
  const double slots = (o.routing.experts + o.redundant) / o.routing.ranks;
  const double most = std::min(topk, slots);
  const double come = o.mode == EpMode::normal ? all : all * most;
  const auto record = static_cast<double>(4 * CopyRecord::words(static_cast<std::size_t>(o.routing.topk)));
  const double wire = static_cast<double>(bytes_per_copy(o.dispatch, o.hidden)) + record;
  const auto back = static_cast<double>(bytes_per_copy(o.combine, o.hidden));
  const double bf16 = 2.0 * static_cast<double>(o.hidden);
  const double expert_rows = o.contract == EpContract::runtime_visible ? 2 * all * most * bf16 : 0;
  return own * (3 * bf16 + fan * (wire + back)) + come * (wire + bf16 + back) + expert_rows;
}

namespace {

/** The kernel of a case on the host or on a device. */
template <typename Case>
class EpKernel final : public Kernel {
 public:
  template <typename... Where>
  EpKernel(Transport& transport, const EpOptions& options, Where... where)
      : transport_(transport), case_(transport, options, where...) {}

  long check(bool spoil) override {
    const EpOptions& o = case_.options;
    // Elements of zeros are indistinguishable, so they are only timed and not checked.
    const Activation activation = o.activation == Activation::zeros ? Activation::normal : o.activation;
    EpOracle oracle(o, case_.tokens, case_.placement, transport_.rank(), activation);
    case_.fill(activation);
    case_.forget();
    run_timed("dispatch");
    case_.settle();
    if (spoil) spoil_one();
    EpWrong wrong = oracle.received(case_);
    run_timed("experts");
    run_timed("combine");
    case_.settle();
    wrong += oracle.combined(case_);
    case_.forget();
    run_timed("roundTrip");
    case_.settle();
    wrong += oracle.combined(case_);
    if (activation != o.activation) case_.fill(o.activation);
    wrong_ += wrong;
    max_error_share_ = std::max(max_error_share_, oracle.max_error_share());
    return wrong.total();
  }

  std::vector<Component> components() override {
    const auto most = [&](double own) { return transport_.max_over_ranks({own}).front(); };
    const auto sent = static_cast<double>(case_.layout.copies());
    const auto came = static_cast<double>(case_.received_copies());
    const auto out = static_cast<double>(case_.row_bytes() + case_.record_bytes());
    const auto back = static_cast<double>(case_.return_bytes());
    const double dispatched = most(sent * out);
    const double returned = most(came * back);
    const double dispatch_writes = most(came * out);
    const double combine_writes = most(sent * back);
    return {
        {.name = "roundTrip",
         .operation =
             [this] {
               case_.dispatch();
               case_.apply_experts();
               case_.combine();
             },
         .state_bytes = dispatched + returned,
         .least_bytes_written = dispatch_writes + combine_writes},
        {.name = "dispatch",
         .operation = [this] { case_.dispatch(); },
         .state_bytes = dispatched,
         .least_bytes_written = dispatch_writes},
        {.name = "experts", .operation = [this] { case_.apply_experts(); }},
        {.name = "combine",
         .operation = [this] { case_.combine(); },
         .state_bytes = returned,
         .least_bytes_written = combine_writes},
    };
  }

  Json realised() override { return ep_realised(case_.options, case_.path()); }

  Json facts() override {
    Json facts = ep_facts(transport_, case_, case_.path().name());
    const auto all = [&](long own) { return transport_.sum_over_ranks(own); };
    facts["wrongBy"] = {{"counts", all(wrong_.counts)},
                        {"metadata", all(wrong_.metadata)},
                        {"multiplicity", all(wrong_.multiplicity)},
                        {"weights", all(wrong_.weights)},
                        {"payload", all(wrong_.payload)},
                        {"encoding", all(wrong_.encoding)},
                        {"combined", all(wrong_.combined)},
                        {"input", all(wrong_.input)},
                        {"routing", all(wrong_.routing)}};
    facts["maxErrorOfTolerance"] = transport_.max_over_ranks({max_error_share_}).front();
    return facts;
  }

 private:
  void spoil_one() {
    for (std::size_t source = 0; source < case_.received.counts.size(); ++source) {
      if (case_.received.counts[source] == 0) continue;
      case_.received_row(source, 0).front() ^= std::byte{1};
      return;
    }
  }

  Transport& transport_;
  Case case_;
  EpWrong wrong_;
  double max_error_share_ = 0;
};

std::unique_ptr<Kernel> make_ep(const Run& run, const Json& identity) {
  const EpOptions options = ep_options(identity);
  hold_memory(run.transport,
              ep_bytes(options, tokens_by_rank(options.spread, options.tokens, run.transport.ranks())));
  if (const Accelerator* device = run.transport.accelerator(); device != nullptr) {
    return std::make_unique<EpKernel<GpuEpCase>>(run.transport, options, device->stream(),
                                                 BufferKind::device);
  }
  return std::make_unique<EpKernel<EpCase>>(run.transport, options);
}

}  // namespace

KernelKind ep_kind() {
  return {"ep", "expert-parallel dispatch and combine", with_common(ep_parameters(), {"bf16", "fp8"}),
          make_ep};
}

}  // namespace nightsweep

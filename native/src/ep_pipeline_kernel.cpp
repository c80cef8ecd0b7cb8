#include <algorithm>
#include <map>
#include <numeric>

#include "ep_facts.hpp"
#include "ep_kernel.hpp"
#include "ep_pipeline.hpp"
#include "ep_random.hpp"
#include "memory.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

/** All of the shorter part, plus a tenth, since the parts are measured separately. */
constexpr double kMostHidden = 1.1;

class EpPipelineKernel final : public Kernel {
 public:
  EpPipelineKernel(const Run& run, const Json& identity, const EpOptions& options)
      : transport_(run.transport),
        seed_(mixed(run.check_seed, static_cast<std::uint64_t>(run.transport.rank()))),
        activation_(options.activation),
        overlapped_(identity.at("variant") == "overlapped"),
        pipeline_(run.transport, options, identity.at("batches"), identity.at("intermediate")) {}

  long check(bool spoil) override {
    // Elements of zeros are indistinguishable, so they are only timed and not checked.
    if (activation_ == Activation::zeros) pipeline_.fill(Activation::normal);
    long wrong = 0;
    pipeline_.use_stand_ins(true);
    for (const bool overlapped : {false, true}) {
      pipeline_.forget();
      run(overlapped);
      if (spoil) spoil_one();
      wrong += pipeline_.wrong_with_stand_ins();
    }
    pipeline_.use_stand_ins(false);
    pipeline_.forget();
    run(false);
    wrong += pipeline_.count_wrong(seed_);
    const auto blocking = results();
    pipeline_.forget_computed();
    run_timed("compute");
    pipeline_.forget_moved();
    run_timed("communication");
    wrong += different(blocking, results());
    pipeline_.forget();
    run(true);
    wrong += different(blocking, results());
    if (activation_ == Activation::zeros) pipeline_.fill(activation_);
    return wrong;
  }

  /** The requested variant comes first; the others are measured too, to compute the overlap. */
  std::vector<Component> components() override {
    const double flops = pipeline_.flops();
    Component overlapped{
        .name = "overlapped", .operation = [this] { pipeline_.run_overlapped(); }, .flops = flops};
    Component blocking{.name = "blocking", .operation = [this] { pipeline_.run_blocking(); }, .flops = flops};
    Component compute{.name = "compute", .operation = [this] { pipeline_.compute(); }, .flops = flops};
    Component communication{.name = "communication", .operation = [this] { pipeline_.communicate(); }};
    if (!overlapped_) std::swap(overlapped, blocking);
    return {overlapped, blocking, compute, communication};
  }

  Json realised() override {
    const EpCase& first = pipeline_.batch(0);
    return ep_realised(first.options, first.path());
  }

  Json facts() override {
    Json facts = ep_facts(transport_, pipeline_.batch(0), pipeline_.batch(0).path().name());
    facts["expertRowsByRank"] = transport_.gather({static_cast<double>(pipeline_.expert_rows())});
    facts["checkedTokens"] = transport_.sum_over_ranks(static_cast<long>(pipeline_.checked_tokens()));
    return facts;
  }

  /**
   * The time saved by overlapping as a share of the possible: the shorter of communication and computation.
   */
  Json derived(const std::vector<Component>& components, const std::vector<Samples>& samples) override {
    std::map<std::string, double> p50;
    for (std::size_t c = 0; c < components.size(); ++c) {
      p50[components[c].name] = summarise(samples[c].max_over_ranks).p50;
    }
    const double saved = p50["blocking"] - p50["overlapped"];
    const double fraction = saved / std::min(p50["communication"], p50["compute"]);
    // More than all cannot be hidden: then the parts were not measured under equal load.
    return {{"overlapFraction", fraction <= kMostHidden ? Json(fraction) : Json()}};
  }

 private:
  void run(bool overlapped) { run_timed(overlapped ? "overlapped" : "blocking"); }

  std::vector<std::uint16_t> results() {
    std::vector<std::uint16_t> all;
    for (std::size_t b = 0; b < pipeline_.batches(); ++b) {
      const auto& combined = pipeline_.batch(b).combined;
      all.insert(all.end(), combined.begin(), combined.end());
    }
    return all;
  }
  /**
   * Variants and parts do the same operations on the same numbers, so their results must be equal bit by bit.
   */
  static long different(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b) {
    long count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
    return count;
  }

  void spoil_one() {
    for (std::size_t b = 0; b < pipeline_.batches(); ++b) {
      if (pipeline_.batch(b).combined.empty()) continue;
      pipeline_.batch(b).combined.front() ^= 0x4000;
      return;
    }
  }

  Transport& transport_;
  std::uint64_t seed_;
  Activation activation_;
  bool overlapped_;
  EpPipeline pipeline_;
};

std::unique_ptr<Kernel> make_pipeline(const Run& run, const Json& identity) {
  const EpOptions options = ep_options(identity);
  const auto intermediate = identity.at("intermediate").get<double>();
  const double slots = (options.routing.experts + options.redundant) / options.routing.ranks;
  const auto hidden = static_cast<double>(options.hidden);
  const std::vector<std::size_t> tokens =
      tokens_by_rank(options.spread, options.tokens, run.transport.ranks());
  // In the worst case all tokens of a micro-batch go to one expert, with rows in f32.
  const double rows =
      std::accumulate(tokens.begin(), tokens.end(), 0.0) / identity.at("batches").get<double>();
  hold_memory(run.transport, ep_bytes(options, tokens) + 12 * slots * hidden * intermediate +
                                 8 * rows * (hidden + intermediate));
  return std::make_unique<EpPipelineKernel>(run, identity, options);
}

}  // namespace

KernelKind ep_pipeline_kind() {
  using enum Parameter::Type;
  std::vector<Parameter> parameters = ep_parameters();
  // Experts compute on tokens sorted by expert, and each pair of ranks has two pending messages.
  std::erase_if(parameters, [](const Parameter& p) {
    return p.name == "contract" || p.name == "mode" || p.name == "resource";
  });
  parameters.push_back(
      {"resource", "--resource", text, "pairwise", "how each variant moves copies", {"pairwise", "fixed"}});
  parameters.push_back(
      {"contract", "--contract", text, "runtime-visible", "what is timed", {"runtime-visible"}});
  parameters.push_back({"mode", "--mode", text, "normal", "one copy a rank", {"normal"}});
  parameters.push_back(
      {"variant", "--variant", text, "overlapped", "which variant is judged", {"overlapped", "blocking"}});
  parameters.push_back({"batches", "--batches", integer, 2, "micro-batches; tokens are a multiple of them"});
  parameters.push_back({"intermediate", "--intermediate", integer, 2048, "inner width of an expert"});
  return {"ep-pipeline", "dispatch, expert feed-forward and combine",
          with_common(parameters, {"bf16", "fp8"}), make_pipeline};
}

}  // namespace nightsweep

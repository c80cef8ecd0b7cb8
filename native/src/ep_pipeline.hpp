#pragma once
#include <memory>
#include <vector>

#include "ep_case.hpp"
#include "ep_ffn.hpp"
#include "ep_oracle.hpp"

namespace nightsweep {

/**
 * A mixture-of-experts layer of one rank, its tokens in micro-batches: each is dispatched, goes through the
 * experts and is combined. Overlapped, the next micro-batch's dispatch and the last one's combine are under
 * way meanwhile.
 */
class EpPipeline {
 public:
  EpPipeline(Transport& transport, const EpOptions& options, int batches, std::size_t intermediate);

  void run_blocking();
  void run_overlapped();
  /** Dispatch and combine of all micro-batches, without the experts. */
  void communicate();
  /** The experts of all micro-batches, on what was last dispatched. */
  void compute();

  /** Forgets all results. */
  void forget();
  /** What the experts made; what was moved. A part that runs alone then leaves what a whole run does. */
  void forget_computed();
  void forget_moved();
  /** Other tokens. */
  void fill(Activation activation);
  /** Whether experts multiply with a constant each, of which every combined element is known. */
  void use_stand_ins(bool stand_ins) { stand_ins_ = stand_ins; }
  /** After a run with stand-ins: this rank's wrong copies and combined elements, of all. */
  [[nodiscard]] long wrong_with_stand_ins() const;
  /** After a run with the real experts: every copy received, and random tokens' combined elements against
   * doubles. */
  [[nodiscard]] long count_wrong(std::uint64_t seed) const;
  [[nodiscard]] std::size_t checked_tokens() const;
  /** Rows that this rank's experts take, of all micro-batches: one for each slot of each copy. */
  [[nodiscard]] std::size_t expert_rows() const;
  [[nodiscard]] double flops() const;
  [[nodiscard]] EpCase& batch(std::size_t i) { return *batches_[i]; }
  [[nodiscard]] std::size_t batches() const { return batches_.size(); }

 private:
  /** The same messages as when they overlap, waited for at once. */
  static void dispatch(EpCase& batch);
  static void combine(EpCase& batch);
  void apply_experts(EpCase& batch, const std::function<void()>& between);
  [[nodiscard]] EpOracle oracle_of(const EpCase& batch) const;
  [[nodiscard]] long wrong_combined(const EpCase& batch, std::uint64_t seed) const;
  [[nodiscard]] std::size_t sample_of(const EpCase& batch) const;

  Transport& transport_;
  std::size_t intermediate_;
  std::vector<std::unique_ptr<EpCase>> batches_;
  std::unique_ptr<ExpertFfn> experts_;
  Activation activation_;
  bool stand_ins_ = false;
};

}  // namespace nightsweep

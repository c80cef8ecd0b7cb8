#pragma once
#include <memory>
#include <vector>

#include "ep_case.hpp"
#include "ep_ffn.hpp"
#include "ep_oracle.hpp"

namespace nightsweep {

/**
 * One rank's part of a mixture-of-experts layer, with tokens in micro-batches: each is dispatched, passes the
 * experts and is combined. In the overlapped variant, the next micro-batch's dispatch and the last one's
 * combine are pending meanwhile.
 */
class EpPipeline {
 public:
  EpPipeline(Transport& transport, const EpOptions& options, int batches, std::size_t intermediate);

  void run_blocking();
  void run_overlapped();
  /** Dispatch and combine of all micro-batches, without the experts. */
  void communicate();
  /** The experts of all micro-batches, on the tokens dispatched last. */
  void compute();

  /** Forgets all results. */
  void forget();
  /**
   * Forget the experts' results, or the moved data. Then a part that runs alone must produce what a whole run
   * does.
   */
  void forget_computed();
  void forget_moved();
  /** Replaces the tokens. */
  void fill(Activation activation);
  /** Whether each expert just multiplies by a constant, so that every combined element is known. */
  void use_stand_ins(bool stand_ins) { stand_ins_ = stand_ins; }
  /** After a run with stand-ins: the number of wrong copies and combined elements on this rank. */
  [[nodiscard]] long wrong_with_stand_ins() const;
  /**
   * After a run with the real experts: checks every received copy, and combined elements of random tokens in
   * double precision.
   */
  [[nodiscard]] long count_wrong(std::uint64_t seed) const;
  [[nodiscard]] std::size_t checked_tokens() const;
  /** The rows of this rank's experts in all micro-batches: one for each slot of each copy. */
  [[nodiscard]] std::size_t expert_rows() const;
  [[nodiscard]] double flops() const;
  [[nodiscard]] EpCase& batch(std::size_t i) { return *batches_[i]; }
  [[nodiscard]] std::size_t batches() const { return batches_.size(); }

 private:
  /** The same messages as in the overlapped variant, but waited for at once. */
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

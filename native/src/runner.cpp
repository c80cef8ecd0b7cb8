#include "runner.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "capabilities.hpp"
#include "errors.hpp"
#include "probe.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

constexpr int kCrashed = 42;
/** Allowed difference between the clocks of ranks or devices. */
constexpr double kClocks = 1.01;

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/** The first non-empty reason in the order of ranks, on every rank. */
std::string agreed(Transport& transport, const std::string& reason) {
  for (const std::string& text : transport.gather_text(reason)) {
    if (!text.empty()) return text;
  }
  return {};
}

/** Makes the case on every rank, or gives all ranks the same disposition and reason. */
std::unique_ptr<Kernel> made(const Run& run, CaseResult& result) {
  std::unique_ptr<Kernel> kernel;
  auto disposition = Disposition::measured;
  std::string reason;
  try {
    hold_capability(result.identity);
    kernel = kernel_kind(result.identity["kernel"]).make(run, result.identity);
  } catch (const Unsupported& e) {
    disposition = Disposition::unsupported;
    reason = e.what();
  } catch (const Dropped& e) {
    disposition = Disposition::dropped;
    reason = e.what();
  } catch (const std::exception& e) {
    disposition = Disposition::failed;
    reason = std::string("cannot be made: ") + e.what();
  }
  Transport& transport = run.transport;
  // A failure takes precedence: it is the only disposition that a single rank may have.
  const auto has = [&](Disposition d) { return transport.sum_over_ranks(disposition == d) > 0; };
  const bool failed = has(Disposition::failed);
  const bool unsupported = has(Disposition::unsupported);
  const bool dropped = has(Disposition::dropped);
  result.reason = agreed(transport, reason);
  result.disposition = failed        ? Disposition::failed
                       : unsupported ? Disposition::unsupported
                       : dropped     ? Disposition::dropped
                                     : Disposition::measured;
  return result.disposition == Disposition::measured ? std::move(kernel) : nullptr;
}

/** How request and reality differ on any rank. */
std::string mismatch(Transport& transport, const CaseResult& result) {
  std::string own;
  for (const auto& [name, value] : result.realised.items()) {
    const Json& wanted = result.requested.at(name);
    if (wanted != value)
      own = "'" + name + "' is " + value.dump() + " where " + wanted.dump() + " was requested";
  }
  return agreed(transport, own);
}

std::string above_roofline(const CaseResult& result, const Limits& limits) {
  for (std::size_t c = 0; c < result.samples.size(); ++c) {
    const Component& component = result.components[c];
    const double seconds = summarise(result.samples[c].max_over_ranks).p50;
    const double written = component.least_bytes_written / seconds;
    const double copied = limits.copy_limit(component.least_bytes_written);
    if (written > kRooflineTolerance * copied) {
      return component.name + " writes " + Json(written).dump() + " bytes a second where a copy reaches " +
             Json(copied).dump();
    }
    const auto peak = limits.flops_limit(result.identity.value("dtype", std::string()));
    if (peak && component.flops / seconds > kRooflineTolerance * *peak) {
      return component.name + " does " + Json(component.flops / seconds).dump() +
             " operations a second where multiply-adds reach " + Json(*peak).dump();
    }
  }
  return {};
}

/**
 * What is wrong with the samples: their number, a time that is not positive, or a sum above the trials' time.
 */
std::string lost_samples(const CaseResult& result, double timed_seconds) {
  const auto ordered = static_cast<std::size_t>(result.sampling.samples());
  double sampled = 0;
  for (std::size_t c = 0; c < result.samples.size(); ++c) {
    const auto& slowest = result.samples[c].max_over_ranks;
    sampled += std::accumulate(slowest.begin(), slowest.end(), 0.0) * result.components[c].parts;
  }
  sampled *= result.identity["opsPerSample"].get<int>();
  for (const Samples& all : result.samples) {
    if (all.max_over_ranks.size() != ordered || all.min_over_ranks.size() != ordered) {
      return std::to_string(all.max_over_ranks.size()) + " samples were taken where " +
             std::to_string(ordered) + " were ordered";
    }
    for (std::size_t i = 0; i < ordered; ++i) {
      if (!(all.max_over_ranks[i] > 0 && std::isfinite(all.max_over_ranks[i]) &&
            all.min_over_ranks[i] <= all.max_over_ranks[i])) {
        return "sample " + std::to_string(i) + " is no time: " + Json(all.max_over_ranks[i]).dump();
      }
    }
  }
  // Samples follow each other, but clocks of hosts and devices differ slightly.
  return sampled > kClocks * timed_seconds ? "its samples are " + Json(sampled).dump() +
                                                 " s where its trials took " + Json(timed_seconds).dump()
                                           : "";
}

std::optional<bool> anomaly(const CaseResult& result) {
  std::optional<double> whole;
  double parts = 0;
  for (std::size_t c = 0; c < result.samples.size(); ++c) {
    const double p99 = summarise(result.samples[c].max_over_ranks).p99;
    (result.components[c].name == "roundTrip" ? whole.emplace(0) : parts) += p99;
  }
  return whole && parts > 0 ? std::optional(*whole > 3 * parts) : std::nullopt;
}

/** Whether a counter rose on any host. */
bool throttled(Transport& transport, const Json& before, Fault fault) {
  Json after = throttle_count();
  const bool rose = (before.is_number() && after != before) || fault == Fault::throttled;
  return transport.sum_over_ranks(rose) > 0;
}

std::string label_of(const Json& identity) {
  std::string label = "kernel: " + identity["kernel"].get<std::string>();
  for (const char* name : {"bytes", "elements", "m", "n", "k", "tokens"}) {
    if (identity.contains(name)) label += std::string(", ") + name + ": " + identity[name].dump();
  }
  return label;
}

void fail(CaseResult& result, const std::string& reason) {
  result.disposition = Disposition::failed;
  result.reason += (result.reason.empty() ? "" : "; ") + reason;
}

}  // namespace

CaseResult run_case(Transport& transport, const Json& identity, const RunOptions& options,
                    const std::optional<Limits>& limits, std::atomic<long>& found) {
  const auto start = Clock::now();
  CaseResult result{identity, options.sampling};
  const Run run{transport, options.fault, options.check_seed};
  const std::unique_ptr<Kernel> kernel = made(run, result);
  if (kernel == nullptr) return result;

  result.realised = kernel->realised();
  for (const auto& [name, value] : result.realised.items()) result.requested[name] = identity.at(name);
  if (const std::string differs = mismatch(transport, result); !differs.empty()) {
    fail(result, differs);
    return result;
  }
  const bool spoil = options.fault == Fault::wrong && transport.rank() == 0;
  long wrong = transport.sum_over_ranks(kernel->check(spoil));
  found = wrong;
  const bool last = transport.rank() == transport.ranks() - 1;
  if (options.fault == Fault::crash && last) std::_Exit(kCrashed);
  while (options.fault == Fault::hang && last) std::this_thread::sleep_for(std::chrono::hours(1));

  result.components = kernel->components();
  const Json heat = throttle_count();
  const auto timing = Clock::now();
  try {
    result.samples = time_components(transport, options.sampling, identity["opsPerSample"],
                                     options.quiet ? std::string() : label_of(identity), result.components,
                                     options.fault, options.case_seconds);
  } catch (const CaseTooLong& e) {
    result.wrong = wrong;
    fail(result, e.what());
    return result;
  }
  const double timed = since(timing);
  if (throttled(transport, heat, options.fault)) fail(result, "a processor was throttled for heat meanwhile");
  wrong += transport.sum_over_ranks(kernel->check(spoil));
  result.wrong = wrong;
  result.facts = kernel->facts();
  result.facts.update(kernel->derived(result.components, result.samples));
  result.facts["checkSeed"] = options.check_seed;
  for (std::size_t c = 0; c < result.samples.size(); ++c) {
    const Samples& all = result.samples[c];
    if (all.wall.empty()) continue;
    result.facts["wallClock"][result.components[c].name] = {{"p50Seconds", summarise(all.wall).p50},
                                                            {"samplesSeconds", all.wall}};
  }
  if (transport.accelerator() != nullptr) result.facts["devices"] = transport.gather_text(transport.device());
  // Projections for later runs of this case use these.
  result.facts["timedSeconds"] = timed;
  result.facts["elapsedSeconds"] = since(start);
  result.anomaly = anomaly(result);
  if (const std::string lost = lost_samples(result, timed); !lost.empty()) fail(result, lost);
  if (wrong > 0) fail(result, std::to_string(wrong) + " elements are wrong, over all ranks and both checks");
  if (limits) {
    if (const std::string above = above_roofline(result, *limits); !above.empty()) fail(result, above);
  }
  return result;
}

}  // namespace nightsweep

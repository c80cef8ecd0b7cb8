#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <random>

#include "adapter_transport.hpp"
#include "backends.hpp"
#include "case_watch.hpp"
#include "cli.hpp"
#include "control.hpp"
#include "document.hpp"
#include "errors.hpp"
#include "gpu_transport.hpp"
#include "probe.hpp"
#include "table.hpp"

namespace ns = nightsweep;

namespace {

/**
 * Patience for a GPU in a case without a limit: longer than any sample, and than the start of a communicator.
 */
constexpr double kPatienceSeconds = 300;

int exit_code(const std::vector<ns::CaseResult>& results) {
  bool measured = false;
  bool wrong = false;
  bool failed = false;
  for (const auto& result : results) {
    measured = measured || result.disposition == ns::Disposition::measured;
    failed = failed || result.disposition == ns::Disposition::failed;
    wrong = wrong || result.wrong.value_or(0) > 0;
  }
  return wrong ? ns::kWrong : failed ? ns::kFailed : measured ? 0 : ns::kNothingMeasured;
}

/** Runs one case. If it fails on one rank only, or hangs, writes its record and ends all ranks. */
ns::CaseResult run_or_abort(ns::Transport& transport, const ns::Json& identity, const ns::RunOptions& run,
                            const std::optional<ns::Limits>& limits, const std::string& out) {
  std::atomic<long> found = 0;
  const auto leave = [&](const std::string& why) {
    ns::CaseResult failed{identity, run.sampling};
    failed.reason = "rank " + std::to_string(transport.rank()) + ": " + why;
    // A later attempt must not hide wrong elements from this one.
    if (found > 0) failed.wrong = found;
    if (!out.empty())
      ns::append(out + ".failed." + std::to_string(transport.rank()), failed.record({}).dump());
    return failed.reason;
  };
  const ns::CaseWatch watch(ns::patience_with(run.case_seconds, run.grace_seconds), [&] {
    leave("it hangs, far beyond its limit of " + ns::Json(run.case_seconds).dump() + " s");
  });
  try {
    return ns::run_case(transport, identity, run, limits, found);
  } catch (const std::exception& e) {
    const std::string reason = leave(e.what());
    std::fprintf(stderr, "error: case %s: %s\n", ns::case_id(identity).c_str(), reason.c_str());
    transport.abort(ns::kFailed);
    throw;
  }
}

/** Results for every case of a missing backend, each with the reason. */
std::vector<ns::CaseResult> none_run(const std::vector<ns::Json>& identities, const ns::Arguments& given,
                                     const std::string& reason) {
  std::vector<ns::CaseResult> results;
  for (ns::Json identity : identities) {
    identity["backend"] = given.backend;
    results.push_back({identity, given.run.sampling});
    results.back().disposition = ns::Disposition::unsupported;
    results.back().reason = reason;
  }
  return results;
}

/** All ranks reach the same result: they use the same build, and each counts the GPUs of all. */
std::unique_ptr<ns::Transport> other_backend(ns::Transport& control, const ns::Arguments& given,
                                             std::string& reason) {
  if (given.backend == control.backend()) return nullptr;
  // Shorter than the watch on hanging cases, so that the case is reported as failed.
  const double patience = given.run.case_seconds > 0 ? 2 * given.run.case_seconds : kPatienceSeconds;
  try {
    if (ns::is_adapter(given.backend)) {
      const std::string device = ns::device_of_backend(given.backend);
      return ns::adapter_transport(given.backend, control,
                                   device.empty() ? nullptr : ns::gpu_memory(device, control, patience));
    }
    return ns::gpu_transport(given.backend, control, patience);
  } catch (const ns::Unsupported& e) {
    reason = e.what();
    return nullptr;
  }
}

/** One seed for all ranks: the first rank's. */
std::uint64_t agreed_seed(ns::Transport& transport, const std::optional<std::uint64_t>& given) {
  const std::uint64_t own = given ? *given : std::random_device()() | 1U;
  return static_cast<std::uint64_t>(transport.gather({static_cast<double>(own)}).front());
}

/**
 * Checks the file names before anything is measured: an existing file is never replaced, and the folder must
 * exist.
 */
void hold_names(const ns::Arguments& given) {
  namespace fs = std::filesystem;
  if (!given.out.empty() && fs::exists(fs::symlink_status(given.out)))
    throw ns::BadCase(given.out + " exists; name another --out");
  for (const std::string& name : {given.out, given.rows}) {
    if (name.empty()) continue;
    const fs::path folder = fs::absolute(name).parent_path();
    if (!fs::is_directory(folder) || access(folder.c_str(), W_OK | X_OK) != 0)
      throw ns::BadCase("nothing can be written to " + folder.string() + ", where " + name + " is to be");
  }
}

/** Whether to print lines for programs; with only a table, they would appear inside it. */
bool tells_programs(const ns::Arguments& given) { return !given.out.empty(); }

int run(ns::Transport& control_plane, const ns::Arguments& arguments) {
  if (control_plane.rank() == 0) hold_names(arguments);
  ns::Arguments given = arguments;
  given.run.check_seed = agreed_seed(control_plane, given.check_seed);
  if (!given.control.empty()) {
    const ns::Control control = ns::read_control(given.control, given.control_sha256);
    if (control.ranks && *control.ranks != control_plane.ranks()) {
      throw ns::BadControl("the control document is for " + std::to_string(*control.ranks) +
                           " ranks; there are " + std::to_string(control_plane.ranks()));
    }
    given.cases = control.cases;
    given.run.sampling = control.sampling;
    if (control.case_seconds) given.run.case_seconds = *control.case_seconds;
  }
  std::string unsupported;
  std::unique_ptr<ns::Transport> other;
  {
    const ns::CaseWatch watch(ns::patience_with(given.run.case_seconds, given.run.grace_seconds), [&] {
      std::fprintf(stderr, "error: rank %d: the start of %s hangs\n", control_plane.rank(),
                   given.backend.c_str());
    });
    other = other_backend(control_plane, given, unsupported);
  }
  ns::Transport& transport = other ? *other : control_plane;
  // Checks all identities first, so that a mistake in the last case is found at once.
  std::vector<ns::Json> identities;
  for (ns::Json one : given.cases) {
    const ns::KernelKind& kind = ns::kernel_kind(one["kernel"]);
    one.erase("kernel");
    identities.push_back(ns::identity_of(kind, one, transport, given.run.sampling));
  }
  const bool first = transport.rank() == 0;
  std::optional<ns::Limits> limits;
  // The host's limits do not apply to a GPU.
  if (given.limits && transport.accelerator() == nullptr) limits = ns::measure_limits(transport);
  if (const auto warning = ns::blas_warning(); warning && first) {
    std::fprintf(stderr, "warning: %s\n", warning->c_str());
  }
  const std::string header = ns::Table::header(transport, given.run.sampling, given.document.hash_hosts);
  const auto print = [&](const std::string& lines) {
    if (!first || lines.empty()) return;
    std::fputs(lines.c_str(), stdout);
    std::fflush(stdout);
  };
  ns::Table table;
  if (!tells_programs(given)) print(header);
  given.run.quiet = !tells_programs(given);
  std::vector<ns::CaseResult> results;
  if (!unsupported.empty()) {
    results = none_run(identities, given, unsupported);
    identities.clear();
    if (first) std::printf("no case runs: %s\n", unsupported.c_str());
  }
  const std::size_t rounds = static_cast<std::size_t>(given.cycles) * identities.size();
  for (std::size_t turn = 0; turn < rounds; ++turn) {
    const std::size_t i = turn % identities.size();
    if (given.cycles > 1 && i == 0) {
      print("#\n# cycle " + std::to_string(turn / identities.size() + 1) + " of " +
            std::to_string(given.cycles) + "\n");
    }
    const ns::Json& identity = identities[i];
    const bool in_place_follows =
        i + 1 < identities.size() && ns::same_but_in_place(identity, identities[i + 1]);
    if (first && tells_programs(given)) {
      std::printf("kernel case start: %s %s\n", ns::case_id(identity).c_str(), identity.dump().c_str());
      // Printed before the case, so that it is known which case was running if a rank crashes.
      std::fflush(stdout);
    }
    results.push_back(run_or_abort(transport, identity, given.run, limits, given.out));
    const ns::CaseResult& result = results.back();
    if (!tells_programs(given)) print(table.add(result, in_place_follows));
    if (first) {
      if (!given.rows.empty()) ns::append(given.rows, result.record(limits).dump());
      if (tells_programs(given)) {
        std::printf("kernel case done: %s disposition=%s%s%s\n", ns::case_id(identity).c_str(),
                    ns::to_string(result.disposition).c_str(),
                    result.reason.empty() ? "" : " reason=", result.reason.c_str());
        std::fflush(stdout);
      }
    }
  }
  if (!tells_programs(given)) {
    print(table.footer());
    transport.barrier();
    return exit_code(results);
  }
  const ns::Json document = ns::result_document(transport, given.document, results, limits);
  if (first) {
    std::string text = document.dump(1) + "\n";
    if (given.run.fault == ns::Fault::truncated) text.resize(text.size() / 2);
    ns::publish(given.out, text);
  }
  transport.barrier();
  return exit_code(results);
}

}  // namespace

int main(int argc, char** argv) {
  ns::Arguments arguments;
  if (const auto code = ns::parse_arguments(argc, argv, arguments)) return *code;

  ns::Transport& transport = ns::mpi_transport(&argc, &argv);
  const auto end = [&](const std::exception& e, int code) {
    std::fprintf(stderr, "error: rank %d: %s\n", transport.rank(), e.what());
    transport.abort(code);
  };
  try {
    return run(transport, arguments);
  } catch (const ns::BadControl& e) {
    end(e, ns::kBadControl);
  } catch (const ns::BadCase& e) {
    end(e, ns::kBadArguments);
  } catch (const std::exception& e) {
    end(e, ns::kFailed);
  }
}

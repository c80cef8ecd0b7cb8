#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "kernels.hpp"
#include "probe.hpp"

namespace ns = nightsweep;

namespace {

/** Exit codes: 0 measured, 2 bad arguments, 3 wrong elements, 4 any other failure. */
constexpr int kBadArguments = 2;
constexpr int kWrong = 3;
constexpr int kFailed = 4;

struct Common {
  ns::Sampling sampling;
  std::string dtype = "f32";
  std::string inject = "none";
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--iters", sampling.iterations, "samples a trial")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--trials", sampling.trials, "trials a point")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--warmup", sampling.warmup, "operations before each trial, not timed")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--ops-per-sample", sampling.ops_per_sample, "operations between two looks at the clock")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--dtype", dtype, "f32, f64 or i32")->check(CLI::IsMember({"f32", "f64", "i32"}))->capture_default_str();
    app.add_option("--out", out, "the result file; it must not exist")->required();
    app.add_option("--inject", inject, "a fault, for tests: wrong, straggler or crash")->capture_default_str();
  }
};

int finish(ns::Transport& transport, const std::string& out, ns::Json cases) {
  bool wrong = false;
  for (const auto& record : cases) {
    wrong = wrong || record["disposition"] != "measured";
  }
  const ns::Json document = ns::result_document(transport, std::move(cases));
  if (transport.rank() == 0) {
    ns::publish(out, document);
    for (const auto& record : document["cases"]) {
      std::printf("kernel case done: id=%s disposition=%s\n", record["identity"].dump().c_str(),
                  record["disposition"].get<std::string>().c_str());
    }
    if (wrong) std::fprintf(stderr, "error: elements are wrong; see 'wrong' in %s\n", out.c_str());
  }
  transport.barrier();
  return wrong ? kWrong : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Kernels that Nightsweep measures");
  app.set_version_flag("--version", [] { return "nightsweep-kernels " + ns::program_version(); });
  app.require_subcommand(1);

  Common common;
  ns::AllreduceOptions allreduce;
  auto* allreduce_command = app.add_subcommand("allreduce", "sum over all ranks");
  common.add_to(*allreduce_command);
  allreduce_command->add_option("--sizes", allreduce.bytes, "bytes per rank, comma-separated")->required()->delimiter(',');
  allreduce_command->add_flag("--in-place", allreduce.in_place, "send and receive in one buffer");

  ns::GemmOptions gemm;
  auto* gemm_command = app.add_subcommand("gemm", "a matrix product on every rank");
  common.add_to(*gemm_command);
  gemm_command->add_option("--m", gemm.m)->capture_default_str();
  gemm_command->add_option("--n", gemm.n)->capture_default_str();
  gemm_command->add_option("--k", gemm.k)->capture_default_str();
  gemm_command->add_option("--layout", gemm.layout)->check(CLI::IsMember({"NN", "NT", "TN", "TT"}))->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : kBadArguments;
  }

  ns::Transport& transport = ns::mpi_transport(&argc, &argv);
  try {
    const ns::Fault fault = ns::parse_fault(common.inject);
    const ns::Dtype dtype = ns::parse_dtype(common.dtype);
    if (allreduce_command->parsed()) {
      allreduce.dtype = dtype;
      allreduce.fault = fault;
      return finish(transport, common.out, ns::run_allreduce(transport, allreduce, common.sampling));
    }
    gemm.dtype = dtype;
    gemm.fault = fault;
    return finish(transport, common.out, ns::run_gemm(transport, gemm, common.sampling));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: rank %d: %s\n", transport.rank(), e.what());
    transport.abort(kFailed);
  }
}

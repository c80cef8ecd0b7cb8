#include "cli.hpp"

#include <CLI/CLI.hpp>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>

#include "capabilities.hpp"
#include "errors.hpp"
#include "probe.hpp"

namespace nightsweep {
namespace {

/** Texts as they were given, by parameter; flags as "true". */
using Given = std::map<std::string, std::vector<std::string>>;

void add_common(CLI::App& app, Arguments& arguments, std::string& fault) {
  app.add_option("--out", arguments.out, "the result file; it must not exist")->required();
  app.add_option("--rows", arguments.rows,
                 "also append each case's record to this file, as a line, once it is done");
  app.add_flag("!--no-limits", arguments.limits, "do not measure the machine's limits first");
  app.add_option("--backend", arguments.backend, "what moves the data: mpi, nccl or rccl")
      ->check(CLI::IsMember({"mpi", "nccl", "rccl"}))
      ->capture_default_str();
  app.add_flag("--hash-hosts", arguments.document.hash_hosts, "hashes instead of names of hosts");
  app.add_option("--check-seed", arguments.check_seed,
                 "what checks draw at random, as an earlier document's facts tell it; without it, another "
                 "each run")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}));
  app.add_option("--case-limit", arguments.run.case_seconds,
                 "seconds that a case's trials may take; beyond, it fails and the next one runs")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--host-salt", arguments.document.salt, "what is hashed before each name");
  app.add_option(
         "--inject", fault,
         "a fault, for tests: wrong, straggler, crash, truncated, transient, broken, throttled, impossible")
      ->capture_default_str();
}

void add_sampling(CLI::App& app, Sampling& sampling) {
  app.add_option("--iters", sampling.iterations, "samples a trial")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--trials", sampling.trials, "trials a point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--warmup", sampling.warmup, "round trips before each trial, not timed")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

void add_parameter(CLI::App& app, const Parameter& p, Given& given) {
  if (p.type == Parameter::Type::flag) {
    app.add_flag_callback(
        p.option, [&given, name = p.name] { given[name] = {"true"}; }, p.help);
    return;
  }
  auto* option = app.add_option(p.option, given[p.name], p.help)->delimiter(',');
  if (p.fallback.is_null()) {
    option->required();
  } else {
    option->description(p.help + " [" +
                        (p.fallback.is_string() ? p.fallback.get<std::string>() : p.fallback.dump()) + "]");
  }
}

Json value_of(const Parameter& p, const std::string& text) {
  if (p.type == Parameter::Type::text) return text;
  if (p.type == Parameter::Type::flag) return true;
  try {
    const Json value = Json::parse(text);
    if (value.is_number()) return value;
  } catch (const Json::parse_error&) {
    // Told below, in the same words.
  }
  throw BadCase(p.option + " is '" + text + "'; expected " +
                (p.type == Parameter::Type::integer ? "an integer" : "a number"));
}

/** Every combination of the values given; parameters not given are left to their defaults. */
std::vector<Json> combined(const KernelKind& kind, const Given& given) {
  std::vector<Json> cases = {{{"kernel", kind.name}}};
  for (const Parameter& p : kind.parameters) {
    const auto found = given.find(p.name);
    if (found == given.end() || found->second.empty()) continue;
    std::vector<Json> more;
    for (const Json& one : cases) {
      for (const std::string& text : found->second) {
        more.push_back(one);
        more.back()[p.name] = value_of(p, text);
      }
    }
    cases = std::move(more);
  }
  return cases;
}

/** Holds a case's values against the kind's, before MPI starts. */
void hold(const KernelKind& kind, const std::vector<Json>& cases) {
  for (Json one : cases) {
    one.erase("kernel");
    hold_parameters(kind, one);
  }
}

/** The rules, or their answers for a file's cases; a line each, or JSON. Throws BadCase. */
void print_capabilities(const std::string& file, int divisor, bool json) {
  Json answers = described_rules();
  if (!file.empty()) {
    std::ifstream in(file);
    if (!in) throw BadCase("cannot read '" + file + "'");
    answers = capabilities_of(parse_strictly({std::istreambuf_iterator<char>(in), {}}), divisor);
  }
  if (json) {
    std::printf("%s\n", answers.dump(1).c_str());
    return;
  }
  for (const Json& answer : answers) {
    const std::string reason = answer["reason"].is_null() ? "" : ": " + answer["reason"].get<std::string>();
    std::printf("%s %s%s\n", answer["id"].get<std::string>().c_str(),
                answer["verdict"].get<std::string>().c_str(), reason.c_str());
  }
}

}  // namespace

std::optional<int> parse_arguments(int argc, char** argv, Arguments& arguments) {
  CLI::App app("Kernels that Nightsweep measures");
  app.set_version_flag("--version", [] { return "nightsweep-kernels " + program_version(); });
  app.require_subcommand(1);
  std::string fault = "none";
  std::deque<std::pair<CLI::App*, Given>> subcommands;
  for (const KernelKind& kind : kernel_kinds()) {
    CLI::App* sub = app.add_subcommand(kind.name, kind.help);
    subcommands.emplace_back(sub, Given{});
    for (const Parameter& p : kind.parameters) add_parameter(*sub, p, subcommands.back().second);
    add_sampling(*sub, arguments.run.sampling);
    add_common(*sub, arguments, fault);
  }
  CLI::App* run = app.add_subcommand("run", "the cases of a control document");
  run->add_option("--control", arguments.control, "the control document")->required();
  run->add_option("--control-sha256", arguments.control_sha256, "its SHA-256, as announced by who wrote it")
      ->required();
  add_common(*run, arguments, fault);
  std::string capability_cases;
  bool capability_json = false;
  int divisor = 1;
  CLI::App* capabilities =
      app.add_subcommand("capabilities", "what can be measured, and why the rest cannot");
  capabilities->add_option("--cases", capability_cases,
                           "a JSON array of cases to judge; else the rules are told");
  capabilities->add_option("--scale", divisor, "divide the sizes of all cases by this, for a rehearsal")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  capabilities->add_flag("--json", capability_json, "as JSON");
  try {
    app.parse(argc, argv);
    if (capabilities->parsed()) {
      print_capabilities(capability_cases, divisor, capability_json);
      return 0;
    }
    arguments.run.fault = arguments.document.fault = parse_fault(fault);
    for (std::size_t i = 0; i < subcommands.size(); ++i) {
      if (!subcommands[i].first->parsed()) continue;
      arguments.cases = combined(kernel_kinds()[i], subcommands[i].second);
      hold(kernel_kinds()[i], arguments.cases);
    }
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : kBadArguments;
  } catch (const BadCase& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return kBadArguments;
  }
  return std::nullopt;
}

}  // namespace nightsweep

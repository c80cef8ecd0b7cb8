#include "cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>

#include "backends.hpp"
#include "capabilities.hpp"
#include "errors.hpp"
#include "probe.hpp"

namespace nightsweep {
namespace {

/** Values as given on the command line, by parameter; flags as "true". */
using Given = std::map<std::string, std::vector<std::string>>;

void add_common(CLI::App& app, Arguments& arguments, std::string& fault) {
  app.add_option(
      "--out", arguments.out,
      "the result file, which must not exist; without it results are a table on the standard output");
  app.add_option("--rows", arguments.rows,
                 "also append each case's record to this file, as a line, once it is done");
  app.add_option("-N,--cycles", arguments.cycles,
                 "run all cases so often, one round after the other, as a stress test; without --out only")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("!--no-limits", arguments.limits, "do not measure the machine's limits first");
  app.add_option("--backend", arguments.backend,
                 "what moves the data: mpi, nccl, rccl, or the name of an adapter, such as ucx")
      ->check([](const std::string& name) {
        return is_backend(name) ? std::string() : "no backend can be named '" + name + "'";
      })
      ->capture_default_str();
  app.add_flag("--hash-hosts", arguments.document.hash_hosts, "hashes instead of names of hosts");
  app.add_option("--check-seed", arguments.check_seed,
                 "what checks draw at random, as an earlier document's facts tell it; without it, another "
                 "each run")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}));
  app.add_option("--case-limit", arguments.run.case_seconds,
                 "seconds that a case's trials may take; beyond, it fails and the next one runs")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--case-grace", arguments.run.grace_seconds,
                 "seconds beyond twice that limit after which a case that hangs ends the program")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--host-salt", arguments.document.salt, "what is hashed before each name");
  app.add_option("--inject", fault,
                 "a fault, for tests: wrong, straggler, crash, hang, truncated, transient, broken, "
                 "throttled, impossible")
      ->capture_default_str();
}

void add_sampling(CLI::App& app, Sampling& sampling) {
  app.add_option("-n,--iters", sampling.iterations, "samples a trial")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--trials", sampling.trials, "trials a point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("-w,--warmup", sampling.warmup, "round trips before each trial, not timed")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

/** A ladder of sizes, as in NCCL's tests. */
struct Ladder {
  std::string begin, end, factor = "2";
};

/**
 * Parses "8", "4K", "128M", "1G": powers of 1024, also with lower-case letters, as in NCCL's tests. Throws
 * BadCase.
 */
std::uint64_t parse_size(const std::string& option, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = text.substr(digits);
  const std::size_t power = unit.empty() ? 0 : std::string("KkMmGg").find(unit) / 2 + 1;
  if (digits == 0 || power > 3 || unit.size() > 1) {
    throw BadCase(option + " is '" + text + "'; expected a whole number such as 8, 4K, 128M or 1G");
  }
  const std::uint64_t most = kMostBytes >> (10 * power);
  if (digits > std::to_string(kMostBytes).size() || std::stoull(text.substr(0, digits)) > most) {
    throw BadCase(option + " is '" + text + "'; expected at most " + std::to_string(kMostBytes >> 30) + "G");
  }
  return std::stoull(text.substr(0, digits)) << (10 * power);
}

/** Every size of the ladder, as text. Throws BadCase if the sizes do not grow. */
std::vector<std::string> rungs(const Ladder& ladder) {
  const std::uint64_t begin = parse_size("--min-bytes", ladder.begin);
  const std::uint64_t end = ladder.end.empty() ? begin : parse_size("--max-bytes", ladder.end);
  const std::uint64_t factor = parse_size("--factor", ladder.factor);
  if (begin == 0 || factor < 2 || end < begin) {
    throw BadCase("sizes from " + ladder.begin + " to " + ladder.end + " by factor " + ladder.factor +
                  " do not rise; expected a first size of at least 1, a last one not below it, and a factor "
                  "of at least 2");
  }
  std::vector<std::string> sizes;
  for (std::uint64_t size = begin; size <= end; size *= factor) {
    sizes.push_back(std::to_string(size));
    if (size > end / factor) break;
  }
  return sizes;
}

void add_ladder(CLI::App& app, Ladder& ladder) {
  app.add_option("-b,--min-bytes", ladder.begin, "the first size of a ladder, such as 8 or 4K");
  app.add_option("-e,--max-bytes", ladder.end, "the last one, such as 128M")->needs("--min-bytes");
  app.add_option("-f,--factor", ladder.factor, "from one to the next [2]")->needs("--min-bytes");
}

/** An option with its short name in NCCL's tests added. */
std::string with_short_name(const std::string& option) {
  static const std::map<std::string, std::string> names = {
      {"--dtype", "-d,"}, {"--operator", "-o,"}, {"--root", "-r,"}};
  const auto found = names.find(option);
  return (found == names.end() ? std::string() : found->second) + option;
}

void add_parameter(CLI::App& app, const Parameter& p, Given& given) {
  if (p.type == Parameter::Type::flag) {
    app.add_flag_callback(
        p.option, [&given, name = p.name] { given[name] = {"true"}; }, p.help);
    return;
  }
  auto* option = app.add_option(with_short_name(p.option), given[p.name], p.help)->delimiter(',');
  if (p.fallback.is_null()) {
    // Not required here, since a ladder may give the sizes; if both are missing, the case reports it.
    if (p.name != "bytes") option->required();
  } else {
    option->description(p.help + " [" +
                        (p.fallback.is_string() ? p.fallback.get<std::string>() : p.fallback.dump()) + "]");
  }
}

Json value_of(const Parameter& p, const std::string& text) {
  if (p.type == Parameter::Type::text) return text;
  if (p.type == Parameter::Type::flag) return text == "true";
  if (p.name == "bytes") return parse_size(p.option, text);
  try {
    const Json value = Json::parse(text);
    if (value.is_number()) return value;
  } catch (const Json::parse_error&) {
    // Reported below, with the same message.
  }
  throw BadCase(p.option + " is '" + text + "'; expected " +
                (p.type == Parameter::Type::integer ? "an integer" : "a number"));
}

/** Every combination of the given values; omitted parameters keep their defaults. */
std::vector<Json> combined(const KernelKind& kind, const Given& given) {
  std::vector<Json> cases = {{{"kernel", kind.name}}};
  std::vector<Parameter> parameters = kind.parameters;
  // Places a point in place next to the same point out of place.
  std::ranges::stable_partition(parameters, [](const Parameter& p) { return p.name != "inPlace"; });
  for (const Parameter& p : parameters) {
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

/** Checks a case's values against the kind's, before MPI starts. */
void hold(const KernelKind& kind, const std::vector<Json>& cases) {
  for (Json one : cases) {
    one.erase("kernel");
    hold_parameters(kind, one);
  }
}

/** Prints the rules, or their answers for a file's cases, as lines or JSON. Throws BadCase. */
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
  std::deque<Ladder> ladders;
  for (const KernelKind& kind : kernel_kinds()) {
    CLI::App* sub = app.add_subcommand(kind.name, kind.help);
    subcommands.emplace_back(sub, Given{});
    for (const Parameter& p : kind.parameters) add_parameter(*sub, p, subcommands.back().second);
    if (std::ranges::any_of(kind.parameters, [](const Parameter& p) { return p.name == "bytes"; })) {
      add_ladder(*sub, ladders.emplace_back());
    } else {
      ladders.emplace_back();
    }
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
    hold_sampling(arguments.run.sampling);
    if (arguments.cycles > 1 && !arguments.out.empty()) {
      throw BadCase("--cycles goes with a table: a document has each case once, so leave --out away");
    }
    for (std::size_t i = 0; i < subcommands.size(); ++i) {
      if (!subcommands[i].first->parsed()) continue;
      Given& given = subcommands[i].second;
      if (!ladders[i].begin.empty()) {
        if (!given["bytes"].empty())
          throw BadCase("sizes come from --sizes or from --min-bytes, not from both");
        given["bytes"] = rungs(ladders[i]);
      }
      const bool has_places = std::ranges::any_of(kernel_kinds()[i].parameters,
                                                  [](const Parameter& p) { return p.name == "inPlace"; });
      if (arguments.out.empty() && has_places && given["inPlace"].empty())
        given["inPlace"] = {"false", "true"};
      arguments.cases = combined(kernel_kinds()[i], given);
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

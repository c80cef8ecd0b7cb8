#include "capabilities.hpp"

#include <algorithm>

#include "backends.hpp"
#include "errors.hpp"
#include "kernel.hpp"
#include "projection.hpp"

namespace nightsweep {
namespace {

using Verdict = CapabilityRule::Verdict;

/** The program's own backends, without adapters. */
const std::vector<std::string> kBackends = {"mpi", "nccl", "rccl"};

std::string to_string(Verdict verdict) { return verdict == Verdict::dropped ? "dropped" : "unsupported"; }

/** The whole identity of a case that names its backend and ranks, without a transport. */
Json identity_without_transport(Json given, int divisor) {
  const auto taken = [&](const char* name) {
    if (!given.is_object() || !given.contains(name))
      throw BadCase("a case has no '" + std::string(name) + "'");
    Json value = given[name];
    given.erase(name);
    return value;
  };
  const Json kernel = taken("kernel");
  const Json backend = taken("backend");
  const Json ranks = taken("ranks");
  if (!kernel.is_string()) throw BadCase("a kernel is named by a text");
  if (!backend.is_string() || !is_backend(backend.get<std::string>())) {
    throw BadCase("no backend " + backend.dump() +
                  "; there are mpi, nccl, rccl, and adapters by their names");
  }
  if (!ranks.is_number_integer() || ranks.get<long>() < 1) throw BadCase("ranks are a positive integer");
  std::string sampling = Sampling{}.words();
  if (given.contains("sampling")) {
    if (!given["sampling"].is_string()) throw BadCase("sampling is told by a text, such as " + sampling);
    sampling = given["sampling"].get<std::string>();
    given.erase("sampling");
  }
  const KernelKind& kind = kernel_kind(kernel.get<std::string>());
  if (divisor > 1) {
    Json whole = hold_parameters(kind, given);
    whole.erase("kernel");
    // An omitted value stays omitted if its default depends on the backend.
    if (!given.contains("buffer")) whole.erase("buffer");
    given = scaled(whole, divisor);
  }
  return identity_of(kind, given, backend.get<std::string>(), ranks.get<int>(), sampling);
}

}  // namespace

const CapabilityRule* rule_against(const Json& identity) {
  for (const CapabilityRule& rule : capability_rules()) {
    if (rule.is_about(identity.at("kernel"), identity.at("backend")) && rule.applies(identity)) return &rule;
  }
  return nullptr;
}

void hold_capability(const Json& identity) {
  const CapabilityRule* rule = rule_against(identity);
  if (rule == nullptr) return;
  if (rule->verdict == Verdict::dropped) throw Dropped(rule->reason);
  throw Unsupported(rule->reason);
}

Json capabilities_of(const Json& cases, int divisor) {
  if (!cases.is_array()) throw BadCase("cases are an array");
  Json answers = Json::array();
  for (const Json& one : cases) {
    const Json identity = identity_without_transport(one, divisor);
    const CapabilityRule* rule = rule_against(identity);
    Json answer = {{"id", case_id(identity)},
                   {"identity", identity},
                   {"verdict", rule == nullptr ? "runnable" : to_string(rule->verdict)}};
    answer["rule"] = rule == nullptr ? Json() : Json(rule->id);
    answer["reason"] = rule == nullptr ? Json() : Json(rule->reason);
    const Projection p = rule == nullptr ? projected(identity) : Projection{};
    answer["fixedSeconds"] = p.fixed_seconds;
    answer["roundSeconds"] = p.round_seconds;
    answers.push_back(answer);
  }
  return answers;
}

Json described_rules() {
  Json rules = Json::array();
  for (const CapabilityRule& rule : capability_rules()) {
    rules.push_back({{"id", rule.id},
                     {"kernels", rule.kernels},
                     {"backends", rule.backends.empty() ? kBackends : rule.backends},
                     {"verdict", to_string(rule.verdict)},
                     {"reason", rule.reason}});
  }
  return rules;
}

}  // namespace nightsweep

#include "kernel.hpp"

#include <algorithm>
#include <stdexcept>

#include "backends.hpp"
#include "digest.hpp"
#include "ep_kernel.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "tp_kernel.hpp"

namespace nightsweep {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool has_type(const Json& value, Parameter::Type type) {
  switch (type) {
    case Parameter::Type::integer:
      return value.is_number_integer();
    case Parameter::Type::number:
      return value.is_number();
    case Parameter::Type::text:
      return value.is_string();
    case Parameter::Type::flag:
      return value.is_boolean();
  }
  return false;
}

std::string name_of(Parameter::Type type) {
  switch (type) {
    case Parameter::Type::integer:
      return "an integer";
    case Parameter::Type::number:
      return "a number";
    case Parameter::Type::text:
      return "a text";
    case Parameter::Type::flag:
      return "true or false";
  }
  return "?";
}

std::string bound(const Parameter& p, double value) {
  return p.type == Parameter::Type::integer ? std::to_string(static_cast<long>(value)) : Json(value).dump();
}

void hold(const KernelKind& kind, const Parameter& p, const Json& value) {
  const std::string what = kind.name + ": '" + p.name + "' is " + value.dump();
  if (!has_type(value, p.type)) throw BadCase(what + "; expected " + name_of(p.type));
  if (value.is_number() && value.get<double>() < p.least) {
    throw BadCase(what + "; expected at least " + bound(p, p.least));
  }
  if (value.is_number() && value.get<double>() > p.most) {
    throw BadCase(what + "; expected at most " + bound(p, p.most));
  }
  if (!p.allowed.empty() &&
      std::find(p.allowed.begin(), p.allowed.end(), value.get<std::string>()) == p.allowed.end()) {
    throw BadCase(what + "; expected one of " + listed(p.allowed));
  }
}

}  // namespace

const std::vector<KernelKind>& kernel_kinds() {
  static const std::vector<KernelKind> kinds = [] {
    std::vector<KernelKind> all;
    for (auto& group :
         {collective_kinds(),
          std::vector<KernelKind>{topology_allreduce_kind(), ping_pong_kind(), message_rate_kind(),
                                  pair_matrix_kind(), copy_kind(), gemm_kind(), ep_kind(), ep_pipeline_kind(),
                                  tp_layer_kind()}}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return kinds;
}

const KernelKind& kernel_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const KernelKind& kind : kernel_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw BadCase("no kernel '" + name + "'; there are " + listed(names));
}

std::vector<Parameter> with_common(std::vector<Parameter> own, const std::vector<std::string>& dtypes) {
  own.push_back(
      {"dtype", "--dtype", Parameter::Type::text, dtypes.front(), "element type: " + listed(dtypes), dtypes});
  own.push_back(ops_parameter());
  return own;
}

Parameter bytes_parameter(const std::string& help) {
  return {"bytes", "--sizes", Parameter::Type::integer, {}, help, {}, 1, static_cast<double>(kMostBytes)};
}

Parameter buffer_parameter() {
  return {"buffer",
          "--buffer",
          Parameter::Type::text,
          "heap",
          "where the data lies",
          {"heap", "huge", "shared", "device", "pinned", "managed"}};
}

Parameter ops_parameter(const std::string& help) {
  return {"opsPerSample", "--ops-per-sample", Parameter::Type::integer, 1, help};
}

Json hold_parameters(const KernelKind& kind, const Json& given) {
  Json identity = {{"kernel", kind.name}};
  for (const Parameter& p : kind.parameters) {
    const Json value = given.contains(p.name) ? given.at(p.name) : p.fallback;
    if (value.is_null()) {
      throw BadCase(kind.name + ": '" + p.name + "' is missing (" + p.option + " on the command line)");
    }
    hold(kind, p, value);
    identity[p.name] = value;
  }
  for (const auto& [name, value] : given.items()) {
    if (!identity.contains(name)) {
      std::vector<std::string> known;
      for (const Parameter& p : kind.parameters) known.push_back(p.name);
      throw BadCase(kind.name + " has no '" + name + "'; it has " + listed(known));
    }
  }
  return identity;
}

Json identity_of(const KernelKind& kind, const Json& given, const Transport& transport,
                 const Sampling& sampling) {
  return identity_of(kind, given, transport.backend(), transport.ranks(), sampling.words());
}

Json identity_of(const KernelKind& kind, const Json& given, const std::string& backend, int ranks,
                 const std::string& sampling) {
  Json whole = given;
  const bool buffered = std::ranges::any_of(kind.parameters, [](const Parameter& p) {
    return p.name == "buffer" && std::ranges::find(p.allowed, "device") != p.allowed.end();
  });
  if (!device_of_backend(backend).empty() && buffered && !whole.contains("buffer")) {
    whole["buffer"] = "device";
  }
  Json identity = hold_parameters(kind, whole);
  identity["backend"] = backend;
  identity["ranks"] = ranks;
  identity["sampling"] = sampling;
  identity["metricContract"] = kMetricContract;
  return identity;
}

void Kernel::run_timed(const std::string& component) {
  for (const Component& one : components()) {
    if (one.name == component) return one.operation();
  }
  throw std::logic_error("no component " + component);
}

std::string case_id(const Json& identity) { return sha256(nlohmann::json(identity).dump()).substr(0, 16); }

}  // namespace nightsweep

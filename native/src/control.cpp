#include "control.hpp"

#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "digest.hpp"
#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr int kControlSchema = 1;

void hold_fields(const Json& object, const std::string& where, const std::set<std::string>& known) {
  if (!object.is_object()) throw BadCase(where + " is no object");
  for (const auto& [name, value] : object.items()) {
    if (!known.contains(name)) throw BadCase("unknown field '" + name + "' in " + where);
  }
}

int positive(const Json& value, const std::string& name, int least) {
  constexpr int most = std::numeric_limits<int>::max();
  if (!value.is_number_integer() || value.get<double>() < least || value.get<double>() > most) {
    throw BadCase("'" + name + "' is " + value.dump() + "; expected an integer of " + std::to_string(least) +
                  " to " + std::to_string(most));
  }
  return value.get<int>();
}

Sampling sampling_of(const Json& given) {
  Sampling sampling;
  hold_fields(given, "'sampling'", {"iterations", "trials", "warmup"});
  if (given.contains("iterations")) sampling.iterations = positive(given["iterations"], "iterations", 1);
  if (given.contains("trials")) sampling.trials = positive(given["trials"], "trials", 1);
  if (given.contains("warmup")) sampling.warmup = positive(given["warmup"], "warmup", 0);
  hold_sampling(sampling);
  return sampling;
}

Control understood(const Json& document) {
  hold_fields(document, "the control document",
              {"schema", "metricContract", "sampling", "ranks", "caseSeconds", "cases"});
  if (document.value("schema", Json()) != kControlSchema) {
    throw BadCase("'schema' is " + document.value("schema", Json()).dump() + "; expected " +
                  std::to_string(kControlSchema));
  }
  if (document.contains("metricContract") && document["metricContract"] != kMetricContract) {
    throw BadCase("the metric contract is " + document["metricContract"].dump() + "; this program's is '" +
                  kMetricContract + "'");
  }
  Control control;
  if (document.contains("sampling")) control.sampling = sampling_of(document["sampling"]);
  if (document.contains("caseSeconds")) {
    control.case_seconds = positive(document["caseSeconds"], "caseSeconds", 1);
  }
  if (document.contains("ranks")) control.ranks = positive(document["ranks"], "ranks", 1);
  if (!document.contains("cases") || !document["cases"].is_array() || document["cases"].empty()) {
    throw BadCase("'cases' is no list with at least one case");
  }
  std::set<std::string> seen;
  for (const Json& one : document["cases"]) {
    if (!one.is_object() || !one.contains("kernel") || !one["kernel"].is_string()) {
      throw BadCase("a case names no kernel: " + one.dump());
    }
    if (!seen.insert(nlohmann::json(one).dump()).second)
      throw BadCase("a case is there twice: " + one.dump());
    control.cases.push_back(one);
  }
  return control;
}

}  // namespace

Control parse_control(const std::string& text, const std::string& sha256_announced) {
  const std::string found = sha256(text);
  if (found != sha256_announced) {
    throw BadControl("the control document's SHA-256 is " + found + " where " + sha256_announced +
                     " was announced");
  }
  try {
    return understood(parse_strictly(text));
  } catch (const BadCase& e) {
    throw BadControl(std::string("the control document: ") + e.what());
  }
}

Control read_control(const std::filesystem::path& file, const std::string& sha256_announced) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadControl("there is no control document " + file.string());
  return parse_control({std::istreambuf_iterator<char>(in), {}}, sha256_announced);
}

}  // namespace nightsweep

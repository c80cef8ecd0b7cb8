#include "document.hpp"

#include <map>

#include "digest.hpp"
#include "probe.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

constexpr std::size_t kHashDigits = 12;

struct Series {
  Json identity;
  std::string component;
  std::vector<double> bytes, seconds;
};

/** Line fits through the median times of cases that differ only in size. */
Json fits_of(const std::vector<CaseResult>& results) {
  std::map<std::string, Series> all;
  for (const CaseResult& result : results) {
    if (result.disposition != Disposition::measured) continue;
    Json identity = result.identity;
    identity.erase("bytes");
    identity.erase("elements");
    for (std::size_t c = 0; c < result.samples.size(); ++c) {
      if (result.components[c].state_bytes <= 0) continue;
      Series& series = all[identity.dump() + result.components[c].name];
      series.identity = identity;
      series.component = result.components[c].name;
      series.bytes.push_back(result.components[c].state_bytes);
      series.seconds.push_back(summarise(result.samples[c].max_over_ranks).p50);
    }
  }
  Json fits = Json::array();
  for (const auto& [key, series] : all) {
    const auto line = fit_line(series.bytes, series.seconds);
    if (!line) continue;
    const bool published = line->publishable();
    fits.push_back({{"identity", series.identity},
                    {"component", series.component},
                    {"points", series.bytes.size()},
                    {"rSquared", line->r_squared},
                    {"bandwidthShare", line->bandwidth_share},
                    {"published", published},
                    {"alphaSeconds", published ? Json(line->alpha) : Json()},
                    {"betaSecondsPerByte", published ? Json(line->beta) : Json()}});
  }
  return fits;
}

}  // namespace

Json result_document(Transport& transport, const DocumentOptions& options,
                     const std::vector<CaseResult>& results, const std::optional<Limits>& limits) {
  const auto shown = [&](const std::string& name) {
    return options.hash_hosts ? sha256(options.salt + name).substr(0, kHashDigits) : name;
  };
  Json document;
  document["schema"] = kSchema;
  document["metricContract"] = kMetricContract;
  document["probes"] = probed(transport);
  document["ranks"] = transport.ranks();
  document["hosts"] = Json::array();
  for (const std::string& host : transport.hosts()) document["hosts"].push_back(shown(host));
  document["hostsHashed"] = options.hash_hosts;
  document["environment"] = allowed_environment();
  // A list of nodes contains host names too.
  for (const char* name : {"SLURM_JOB_NODELIST", "NIGHTSWEEP_NODES"}) {
    if (document["environment"].contains(name)) {
      document["environment"][name] = shown(document["environment"][name].get<std::string>());
    }
  }
  document["fault"] = to_string(options.fault);
  document["limits"] = limits ? to_json(*limits) : Json();
  document["cases"] = Json::array();
  for (const CaseResult& result : results) document["cases"].push_back(result.record(limits));
  document["fits"] = fits_of(results);
  return document;
}

}  // namespace nightsweep

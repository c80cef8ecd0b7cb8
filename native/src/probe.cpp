#include "probe.hpp"

#include <cblas.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace nightsweep {
namespace {

constexpr std::array<std::string_view, 6> kPrefixes = {"OMPI_MCA_", "OPENBLAS_", "OMP_",
                                                       "NCCL_",     "UCX_",      "NIGHTSWEEP_PROFILE_"};
constexpr std::array<std::string_view, 4> kNames = {"SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_NTASKS",
                                                    "NIGHTSWEEP_NODES"};
// Set by the launcher for each process anew: they steer nothing that a profile could have meant.
constexpr std::array<std::string_view, 4> kOfTheLauncher = {"OMPI_MCA_orte_", "OMPI_MCA_ess_", "OMPI_MCA_pmix_",
                                                            "OMPI_MCA_initial_"};

bool allowed(std::string_view name) {
  for (const auto prefix : kOfTheLauncher) {
    if (name.starts_with(prefix)) return false;
  }
  for (const auto prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const auto exact : kNames) {
    if (name == exact) return true;
  }
  return false;
}

}  // namespace

nlohmann::ordered_json allowed_environment() {
  std::map<std::string, std::string> sorted;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const auto equals = line.find('=');
    if (equals != std::string_view::npos && allowed(line.substr(0, equals))) {
      sorted.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  nlohmann::ordered_json environment = nlohmann::ordered_json::object();
  for (const auto& [name, value] : sorted) {
    environment[name] = value;
  }
  return environment;
}

std::string blas_library() { return openblas_get_config(); }

std::string program_version() { return NIGHTSWEEP_VERSION; }

}  // namespace nightsweep

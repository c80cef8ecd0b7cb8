#include "probe.hpp"

#include <cblas.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace nightsweep {
namespace {

constexpr std::array<std::string_view, 6> kPrefixes = {"OMPI_MCA_", "OPENBLAS_", "OMP_",
                                                       "NCCL_",     "UCX_",      "NIGHTSWEEP_PROFILE_"};
constexpr std::array<std::string_view, 4> kKeptVariables = {"SLURM_JOB_ID", "SLURM_JOB_NODELIST",
                                                            "SLURM_NTASKS", "NIGHTSWEEP_NODES"};
// The launcher sets these anew for each process, so they cannot be a profile's settings.
constexpr std::array<std::string_view, 4> kOfTheLauncher = {"OMPI_MCA_orte_", "OMPI_MCA_ess_",
                                                            "OMPI_MCA_pmix_", "OMPI_MCA_initial_"};

bool allowed(std::string_view name) {
  for (const auto prefix : kOfTheLauncher) {
    if (name.starts_with(prefix)) return false;
  }
  for (const auto prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const auto exact : kKeptVariables) {
    if (name == exact) return true;
  }
  return false;
}

/** The first line of a file of the kernel; empty where it cannot be read. */
std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) ? std::optional(line) : std::nullopt;
}

Json processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return {};
}

Json operating_system() {
  utsname names{};
  if (uname(&names) != 0) return {};
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

Json line_or_null(const char* file) {
  const auto line = first_line(file);
  return line ? Json(*line) : Json();
}

}  // namespace

Json allowed_environment() {
  std::map<std::string, std::string> sorted;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const auto equals = line.find('=');
    if (equals != std::string_view::npos && allowed(line.substr(0, equals))) {
      sorted.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  Json environment = Json::object();
  for (const auto& [name, value] : sorted) {
    environment[name] = value;
  }
  return environment;
}

std::string program_version() { return NIGHTSWEEP_VERSION; }

std::optional<std::string> blas_warning() {
#if defined(__x86_64__)
  // OpenBLAS's kernels for processors without AVX, which it also uses for unknown processors.
  constexpr std::array<std::string_view, 9> kNarrow = {
      "Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Athlon", "Opteron", "Barcelona", "Atom"};
  const std::string core = openblas_get_corename();
  const bool narrow = std::ranges::any_of(kNarrow, [&](std::string_view n) { return core.starts_with(n); });
  const char* better = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") ? "SkylakeX"
                       : __builtin_cpu_supports("avx2")                                        ? "Haswell"
                                                                                               : nullptr;
  if (narrow && better != nullptr) {
    return "OpenBLAS takes the kernels of " + core +
           ", which use no AVX, on a processor that has it: set OPENBLAS_CORETYPE=" + better;
  }
  if (better == std::string_view("SkylakeX") &&
      (core == "Haswell" || core == "Zen" || core == "Sandybridge")) {
    return "OpenBLAS takes the kernels of " + core +
           " on a processor with AVX-512: OPENBLAS_CORETYPE=SkylakeX may be faster";
  }
#endif
  return std::nullopt;
}

Json probed(Transport& transport) {
  Json probes;
  probes["program"] = "nightsweep-kernels " + program_version();
  probes["transport"] = transport.library();
  probes["blas"] = openblas_get_config();
  probes["blasThreads"] = openblas_get_num_threads();
  probes["operatingSystem"] = operating_system();
  probes["processor"] = processor();
  probes["governor"] = line_or_null("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  probes["transparentHugePages"] = line_or_null("/sys/kernel/mm/transparent_hugepage/enabled");
  return probes;
}

Json throttle_count() {
  std::error_code none;
  std::optional<long> sum;
  for (const auto& cpu : std::filesystem::directory_iterator("/sys/devices/system/cpu", none)) {
    if (const auto count = first_line(cpu.path() / "thermal_throttle/core_throttle_count")) {
      sum = sum.value_or(0) + std::strtol(count->c_str(), nullptr, 10);
    }
  }
  return sum ? Json(*sum) : Json();
}

}  // namespace nightsweep

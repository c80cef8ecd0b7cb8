#include "backends.hpp"

#include <algorithm>
#include <array>

namespace nightsweep {
namespace {

constexpr std::array<const char*, 3> kOwn = {"mpi", "nccl", "rccl"};

}  // namespace

bool is_adapter(const std::string& name) {
  const bool named = !name.empty() && name.size() <= 40 &&
                     name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  return named && std::ranges::find(kOwn, name) == kOwn.end();
}

bool is_backend(const std::string& name) {
  return std::ranges::find(kOwn, name) != kOwn.end() || is_adapter(name);
}

std::string device_of_backend(const std::string& name) {
  if (name == "nccl" || name.ends_with("-cuda")) return "cuda";
  if (name == "rccl" || name.ends_with("-hip")) return "hip";
  return {};
}

}  // namespace nightsweep

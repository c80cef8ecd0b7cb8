#pragma once
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nightsweep {

/** How many ranks before this one are on its host. */
inline int local_rank(const std::vector<std::string>& hosts, int rank) {
  int before = 0;
  for (int r = 0; r < rank; ++r)
    before += hosts[static_cast<std::size_t>(r)] == hosts[static_cast<std::size_t>(rank)];
  return before;
}

/**
 * The device for a rank, among those that it sees: by its place on the host, or the only one if the launcher
 * shows each rank its own. Empty if it sees too few.
 */
inline std::optional<int> device_of(int local_rank, int devices) {
  if (devices == 1) return 0;
  return local_rank < devices ? std::optional(local_rank) : std::nullopt;
}

/** The host of two ranks that use the same device; empty if each rank has its own. */
inline std::optional<std::string> shared_device(const std::vector<std::string>& hosts,
                                                const std::vector<std::string>& bus_ids) {
  std::set<std::string> seen;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (!seen.insert(hosts[r] + " " + bus_ids[r]).second) return hosts[r];
  }
  return std::nullopt;
}

}  // namespace nightsweep

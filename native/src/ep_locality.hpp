#pragma once
#include <string>
#include <vector>

namespace nightsweep {

/** Which node, and which domain, each rank belongs to. */
struct Locality {
  std::vector<int> node, domain;

  /** Ranks with the same host name are one node, but where nodes or domains are declared. */
  static Locality of(const std::vector<std::string>& hosts, int gpus_per_node, int scale_up_domain);
};

}  // namespace nightsweep

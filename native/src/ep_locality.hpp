#pragma once
#include <string>
#include <vector>

namespace nightsweep {

/** The node and the domain of each rank. */
struct Locality {
  std::vector<int> node, domain;

  /** Ranks with the same host name are one node, unless nodes or domains are declared. */
  static Locality of(const std::vector<std::string>& hosts, int gpus_per_node, int scale_up_domain);
};

}  // namespace nightsweep

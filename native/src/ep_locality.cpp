#include "ep_locality.hpp"

#include <algorithm>

namespace nightsweep {

Locality Locality::of(const std::vector<std::string>& hosts, int gpus_per_node, int scale_up_domain) {
  Locality l;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto r = static_cast<int>(rank);
    const int host = static_cast<int>(std::ranges::find(hosts, hosts[rank]) - hosts.begin());
    l.node.push_back(gpus_per_node > 0 ? r / gpus_per_node : host);
    l.domain.push_back(scale_up_domain > 0 ? r / scale_up_domain : l.node.back());
  }
  return l;
}

}  // namespace nightsweep

#include "ep_facts.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "digest.hpp"

namespace nightsweep {
namespace {

/** The imbalance of the measured tokens: the choices for each rank's experts, maximum over mean. */
double measured_imbalance(Transport& transport, const EpRound& c) {
  double own = 0;
  for (std::size_t source = 0; source < c.received.counts.size(); ++source) {
    for (std::size_t i = 0; i < c.received.counts[source]; ++i) own += c.record(source, i).slots();
  }
  const auto all = transport.gather({own});
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return sum > 0 ? std::ranges::max(all) * static_cast<double>(all.size()) / sum : 1;
}

double sum_over(Transport& transport, std::size_t own) {
  return static_cast<double>(transport.sum_over_ranks(static_cast<long>(own)));
}

template <typename T>
std::string bytes_of_all(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/** A hash of every rank's choices and weights: two runs with the same hash route every token alike. */
std::string routing_hash(Transport& transport, const Routes& own) {
  std::string all;
  for (const std::string& hash :
       transport.gather_text(sha256(bytes_of_all(own.experts) + bytes_of_all(own.weights)))) {
    all += hash;
  }
  return sha256(all).substr(0, 16);
}

/** How many tokens of all ranks are sent in zero, one, two and more copies. */
std::vector<double> fan_outs(Transport& transport, const EpRound& c) {
  std::vector<std::size_t> own(static_cast<std::size_t>(c.options.routing.topk) + 1);
  for (std::size_t t = 0; t < c.routes.tokens(); ++t) ++own[c.layout.copies_of(t).size()];
  std::vector<double> all;
  for (const std::size_t tokens : own) all.push_back(sum_over(transport, tokens));
  return all;
}

}  // namespace

Distances distances_of(const SendLayout& layout, int rank, const Locality& locality) {
  Distances d;
  const auto own = static_cast<std::size_t>(rank);
  for (int to = 0; to < static_cast<int>(layout.counts.size()); ++to) {
    const auto t = static_cast<std::size_t>(to);
    const std::size_t copies = layout.counts[t];
    if (to == rank) {
      d.self += copies;
    } else if (locality.node[t] == locality.node[own]) {
      d.node += copies;
    } else if (locality.domain[t] == locality.domain[own]) {
      d.domain += copies;
    } else {
      d.beyond += copies;
    }
  }
  return d;
}

Json ep_realised(const EpOptions& options, const ExchangePath& path) {
  if (options.resource != EpResource::fixed) return Json::object();
  return {{"budget", std::min(path.window, options.routing.ranks - 1)}};
}

Json ep_facts(Transport& transport, const EpRound& c, const std::string& path) {
  const EpOptions& o = c.options;
  const auto hosts = transport.hosts();
  const Distances d =
      distances_of(c.layout, transport.rank(), Locality::of(hosts, o.gpus_per_node, o.scale_up_domain));
  const double tokens =
      static_cast<double>(std::accumulate(c.tokens.begin(), c.tokens.end(), std::size_t{0}));
  const double copies = sum_over(transport, c.layout.copies());
  const bool uniform = o.routing.routing == Routing::uniform && o.redundant == 0 && o.mode == EpMode::normal;
  return {
      {"tokensByRank", c.tokens},
      {"copies", copies},
      {"copiesSentByRank", transport.gather({static_cast<double>(c.layout.copies())})},
      {"copiesReceivedByRank", transport.gather({static_cast<double>(c.received_copies())})},
      {"copiesPerToken", tokens > 0 ? copies / tokens : 0},
      {"tokensByCopies", fan_outs(transport, c)},
      {"routingHash", routing_hash(transport, c.routes)},
      {"expectedFanOut",
       uniform ? Json(expected_uniform_fan_out(o.routing.ranks, o.routing.experts, o.routing.topk)) : Json()},
      {"bytesPerCopy", c.row_bytes()},
      {"recordBytesPerCopy", c.record_bytes()},
      {"returnBytesPerCopy", c.return_bytes()},
      {"copiesToSelf", sum_over(transport, d.self)},
      {"copiesInNode", sum_over(transport, d.node)},
      {"copiesInDomain", sum_over(transport, d.domain)},
      {"copiesBeyond", sum_over(transport, d.beyond)},
      {"nodesAre", o.gpus_per_node > 0 ? "declared" : "hosts"},
      {"hosts", std::set<std::string>(hosts.begin(), hosts.end()).size()},
      {"ranksOnHost", transport.ranks_on_host()},
      {"imbalance", measured_imbalance(transport, c)},
      {"path", path},
  };
}

}  // namespace nightsweep

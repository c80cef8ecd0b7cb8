#include <algorithm>
#include <limits>

#include "backends.hpp"
#include "capabilities.hpp"
#include "dtype.hpp"
#include "ep_options.hpp"
#include "kernels.hpp"

namespace nightsweep {
namespace {

using Verdict = CapabilityRule::Verdict;
using Rules = std::vector<CapabilityRule>;

/** Names in rules that stand for any backend with another name. */
const std::string kAdapters = "adapters";
const std::string kDeviceAdapters = "device adapters";
const std::vector<std::string> kGpuBackends = {"nccl", "rccl", kDeviceAdapters};
const std::vector<std::string> kExpertKernels = {"ep", "ep-pipeline"};
/** Kernels that move their own messages between ranks. */
const std::vector<std::string> kMessageKernels = {"ping-pong", "message-rate", "pair-matrix"};
const std::vector<std::string> kReductionKernels = {"allreduce", "reduce-scatter", "reduce"};
const std::vector<std::string> kCollectives = {"allreduce",   "allgather", "reduce-scatter", "all-to-all",
                                               "all-to-allv", "broadcast", "send-receive",   "reduce",
                                               "gather",      "scatter"};

const std::string kOneContract =
    "this program has version " + std::to_string(kEpContractVersion) + " of the contracts and no other";

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool among(const std::vector<std::string>& names, const Json& name) {
  return among(names, name.get<std::string>());
}

long whole(const Json& identity, const char* name) { return identity.at(name).get<long>(); }
bool is(const Json& identity, const char* name, const char* value) { return identity.at(name) == value; }
bool is_fp8(const Json& c) { return is(c, "dtype", "fp8") || is(c, "combineDtype", "fp8"); }

Rules topology_rules() {
  return {
      {"device-code",
       {"ep-pipeline"},
       kGpuBackends,
       Verdict::unsupported,
       "its experts are computed by the host; there is no device code for them",
       [](const Json&) { return true; }},
      {"ep-modes-by-gpu",
       {"ep"},
       kGpuBackends,
       Verdict::unsupported,
       "low-latency mode sends messages whose length only their sender knows, which nothing in the order of "
       "a "
       "stream does",
       [](const Json& c) { return is(c, "mode", "low-latency"); }},
      {"ep-path-by-gpu",
       {"ep"},
       kGpuBackends,
       Verdict::unsupported,
       "copies go to all peers in one group of sends and receives: there is no other resource than library",
       [](const Json& c) { return !is(c, "resource", "library"); }},
      {"ep-topk",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "a token has at most as many choices as there are experts",
       [](const Json& c) { return whole(c, "topk") > whole(c, "experts"); }},
      {"ep-experts-per-rank",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "experts, and experts with redundant ones, are a multiple of ranks",
       [](const Json& c) {
         return whole(c, "experts") % whole(c, "ranks") != 0 ||
                (whole(c, "experts") + whole(c, "redundantExperts")) % whole(c, "ranks") != 0;
       }},
      {"ep-rank-local",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "balanced-rank-local needs topk experts on every rank",
       [](const Json& c) {
         return is(c, "routing", "balanced-rank-local") &&
                whole(c, "topk") > whole(c, "experts") / whole(c, "ranks");
       }},
      {"ep-balancing-places",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "load balancing places experts by itself: redundant experts go with placement packed only",
       [](const Json& c) { return whole(c, "redundantExperts") > 0 && !is(c, "placement", "packed"); }},
      {"ep-domain-of-nodes",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "a scale-up domain is a multiple of nodes",
       [](const Json& c) {
         return whole(c, "gpusPerNode") > 0 && whole(c, "scaleUpDomain") % whole(c, "gpusPerNode") != 0;
       }},
      {"ep-contract-version",
       kExpertKernels,
       {},
       Verdict::unsupported,
       kOneContract,
       [](const Json& c) { return whole(c, "contractVersion") != kEpContractVersion; }},
  };
}

bool in_place(const Json& c) { return c.value("inPlace", false); }

std::vector<std::string> with(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/**
 * Whether the grid of a ring, torus or mesh has another number of places than there are ranks; false without
 * such parameters.
 */
bool has_other_shape(const Json& c) {
  const long width = whole(c, "width");
  const long height = whole(c, "height");
  const long ranks = whole(c, "ranks");
  if (!is(c, "topology", "ring_1d")) return width * height != ranks;
  return height > 1 || (width != 0 && width != ranks);
}

Rules transport_rules() {
  return {
      {"host-only",
       {"copy", "topology-allreduce"},
       kGpuBackends,
       Verdict::unsupported,
       "it computes and copies in the host's memory, whatever the backend",
       [](const Json&) { return true; }},
      {"buffer-of-a-gpu",
       with(kCollectives, kMessageKernels),
       {"mpi", kAdapters},
       Verdict::unsupported,
       "device, pinned and managed memory needs a GPU, which this backend does not use",
       [](const Json& c) {
         return among({"device", "pinned", "managed"}, c.at("buffer"));
       }},
      {"buffer-of-the-host", with(kCollectives, kMessageKernels), kGpuBackends, Verdict::unsupported,
       "heap, huge and shared memory is the host's: a GPU backend moves device, pinned or managed memory",
       [](const Json& c) {
         return among({"heap", "huge", "shared"}, c.at("buffer"));
       }},
      {"in-place-by-gpu",
       {"reduce-scatter", "all-to-all"},
       kGpuBackends,
       Verdict::unsupported,
       "this backend does not do it in place",
       in_place},
      {"reduction-by-adapter",
       {"allreduce", "reduce-scatter", "reduce", "tp-layer"},
       {kAdapters, kDeviceAdapters},
       Verdict::unsupported,
       "an adapter moves data and reduces none",
       [](const Json&) { return true; }},
      {"average-by-library",
       kReductionKernels,
       {"mpi"},
       Verdict::unsupported,
       "MPI has no averages",
       [](const Json& c) { return is(c, "operator", "avg"); }},
      {"average-of-integers", kReductionKernels, kGpuBackends, Verdict::unsupported,
       "an average of integers is no integer",
       [](const Json& c) { return is(c, "operator", "avg") && is(c, "dtype", "i32"); }},
      {"root-is-a-rank",
       {"broadcast", "reduce", "gather", "scatter"},
       {},
       Verdict::unsupported,
       "the root is one of the ranks, which count from 0",
       [](const Json& c) { return whole(c, "root") >= whole(c, "ranks"); }},
      {"two-ranks",
       kMessageKernels,
       {},
       Verdict::unsupported,
       "a message has two ends: two ranks at least",
       [](const Json& c) { return whole(c, "ranks") < 2; }},
      {"counts-of-mpi",
       with(kCollectives, kMessageKernels),
       {"mpi"},
       Verdict::unsupported,
       "MPI's calls count a message's elements up to 2^31-1",
       [](const Json& c) {
         const bool has_elements = c.contains("dtype");
         const long width =
             has_elements ? static_cast<long>(bytes_of(parse_dtype(c.at("dtype").get<std::string>()))) : 1;
         const long blocks = has_elements && has_blocks(c.at("kernel")) ? whole(c, "ranks") : 1;
         return whole(c, "bytes") / width / blocks > std::numeric_limits<int>::max();
       }},
      {"shape-of-ranks",
       {"topology-allreduce"},
       {},
       Verdict::unsupported,
       "width times height is the number of ranks, and a ring has one row",
       has_other_shape},
      {"root-of-a-mesh",
       {"topology-allreduce"},
       {},
       Verdict::unsupported,
       "only a mesh has a root",
       [](const Json& c) { return c.at("rootCentre").get<bool>() && !is(c, "topology", "mesh_2d_no_wrap"); }},
      {"gemm-dtype",
       {"gemm"},
       {"mpi", kAdapters},
       Verdict::unsupported,
       "the host's BLAS has matrix products in f32 and f64 only",
       [](const Json& c) {
         return !among({"f32", "f64"}, c.at("dtype"));
       }},
      {"gemm-fp8-layout",
       {"gemm"},
       kGpuBackends,
       Verdict::unsupported,
       "products of fp8 have layout NT, and m, n and k that are multiples of 16",
       [](const Json& c) {
         return is(c, "dtype", "fp8") && (!is(c, "layout", "NT") || whole(c, "m") % 16 != 0 ||
                                          whole(c, "n") % 16 != 0 || whole(c, "k") % 16 != 0);
       }},
      {"an-element",
       kCollectives,
       {},
       Verdict::dropped,
       "its bytes do not hold an element, for every rank where each has a block of its own",
       [](const Json& c) {
         const long blocks = has_blocks(c.at("kernel")) ? whole(c, "ranks") : 1;
         const auto width = static_cast<long>(bytes_of(parse_dtype(c.at("dtype").get<std::string>())));
         return whole(c, "bytes") < width * blocks;
       }},
      {"a-copied-element",
       {"copy"},
       {},
       Verdict::dropped,
       "its bytes do not hold an element of f64",
       [](const Json& c) { return whole(c, "bytes") < 8; }},
  };
}

Rules format_rules() {
  return {
      {"ep-words",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "tokens are moved in words of 4 bytes: hidden is even",
       [](const Json& c) { return whole(c, "hidden") % 2 != 0; }},
      {"ep-fp8-groups",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "fp8 has a scale for every 128 elements: hidden is a multiple of 128",
       [](const Json& c) { return is_fp8(c) && whole(c, "hidden") % 128 != 0; }},
  };
}

Rules mode_rules() {
  return {
      {"ep-low-latency-prefill",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "low-latency mode keeps room for the most that may come, which is for decoding only",
       [](const Json& c) { return is(c, "mode", "low-latency") && is(c, "phase", "prefill"); }},
      {"ep-low-latency-path",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "low-latency mode sends one message a pair, all at once: it has no other resource than library",
       [](const Json& c) { return is(c, "mode", "low-latency") && !is(c, "resource", "library"); }},
      {"ep-budget",
       kExpertKernels,
       {},
       Verdict::unsupported,
       "a budget of 1 to ranks - 1 peers belongs to the fixed resource, and to no other",
       [](const Json& c) {
         const long budget = whole(c, "budget");
         return is(c, "resource", "fixed") ? budget < 1 || budget > whole(c, "ranks") - 1 : budget != 0;
       }},
      {"ep-batches",
       {"ep-pipeline"},
       {},
       Verdict::unsupported,
       "tokens per rank are a multiple of micro-batches",
       [](const Json& c) { return whole(c, "tokens") % whole(c, "batches") != 0; }},
      {"ep-decode-ladder",
       kExpertKernels,
       {},
       Verdict::dropped,
       "above the cap of decoding, 512 tokens a rank",
       [](const Json& c) { return is(c, "phase", "decode") && whole(c, "tokens") > 512; }},
      {"ep-prefill-ladder",
       kExpertKernels,
       {},
       Verdict::dropped,
       "outside prefill's 128 to 8192 tokens a rank",
       [](const Json& c) {
         return is(c, "phase", "prefill") && (whole(c, "tokens") < 128 || whole(c, "tokens") > 8192);
       }},
  };
}

Rules layer_rules() {
  return {
      {"tp-dtype",
       {"tp-layer"},
       {"mpi"},
       Verdict::unsupported,
       "the host's BLAS has matrix products in f32 and f64 only",
       [](const Json& c) { return is(c, "dtype", "bf16") || is(c, "dtype", "f16"); }},
      {"tp-dtype-by-gpu",
       {"tp-layer"},
       kGpuBackends,
       Verdict::unsupported,
       "a device computes layers in f32, f16 and bf16, with sums in f32",
       [](const Json& c) { return is(c, "dtype", "f64"); }},
      {"tp-shards",
       {"tp-layer"},
       {},
       Verdict::unsupported,
       "heads and intermediate are multiples of ranks",
       [](const Json& c) {
         return whole(c, "heads") % whole(c, "ranks") != 0 ||
                whole(c, "intermediate") % whole(c, "ranks") != 0;
       }},
      {"tp-heads",
       {"tp-layer"},
       {},
       Verdict::unsupported,
       "hidden is a multiple of heads, and a head is even, since positions turn pairs",
       [](const Json& c) {
         return whole(c, "hidden") % whole(c, "heads") != 0 ||
                whole(c, "hidden") / whole(c, "heads") % 2 != 0;
       }},
  };
}

}  // namespace

bool CapabilityRule::is_about(const std::string& kernel, const std::string& backend) const {
  const std::string& adapters = device_of_backend(backend).empty() ? kAdapters : kDeviceAdapters;
  const std::string& known = is_adapter(backend) ? adapters : backend;
  return among(kernels, kernel) && (backends.empty() || among(backends, known));
}

const Rules& capability_rules() {
  static const Rules rules = [] {
    Rules all;
    for (const Rules& group :
         {transport_rules(), topology_rules(), format_rules(), mode_rules(), layer_rules()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return rules;
}

}  // namespace nightsweep

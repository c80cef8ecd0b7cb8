#pragma once
#include <string>
#include <vector>

#include "kernel.hpp"

namespace nightsweep {

/** allreduce, allgather, reduce-scatter, all-to-all, all-to-allv, broadcast, send-receive, reduce, gather,
 * scatter. */
std::vector<KernelKind> collective_kinds();
/** Whether the state is of all ranks' blocks, each as long. */
bool has_blocks(const std::string& kernel);

/** An allreduce by messages along the links of a ring, a torus or a mesh alone. */
KernelKind topology_allreduce_kind();

/** A message there and back between the first and the last rank. */
KernelKind ping_pong_kind();
KernelKind message_rate_kind();
/** A message between every two ranks, one pair at a time. */
KernelKind pair_matrix_kind();

/** Memory to memory, on every rank. */
KernelKind copy_kind();

/** A matrix product on every rank. */
KernelKind gemm_kind();

}  // namespace nightsweep

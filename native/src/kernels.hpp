#pragma once
#include <string>
#include <vector>

#include "kernel.hpp"

namespace nightsweep {

/** allreduce, allgather, reduce-scatter, all-to-all, all-to-allv, broadcast, send-receive, reduce, gather,
 * scatter. */
std::vector<KernelKind> collective_kinds();
/** Whether the state consists of blocks of equal length, one for each rank. */
bool has_blocks(const std::string& kernel);

/** An allreduce by messages along the links of a ring, a torus or a mesh only. */
KernelKind topology_allreduce_kind();

/** A message between the first and the last rank, there and back. */
KernelKind ping_pong_kind();
KernelKind message_rate_kind();
/** A message between any two ranks, one pair at a time. */
KernelKind pair_matrix_kind();

/** A copy from memory to memory, on every rank. */
KernelKind copy_kind();

/** A matrix product on every rank. */
KernelKind gemm_kind();

}  // namespace nightsweep

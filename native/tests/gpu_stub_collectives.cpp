// NCCL, and RCCL, which uses the same names.
#include <mpi.h>

#include <cstring>
#include <vector>

#include "dtype.hpp"
#include "gpu_runtime.hpp"
#include "gpu_stub.hpp"

using nightsweep::bf16;
using nightsweep::f16;
using nightsweep::GpuStream;
using stub::call;
using stub::own_rank;
using stub::told;

namespace {

struct Message {
  void* data;
  std::size_t bytes;
  int peer;
  bool sends;
};

int groups = 0;
std::vector<Message> grouped;

void move(const std::vector<Message>& messages) {
  std::vector<MPI_Request> requests;
  for (const Message& m : messages) {
    const int bytes = static_cast<int>(m.bytes);
    MPI_Request& request = requests.emplace_back();
    if (m.sends) {
      MPI_Isend(m.data, bytes, MPI_BYTE, m.peer, 7, MPI_COMM_WORLD, &request);
    } else {
      MPI_Irecv(m.data, bytes, MPI_BYTE, m.peer, 7, MPI_COMM_WORLD, &request);
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void message(const Message& m) {
  if (groups > 0) {
    grouped.push_back(m);
  } else {
    call([m] { move({m}); });
  }
}

std::size_t width(ncclDataType_t type) {
  return type == ncclFloat64 ? 8 : type == ncclFloat16 || type == ncclBfloat16 ? 2 : type == ncclInt8 ? 1 : 4;
}

template <typename T>
void reduce(const std::vector<std::byte>& all, std::size_t count, int ranks, ncclRedOp_t op, void* to) {
  const T* const from = reinterpret_cast<const T*>(all.data());
  for (std::size_t i = 0; i < count; ++i) {
    double result = static_cast<double>(from[i]);
    for (int r = 1; r < ranks; ++r) {
      const double next = static_cast<double>(from[static_cast<std::size_t>(r) * count + i]);
      result = op == ncclProd  ? result * next
               : op == ncclMax ? std::max(result, next)
               : op == ncclMin ? std::min(result, next)
                               : result + next;
      result = static_cast<double>(nightsweep::element_of<T>(result));
    }
    static_cast<T*>(to)[i] = nightsweep::element_of<T>(op == ncclAvg ? result / ranks : result);
  }
}

/** All ranks' numbers, reduced; the receiver takes this many, starting at the first. */
void reduce_all(const void* send, void* receive, std::size_t count, std::size_t first, std::size_t taken,
                ncclDataType_t type, ncclRedOp_t op) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::byte> all(count * width(type) * static_cast<std::size_t>(ranks)),
      result(count * width(type));
  const int bytes = static_cast<int>(result.size());
  MPI_Allgather(send, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
  switch (type) {
    case ncclFloat32:
      reduce<float>(all, count, ranks, op, result.data());
      break;
    case ncclFloat64:
      reduce<double>(all, count, ranks, op, result.data());
      break;
    case ncclFloat16:
      reduce<f16>(all, count, ranks, op, result.data());
      break;
    case ncclBfloat16:
      reduce<bf16>(all, count, ranks, op, result.data());
      break;
    default:
      reduce<std::int32_t>(all, count, ranks, op, result.data());
  }
  std::memcpy(receive, result.data() + first * width(type), taken * width(type));
}

}  // namespace

extern "C" {

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited" : "stub";
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id, 1, sizeof *id);
  return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int /*ranks*/, ncclUniqueId id, int /*rank*/) {
  *communicator = reinterpret_cast<ncclComm_t>(&groups);
  return id.internal[5] == 1 ? ncclSuccess : ncclInvalidArgument;
}
ncclResult_t ncclCommDestroy(ncclComm_t /*communicator*/) { return ncclSuccess; }
ncclResult_t ncclCommAbort(ncclComm_t /*communicator*/) { return ncclSuccess; }
ncclResult_t ncclCommGetAsyncError(ncclComm_t /*communicator*/, ncclResult_t* state) {
  *state = told("STUB_ASYNC_ERROR") ? ncclRemoteError : ncclSuccess;
  return ncclSuccess;
}
ncclResult_t ncclGetVersion(int* version) {
  *version = 0;
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  ++groups;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--groups > 0) return ncclSuccess;
  call([messages = std::move(grouped)] { move(messages); });
  grouped.clear();
  return ncclSuccess;
}
ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t /*c*/,
                      GpuStream /*stream*/) {
  message({const_cast<void*>(data), count * width(type), peer, true});
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t /*c*/,
                      GpuStream /*stream*/) {
  message({data, count * width(type), peer, false});
  return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t /*c*/, GpuStream /*stream*/) {
  call([=] { reduce_all(send, receive, count, 0, count, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t /*c*/, GpuStream /*stream*/) {
  call([=] { reduce_all(send, receive, count, 0, own_rank() == root ? count : 0, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t /*c*/, GpuStream /*stream*/) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto all = static_cast<std::size_t>(ranks) * count;
  call(
      [=] { reduce_all(send, receive, all, static_cast<std::size_t>(own_rank()) * count, count, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t /*c*/, GpuStream /*stream*/) {
  const int bytes = static_cast<int>(count * width(type));
  const std::vector<std::byte> own(static_cast<const std::byte*>(send),
                                   static_cast<const std::byte*>(send) + bytes);
  call([=] { MPI_Allgather(own.data(), bytes, MPI_BYTE, receive, bytes, MPI_BYTE, MPI_COMM_WORLD); });
  return ncclSuccess;
}
ncclResult_t ncclBroadcast(const void* /*send*/, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t /*c*/, GpuStream /*stream*/) {
  call([=] { MPI_Bcast(receive, static_cast<int>(count * width(type)), MPI_BYTE, root, MPI_COMM_WORLD); });
  return ncclSuccess;
}

}  // extern "C"

// A library that moves a GPU's memory, behind the adapter's interface, on the stub's devices, whose memory is
// the host's. It refuses a world without a stream.
#include <mpi.h>

#include <cstring>
#include <vector>

#include "../adapters/nightsweep_adapter.h"

namespace {

constexpr int kNoStream = -1;
constexpr int kTag = 11;

MPI_Comm of(void* state) { return *static_cast<MPI_Comm*>(state); }

const char* library() { return "stub adapter 1"; }
const char* error_text(int error) { return error == kNoStream ? "there is no stream" : "MPI"; }

int open_all(const nightsweep_world* world, void** state) {
  if (world->stream == nullptr) return kNoStream;
  auto* own = new MPI_Comm;
  *state = own;
  return MPI_Comm_dup(MPI_COMM_WORLD, own);
}
void close_all(void* state) {
  MPI_Comm_free(static_cast<MPI_Comm*>(state));
  delete static_cast<MPI_Comm*>(state);
}

int send_one(void* state, const void* data, std::size_t bytes, int to, int tag, void** request) {
  auto* own = new MPI_Request;
  *request = own;
  return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, of(state), own);
}
int receive_one(void* state, void* data, std::size_t bytes, int from, int tag, void** request) {
  auto* own = new MPI_Request;
  *request = own;
  return MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, of(state), own);
}
int wait_for(void* /*state*/, void* request, std::size_t* moved) {
  auto* own = static_cast<MPI_Request*>(request);
  MPI_Status status;
  const int error = MPI_Wait(own, &status);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *moved = static_cast<std::size_t>(bytes);
  delete own;
  return error;
}
int progress(void* /*state*/) { return 0; }

int all_to_all_v(void* state, const void* send, const std::size_t* send_bytes,
                 const std::size_t* send_offsets, void* receive, const std::size_t* receive_bytes,
                 const std::size_t* receive_offsets) {
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(of(state), &ranks);
  MPI_Comm_rank(of(state), &rank);
  std::vector<MPI_Request> requests;
  for (int peer = 0; peer < ranks; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    const char* const from = static_cast<const char*>(send) + send_offsets[p];
    char* const to = static_cast<char*>(receive) + receive_offsets[p];
    if (peer == rank) {
      if (receive_bytes[p] > 0) std::memmove(to, from, receive_bytes[p]);
      continue;
    }
    MPI_Irecv(to, static_cast<int>(receive_bytes[p]), MPI_BYTE, peer, kTag, of(state),
              &requests.emplace_back());
    MPI_Isend(from, static_cast<int>(send_bytes[p]), MPI_BYTE, peer, kTag, of(state),
              &requests.emplace_back());
  }
  return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

const nightsweep_adapter* nightsweep_adapter_of_library() {
  static const nightsweep_adapter adapter = {NIGHTSWEEP_ADAPTER_VERSION,
                                             NIGHTSWEEP_DEVICE,
                                             library,
                                             error_text,
                                             open_all,
                                             close_all,
                                             send_one,
                                             receive_one,
                                             wait_for,
                                             progress,
                                             all_to_all_v};
  return &adapter;
}

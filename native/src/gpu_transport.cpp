#include "gpu_transport.hpp"

#include <stdexcept>

#include "errors.hpp"
#include "gpu_base.hpp"

namespace nightsweep {

#if !defined(NIGHTSWEEP_GPU)

std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& /*control*/,
                                         double /*patience_seconds*/) {
  throw Unsupported("this build has no " + backend + ": its libraries were not found");
}

std::unique_ptr<Transport> gpu_memory(const std::string& device, Transport& /*control*/,
                                      double /*patience_seconds*/) {
  throw Unsupported("this build has no " + device + ": its runtime was not found");
}

#else
namespace {

#if defined(NIGHTSWEEP_CCL)

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  throw TransportError(std::string(what) + ": " + ncclGetErrorString(result), false);
}

ncclDataType_t type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return ncclFloat32;
    case Dtype::f64:
      return ncclFloat64;
    case Dtype::f16:
      return ncclFloat16;
    case Dtype::bf16:
      return ncclBfloat16;
    case Dtype::i32:
      return ncclInt32;
  }
  throw std::invalid_argument("no such dtype");
}

ncclRedOp_t op_of(Reduction how) {
  switch (how) {
    case Reduction::sum:
      return ncclSum;
    case Reduction::prod:
      return ncclProd;
    case Reduction::max:
      return ncclMax;
    case Reduction::min:
      return ncclMin;
    case Reduction::avg:
      return ncclAvg;
  }
  throw std::invalid_argument("no such reduction");
}

/** Libraries before 2.14 never leave a call pending and have no code for it. */
bool is_under_way([[maybe_unused]] ncclResult_t state) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 14, 0)
  return state == ncclInProgress;
#else
  return false;
#endif
}

/** A data plane with NCCL, or with RCCL, which uses the same names. */
class CclTransport final : public GpuTransport {
 public:
  CclTransport(Transport& control, double patience_seconds) : GpuTransport(control, patience_seconds) {
    ncclUniqueId id{};
    if (rank() == 0) check(ncclGetUniqueId(&id), "unique id");
    const std::string text = control.broadcast_text({reinterpret_cast<const char*>(&id), sizeof id}, 0);
    text.copy(reinterpret_cast<char*>(&id), sizeof id);
    check(ncclCommInitRank(&communicator_, ranks(), id, rank()), "communicator");
  }
  ~CclTransport() override {
    if (communicator_ != nullptr) ncclCommDestroy(communicator_);
  }
  CclTransport(const CclTransport&) = delete;
  CclTransport& operator=(const CclTransport&) = delete;

  [[nodiscard]] std::string library() const override {
    int version = 0;
    check(ncclGetVersion(&version), "version");
    return std::string(kGpuBackend) + " " + std::to_string(version);
  }

  Pending send(const void* data, std::size_t bytes, int to, int /*tag*/) override {
    check(ncclSend(data, bytes, ncclInt8, to, communicator_, gpu_stream()), "send");
    return {.handle = {}, .bytes = bytes, .sending = true};
  }
  Pending receive(void* data, std::size_t bytes, int from, int /*tag*/) override {
    check(ncclRecv(data, bytes, ncclInt8, from, communicator_, gpu_stream()), "receive");
    return {.handle = {}, .bytes = bytes, .sending = false};
  }
  std::size_t wait(Pending& pending) override {
    synchronise();
    return pending.bytes;
  }
  void wait_all(std::span<Pending> /*pending*/) override { synchronise(); }
  void send_now(const void* data, std::size_t bytes, int to, int tag) override { send(data, bytes, to, tag); }
  void receive_now(void* data, std::size_t bytes, int from, int tag) override {
    receive(data, bytes, from, tag);
  }

  void allreduce(const void* send, void* receive, std::size_t count, Dtype dtype, Reduction how) override {
    check(ncclAllReduce(send, receive, count, type_of(dtype), op_of(how), communicator_, gpu_stream()),
          "allreduce");
  }
  void allgather(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    check(ncclAllGather(send, receive, count, type_of(dtype), communicator_, gpu_stream()), "allgather");
  }
  void reduce_scatter(const void* send, void* receive, std::size_t count, Dtype dtype,
                      Reduction how) override {
    // In place, NCCL puts the sum into the rank's own block; no case uses that.
    check(ncclReduceScatter(send, receive, count, type_of(dtype), op_of(how), communicator_, gpu_stream()),
          "reduce-scatter");
  }
  void reduce(const void* send, void* receive, std::size_t count, Dtype dtype, Reduction how,
              int root) override {
    check(ncclReduce(send, receive, count, type_of(dtype), op_of(how), root, communicator_, gpu_stream()),
          "reduce");
  }
  void gather_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    const std::size_t bytes = count * bytes_of(dtype);
    check(ncclGroupStart(), "group");
    send_one(send, bytes, root);
    for (int peer = 0; rank() == root && peer < ranks(); ++peer) {
      receive_one(static_cast<char*>(receive) + static_cast<std::size_t>(peer) * bytes, bytes, peer);
    }
    check(ncclGroupEnd(), "group");
  }
  void scatter_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    const std::size_t bytes = count * bytes_of(dtype);
    check(ncclGroupStart(), "group");
    for (int peer = 0; rank() == root && peer < ranks(); ++peer) {
      send_one(static_cast<const char*>(send) + static_cast<std::size_t>(peer) * bytes, bytes, peer);
    }
    receive_one(receive, bytes, root);
    check(ncclGroupEnd(), "group");
  }
  void all_to_all(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    check(ncclGroupStart(), "group");
    for (int peer = 0; peer < ranks(); ++peer) {
      const std::size_t at = static_cast<std::size_t>(peer) * bytes;
      one_way(static_cast<const char*>(send) + at, bytes, static_cast<char*>(receive) + at, bytes, peer,
              peer);
    }
    check(ncclGroupEnd(), "group");
  }
  void all_to_all_v(const void* send, void* receive, const Exchange& e, Dtype dtype) override {
    const std::size_t size = bytes_of(dtype);
    const auto bytes = [size](int count) { return static_cast<std::size_t>(count) * size; };
    check(ncclGroupStart(), "group");
    for (int peer = 0; peer < ranks(); ++peer) {
      const auto p = static_cast<std::size_t>(peer);
      one_way(static_cast<const char*>(send) + bytes(e.send_offsets[p]), bytes(e.send_counts[p]),
              static_cast<char*>(receive) + bytes(e.receive_offsets[p]), bytes(e.receive_counts[p]), peer,
              peer);
    }
    check(ncclGroupEnd(), "group");
  }
  void broadcast(void* data, std::size_t count, Dtype dtype, int root) override {
    check(ncclBroadcast(data, data, count, type_of(dtype), root, communicator_, gpu_stream()), "broadcast");
  }
  void send_receive(const void* send, int to, void* receive, int from, std::size_t count,
                    Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    check(ncclGroupStart(), "group");
    one_way(send, bytes, receive, bytes, to, from);
    check(ncclGroupEnd(), "group");
  }

 protected:
  std::string failure() override {
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(communicator_, &state), "state of the communicator");
    return state == ncclSuccess || is_under_way(state) ? std::string() : ncclGetErrorString(state);
  }
  void give_up() override {
    if (communicator_ != nullptr) ncclCommAbort(communicator_);
    communicator_ = nullptr;
  }

 private:
  void one_way(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int to, int from) {
    send_one(out, out_bytes, to);
    receive_one(in, in_bytes, from);
  }
  void send_one(const void* out, std::size_t bytes, int to) {
    if (bytes > 0) check(ncclSend(out, bytes, ncclInt8, to, communicator_, gpu_stream()), "send");
  }
  void receive_one(void* in, std::size_t bytes, int from) {
    if (bytes > 0) check(ncclRecv(in, bytes, ncclInt8, from, communicator_, gpu_stream()), "receive");
  }

  ncclComm_t communicator_ = nullptr;
};

#endif

/** Provides memory only and moves nothing itself. */
class GpuMemory final : public GpuTransport {
 public:
  using GpuTransport::GpuTransport;

  [[nodiscard]] std::string library() const override { return kGpuDevice; }
  Pending send(const void*, std::size_t, int, int) override { none(); }
  Pending receive(void*, std::size_t, int, int) override { none(); }
  std::size_t wait(Pending&) override { none(); }
  void wait_all(std::span<Pending>) override { none(); }
  void send_now(const void*, std::size_t, int, int) override { none(); }
  void receive_now(void*, std::size_t, int, int) override { none(); }
  void allreduce(const void*, void*, std::size_t, Dtype, Reduction) override { none(); }
  void allgather(const void*, void*, std::size_t, Dtype) override { none(); }
  void reduce_scatter(const void*, void*, std::size_t, Dtype, Reduction) override { none(); }
  void reduce(const void*, void*, std::size_t, Dtype, Reduction, int) override { none(); }
  void gather_blocks(const void*, void*, std::size_t, Dtype, int) override { none(); }
  void scatter_blocks(const void*, void*, std::size_t, Dtype, int) override { none(); }
  void all_to_all(const void*, void*, std::size_t, Dtype) override { none(); }
  void all_to_all_v(const void*, void*, const Exchange&, Dtype) override { none(); }
  void broadcast(void*, std::size_t, Dtype, int) override { none(); }
  void send_receive(const void*, int, void*, int, std::size_t, Dtype) override { none(); }

 private:
  [[noreturn]] static void none() { throw std::logic_error("a GPU's memory moves nothing by itself"); }
};

}  // namespace

std::unique_ptr<Transport> gpu_memory(const std::string& device, Transport& control,
                                      double patience_seconds) {
  if (device != kGpuDevice) {
    throw Unsupported("this build is for " + std::string(kGpuDevice) + ", not for " + device);
  }
  return std::make_unique<GpuMemory>(control, patience_seconds);
}

std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& control,
                                         double patience_seconds) {
  if (backend != kGpuBackend) {
    throw Unsupported("this build has " + std::string(kGpuBackend) + ", not " + backend);
  }
#if defined(NIGHTSWEEP_CCL)
  return std::make_unique<CclTransport>(control, patience_seconds);
#else
  (void)control;
  (void)patience_seconds;
  // The compiler still checks all of GpuTransport, so that it stays valid where only the runtime is packaged.
  static_assert(sizeof(GpuTransport) > 0);
  throw Unsupported("this build has no " + backend + ": only its GPU runtime was found");
#endif
}

#endif

}  // namespace nightsweep

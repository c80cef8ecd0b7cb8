#include "gpu_transport.hpp"

#include <array>
#include <cstdlib>

#include "errors.hpp"
#include "gpu_devices.hpp"
#include "gpu_runtime.hpp"

namespace nightsweep {

bool is_backend(const std::string& name) { return name == "mpi" || name == "nccl" || name == "rccl"; }

#if !defined(NIGHTSWEEP_GPU)

std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& /*control*/) {
  throw Unsupported("this build has no " + backend + ": its libraries were not found");
}

#else
namespace {

#if defined(NIGHTSWEEP_CUDA)
constexpr const char* kBackend = "nccl";
#else
constexpr const char* kBackend = "rccl";
#endif

using Error = NIGHTSWEEP_GPU(Error_t);
using Stream = NIGHTSWEEP_GPU(Stream_t);
using Event = NIGHTSWEEP_GPU(Event_t);

void check(Error error, const char* what) {
  if (error == NIGHTSWEEP_GPU(Success)) return;
  throw TransportError(std::string(what) + ": " + NIGHTSWEEP_GPU(GetErrorString)(error), false);
}

/** What a GPU rank shares with every other: control is MPI's, memory and clock the GPU's. */
class GpuTransport : public Transport {
 public:
  explicit GpuTransport(Transport& control) : control_(control) {
    int devices = 0;
    const bool any = NIGHTSWEEP_GPU(GetDeviceCount)(&devices) == NIGHTSWEEP_GPU(Success) && devices > 0;
    const std::vector<std::string> hosts = control.hosts();
    const auto device = device_of(local_rank(hosts, control.rank()), any ? devices : 0);
    if (control.sum_over_ranks(device ? 0 : 1) > 0) {
      throw Unsupported("needs a GPU for each rank; this rank sees " + std::to_string(any ? devices : 0) +
                        " for " + std::to_string(control.ranks_on_host()) + " ranks on its host");
    }
    std::array<char, 32> bus_id{};
    check(NIGHTSWEEP_GPU(DeviceGetPCIBusId)(bus_id.data(), static_cast<int>(bus_id.size()), *device),
          "device");
    if (const auto host = shared_device(hosts, control.gather_text(bus_id.data()))) {
      throw Unsupported("two ranks on one host share a GPU, each being shown the same one");
    }
    check(NIGHTSWEEP_GPU(SetDevice)(*device), "device");
    check(NIGHTSWEEP_GPU(StreamCreate)(&stream_), "stream");
    check(NIGHTSWEEP_GPU(EventCreate)(&start_), "event");
    check(NIGHTSWEEP_GPU(EventCreate)(&stop_), "event");
  }
  ~GpuTransport() override {
    (void)NIGHTSWEEP_GPU(EventDestroy)(start_);
    (void)NIGHTSWEEP_GPU(EventDestroy)(stop_);
    (void)NIGHTSWEEP_GPU(StreamDestroy)(stream_);
  }
  GpuTransport(const GpuTransport&) = delete;
  GpuTransport& operator=(const GpuTransport&) = delete;

  [[nodiscard]] int rank() const override { return control_.rank(); }
  [[nodiscard]] int ranks() const override { return control_.ranks(); }
  [[nodiscard]] std::string backend() const override { return kBackend; }

  /** Also waits for this rank's own GPU, so that a sample starts on an idle one. */
  void barrier() override {
    synchronise();
    control_.barrier();
  }
  std::vector<double> max_over_ranks(const std::vector<double>& v) override {
    return control_.max_over_ranks(v);
  }
  std::vector<double> min_over_ranks(const std::vector<double>& v) override {
    return control_.min_over_ranks(v);
  }
  long sum_over_ranks(long value) override { return control_.sum_over_ranks(value); }
  std::vector<double> gather(const std::vector<double>& values) override { return control_.gather(values); }
  std::vector<std::string> gather_text(const std::string& text) override {
    return control_.gather_text(text);
  }
  std::string broadcast_text(const std::string& text, int root) override {
    return control_.broadcast_text(text, root);
  }
  std::vector<std::string> hosts() override { return control_.hosts(); }
  int ranks_on_host() override { return control_.ranks_on_host(); }
  [[noreturn]] void abort(int code) override {
    control_.abort(code);
    std::abort();
  }

  Buffer allocate(BufferKind kind, std::size_t bytes) override {
    void* data = nullptr;
    switch (kind) {
      case BufferKind::device:
        check(NIGHTSWEEP_GPU(Malloc)(&data, bytes), "device memory");
        return {data, bytes, kind, [data] { (void)NIGHTSWEEP_GPU(Free)(data); }};
      case BufferKind::pinned:
#if defined(NIGHTSWEEP_CUDA)
        check(cudaMallocHost(&data, bytes), "pinned memory");
        return {data, bytes, kind, [data] { (void)cudaFreeHost(data); }};
#else
        check(hipHostMalloc(&data, bytes, hipHostMallocDefault), "pinned memory");
        return {data, bytes, kind, [data] { (void)hipHostFree(data); }};
#endif
      case BufferKind::managed: {
        std::size_t free = 0;
        std::size_t total = 0;
        check(NIGHTSWEEP_GPU(MemGetInfo)(&free, &total), "free memory");
        // Beyond it, pages move with every touch: what is timed is no longer the kernel.
        if (bytes >= free) {
          throw Dropped(std::to_string(bytes) +
                        " bytes of managed memory where the cap is the free memory, " + std::to_string(free));
        }
#if defined(NIGHTSWEEP_CUDA)
        check(cudaMallocManaged(&data, bytes, cudaMemAttachGlobal), "managed memory");
#else
        check(hipMallocManaged(&data, bytes, hipMemAttachGlobal), "managed memory");
#endif
        return {data, bytes, kind, [data] { (void)NIGHTSWEEP_GPU(Free)(data); }};
      }
      case BufferKind::heap:
      case BufferKind::huge:
      case BufferKind::shared:
        break;
    }
    throw Unsupported("buffer kind " + to_string(kind) + " is the host's, which " + kBackend +
                      " does not move");
  }
  void upload(void* to, const void* host, std::size_t bytes) override { copy(to, host, bytes); }
  void download(void* host, const void* from, std::size_t bytes) override { copy(host, from, bytes); }

  /** By events on the stream: nothing inside waits for the host. */
  double seconds(const std::function<void()>& operation) override {
    check(NIGHTSWEEP_GPU(EventRecord)(start_, stream_), "event");
    operation();
    check(NIGHTSWEEP_GPU(EventRecord)(stop_, stream_), "event");
    check(NIGHTSWEEP_GPU(EventSynchronize)(stop_), "event");
    float milliseconds = 0;
    check(NIGHTSWEEP_GPU(EventElapsedTime)(&milliseconds, start_, stop_), "event");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 protected:
  void synchronise() { check(NIGHTSWEEP_GPU(StreamSynchronize)(stream_), "stream"); }
  [[nodiscard]] Stream stream() const { return stream_; }
  [[nodiscard]] Transport& control() const { return control_; }

 private:
  void copy(void* to, const void* from, std::size_t bytes) {
#if defined(NIGHTSWEEP_CUDA)
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "copy");
#else
    check(hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream_), "copy");
#endif
    synchronise();
  }

  Transport& control_;
  Stream stream_ = nullptr;
  Event start_ = nullptr;
  Event stop_ = nullptr;
};

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

/** The data plane by NCCL, or by RCCL, which bears the same names. */
class CclTransport final : public GpuTransport {
 public:
  explicit CclTransport(Transport& control) : GpuTransport(control) {
    ncclUniqueId id{};
    if (rank() == 0) check(ncclGetUniqueId(&id), "unique id");
    const std::string text = control.broadcast_text({reinterpret_cast<const char*>(&id), sizeof id}, 0);
    text.copy(reinterpret_cast<char*>(&id), sizeof id);
    check(ncclCommInitRank(&communicator_, ranks(), id, rank()), "communicator");
  }
  ~CclTransport() override { ncclCommDestroy(communicator_); }
  CclTransport(const CclTransport&) = delete;
  CclTransport& operator=(const CclTransport&) = delete;

  [[nodiscard]] std::string library() const override {
    int version = 0;
    check(ncclGetVersion(&version), "version");
    return std::string(kBackend) + " " + std::to_string(version);
  }

  Pending send(const void* data, std::size_t bytes, int to, int /*tag*/) override {
    check(ncclSend(data, bytes, ncclInt8, to, communicator_, stream()), "send");
    return {.handle = {}, .bytes = bytes, .sending = true};
  }
  Pending receive(void* data, std::size_t bytes, int from, int /*tag*/) override {
    check(ncclRecv(data, bytes, ncclInt8, from, communicator_, stream()), "receive");
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

  void allreduce(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    check(ncclAllReduce(send, receive, count, type_of(dtype), ncclSum, communicator_, stream()), "allreduce");
  }
  void allgather(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    check(ncclAllGather(send, receive, count, type_of(dtype), communicator_, stream()), "allgather");
  }
  void reduce_scatter(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    // In place, NCCL leaves the sum where the rank's own block lies; no case asks for that.
    check(ncclReduceScatter(send, receive, count, type_of(dtype), ncclSum, communicator_, stream()),
          "reduce-scatter");
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
    check(ncclBroadcast(data, data, count, type_of(dtype), root, communicator_, stream()), "broadcast");
  }
  void send_receive(const void* send, int to, void* receive, int from, std::size_t count,
                    Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    check(ncclGroupStart(), "group");
    one_way(send, bytes, receive, bytes, to, from);
    check(ncclGroupEnd(), "group");
  }

 private:
  void one_way(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int to, int from) {
    check(ncclSend(out, out_bytes, ncclInt8, to, communicator_, stream()), "send");
    check(ncclRecv(in, in_bytes, ncclInt8, from, communicator_, stream()), "receive");
  }

  ncclComm_t communicator_ = nullptr;
};

#endif

}  // namespace

std::unique_ptr<Transport> gpu_transport(const std::string& backend, Transport& control) {
  if (backend != kBackend) throw Unsupported("this build has " + std::string(kBackend) + ", not " + backend);
#if defined(NIGHTSWEEP_CCL)
  return std::make_unique<CclTransport>(control);
#else
  (void)control;
  // The compiler still sees the whole of GpuTransport, so that it cannot rot where only the runtime is
  // packaged.
  static_assert(sizeof(GpuTransport) > 0);
  throw Unsupported("this build has no " + backend + ": only its GPU runtime was found");
#endif
}

#endif

}  // namespace nightsweep

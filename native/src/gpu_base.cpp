#include "gpu_base.hpp"

#if defined(NIGHTSWEEP_GPU)
#include <array>
#include <chrono>
#include <cstdlib>

#include "gpu_devices.hpp"

namespace nightsweep {
namespace {

/** Checks of the event between two checks of the data plane's state, which costs a lock. */
constexpr int kLooksAtEvent = 1024;

}  // namespace

GpuTransport::GpuTransport(Transport& control, double patience_seconds)
    : ControlledTransport(control), patience_seconds_(patience_seconds) {
  int devices = 0;
  const bool any = NIGHTSWEEP_GPU(GetDeviceCount)(&devices) == NIGHTSWEEP_GPU(Success) && devices > 0;
  const std::vector<std::string> hosts = control.hosts();
  const auto device = device_of(local_rank(hosts, control.rank()), any ? devices : 0);
  if (control.sum_over_ranks(device ? 0 : 1) > 0) {
    throw Unsupported("needs a GPU for each rank; this rank sees " + std::to_string(any ? devices : 0) +
                      " for " + std::to_string(control.ranks_on_host()) + " ranks on its host");
  }
  std::array<char, 32> bus_id{};
  check_gpu(NIGHTSWEEP_GPU(DeviceGetPCIBusId)(bus_id.data(), static_cast<int>(bus_id.size()), *device),
            "device");
  if (const auto host = shared_device(hosts, control.gather_text(bus_id.data()))) {
    throw Unsupported("two ranks on one host share a GPU, each being shown the same one");
  }
  check_gpu(NIGHTSWEEP_GPU(SetDevice)(*device), "device");
  GpuProperties properties{};
  check_gpu(NIGHTSWEEP_GPU(GetDeviceProperties)(&properties, *device), "device");
  device_ = std::string(properties.name) + " " + bus_id.data();
  check_gpu(NIGHTSWEEP_GPU(StreamCreate)(&stream_), "stream");
  for (GpuEvent* event : {&start_, &stop_, &settled_}) check_gpu(NIGHTSWEEP_GPU(EventCreate)(event), "event");
}

GpuTransport::~GpuTransport() {
  for (GpuEvent event : {start_, stop_, settled_}) (void)NIGHTSWEEP_GPU(EventDestroy)(event);
  (void)NIGHTSWEEP_GPU(StreamDestroy)(stream_);
}

Buffer GpuTransport::allocate(BufferKind kind, std::size_t bytes) {
  void* data = nullptr;
  // Some runtimes return a null pointer for an allocation of 0 bytes.
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  switch (kind) {
    case BufferKind::device:
      check_gpu(NIGHTSWEEP_GPU(Malloc)(&data, size), "device memory");
      return {data, bytes, kind, [data] { (void)NIGHTSWEEP_GPU(Free)(data); }};
    case BufferKind::pinned:
#if defined(NIGHTSWEEP_CUDA)
      check_gpu(cudaMallocHost(&data, size), "pinned memory");
      return {data, bytes, kind, [data] { (void)cudaFreeHost(data); }};
#else
      check_gpu(hipHostMalloc(&data, size, hipHostMallocDefault), "pinned memory");
      return {data, bytes, kind, [data] { (void)hipHostFree(data); }};
#endif
    case BufferKind::managed: {
      std::size_t free = 0;
      std::size_t total = 0;
      check_gpu(NIGHTSWEEP_GPU(MemGetInfo)(&free, &total), "free memory");
      // With more, pages would move on every access and the time would no longer be the kernel's.
      if (bytes >= free) {
        throw Dropped(std::to_string(bytes) + " bytes of managed memory where the cap is the free memory, " +
                      std::to_string(free));
      }
#if defined(NIGHTSWEEP_CUDA)
      check_gpu(cudaMallocManaged(&data, size, cudaMemAttachGlobal), "managed memory");
#else
      check_gpu(hipMallocManaged(&data, size, hipMemAttachGlobal), "managed memory");
#endif
      return {data, bytes, kind, [data] { (void)NIGHTSWEEP_GPU(Free)(data); }};
    }
    case BufferKind::heap:
    case BufferKind::huge:
    case BufferKind::shared:
      break;
  }
  throw Unsupported("buffer kind " + to_string(kind) + " is the host's, which " + kGpuBackend +
                    " does not move");
}

double GpuTransport::seconds(const std::function<void()>& operation) {
  check_gpu(NIGHTSWEEP_GPU(EventRecord)(start_, stream_), "event");
  operation();
  check_gpu(NIGHTSWEEP_GPU(EventRecord)(stop_, stream_), "event");
  await(stop_);
  float milliseconds = 0;
  check_gpu(NIGHTSWEEP_GPU(EventElapsedTime)(&milliseconds, start_, stop_), "event");
  return 1e-3 * static_cast<double>(milliseconds);
}

std::optional<std::function<void()>> GpuTransport::recorded(const std::function<void()>& operation) {
  synchronise();
  NIGHTSWEEP_GPU(Graph_t) graph = nullptr;
  NIGHTSWEEP_GPU(GraphExec_t) executable = nullptr;
  bool done = NIGHTSWEEP_GPU(StreamBeginCapture)(stream_, NIGHTSWEEP_GPU(StreamCaptureModeThreadLocal)) ==
              NIGHTSWEEP_GPU(Success);
  if (done) {
    try {
      operation();
    } catch (const std::exception&) {
      done = false;
    }
    done = NIGHTSWEEP_GPU(StreamEndCapture)(stream_, &graph) == NIGHTSWEEP_GPU(Success) && done;
  }
  done = done && NIGHTSWEEP_GPU(GraphInstantiateWithFlags)(&executable, graph, 0) == NIGHTSWEEP_GPU(Success);
  if (graph != nullptr) (void)NIGHTSWEEP_GPU(GraphDestroy)(graph);
  // Clears the error, so that a later call does not report it.
  (void)NIGHTSWEEP_GPU(GetLastError)();
  const std::shared_ptr<std::remove_pointer_t<NIGHTSWEEP_GPU(GraphExec_t)>> kept(
      executable, [](NIGHTSWEEP_GPU(GraphExec_t) e) {
        if (e != nullptr) (void)NIGHTSWEEP_GPU(GraphExecDestroy)(e);
      });
  // In a collective operation either all ranks start the graph or none.
  if (sum_over_ranks(done ? 0 : 1) > 0) return std::nullopt;
  return [this, kept] { check_gpu(NIGHTSWEEP_GPU(GraphLaunch)(kept.get(), stream_), "graph"); };
}

std::unique_ptr<Product> GpuTransport::product(const ProductShape& shape) {
  if (products_ == nullptr) products_ = product_library(stream_);
  return products_->plan(shape);
}

void GpuTransport::synchronise() {
  check_gpu(NIGHTSWEEP_GPU(EventRecord)(settled_, stream_), "event");
  await(settled_);
}

void GpuTransport::await(GpuEvent event) {
  const auto start = std::chrono::steady_clock::now();
  for (int looks = 0;; looks = (looks + 1) % kLooksAtEvent) {
    const GpuError state = NIGHTSWEEP_GPU(EventQuery)(event);
    if (state == NIGHTSWEEP_GPU(Success)) return;
    if (state != NIGHTSWEEP_GPU(ErrorNotReady)) check_gpu(state, "stream");
    if (looks != 0) continue;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (given_up_.empty()) {
      if (const std::string why = failure(); !why.empty()) {
        given_up_ = "the data plane failed: " + why;
      } else if (waited.count() > patience_seconds_) {
        given_up_ = "nothing came through for " + std::to_string(static_cast<long>(waited.count())) +
                    " s: a peer has died or waits for something else";
      }
      if (!given_up_.empty()) give_up();
    }
    if (!given_up_.empty()) throw TransportError(given_up_, false);
  }
}

void GpuTransport::copy(void* to, const void* from, std::size_t bytes) {
  check_gpu(NIGHTSWEEP_GPU(MemcpyAsync)(to, from, bytes, NIGHTSWEEP_GPU(MemcpyDefault), stream_), "copy");
  synchronise();
}

}  // namespace nightsweep
#endif

// The runtime: devices, memory, streams, events and graphs.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "gpu_runtime.hpp"
#include "gpu_stub.hpp"

using namespace nightsweep;
using stub::told;

namespace {

using Clock = std::chrono::steady_clock;
using Calls = std::vector<std::function<void()>>;

/** The calls recorded during a stream's capture; null if the stream is not being captured. */
Calls* captured = nullptr;

int number_of(const char* name, int otherwise) {
  return told(name) ? std::atoi(std::getenv(name)) : otherwise;
}

/** The devices that this rank sees, by their numbers on the host. */
std::vector<int> shown() {
#if defined(NIGHTSWEEP_CUDA)
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
#else
  const char* const visible = std::getenv("ROCR_VISIBLE_DEVICES");
#endif
  std::vector<int> devices;
  if (visible != nullptr && !told("STUB_GPUS")) {
    std::istringstream numbers(visible);
    for (std::string one; std::getline(numbers, one, ',');) devices.push_back(std::stoi(one));
    return devices;
  }
  devices.resize(static_cast<std::size_t>(number_of("STUB_GPUS", 8)));
  // If each rank sees only one device, each sees a different one.
  std::iota(devices.begin(), devices.end(),
            devices.size() == 1 && !told("STUB_SAME_GPU") ? stub::own_rank() : 0);
  return devices;
}

struct Event {
  Clock::time_point at;
};

}  // namespace

namespace stub {

void call(std::function<void()> what) {
  if (captured != nullptr) {
    captured->push_back(std::move(what));
  } else {
    what();
  }
}

bool told(const char* name) { return std::getenv(name) != nullptr; }

int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace stub

extern "C" {

const char* NIGHTSWEEP_GPU(GetErrorString)(GpuError error) {
  return error == NIGHTSWEEP_GPU(Success) ? "none" : "stub error";
}
GpuError NIGHTSWEEP_GPU(GetLastError)() { return NIGHTSWEEP_GPU(Success); }
GpuError NIGHTSWEEP_GPU(GetDeviceCount)(int* count) {
  *count = static_cast<int>(shown().size());
  return *count > 0 ? NIGHTSWEEP_GPU(Success) : NIGHTSWEEP_GPU(ErrorNoDevice);
}
GpuError NIGHTSWEEP_GPU(DeviceGetPCIBusId)(char* text, int length, int device) {
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0",
                static_cast<unsigned>(shown()[static_cast<std::size_t>(device)]));
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(SetDevice)(int device) {
  return device < static_cast<int>(shown().size()) ? NIGHTSWEEP_GPU(Success)
                                                   : NIGHTSWEEP_GPU(ErrorInvalidDevice);
}
GpuError NIGHTSWEEP_GPU(GetDeviceProperties)(GpuProperties* properties, int /*device*/) {
  std::strcpy(properties->name, "stub");
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(StreamCreate)(GpuStream* stream) {
  static char one = 0;
  *stream = reinterpret_cast<GpuStream>(&one);
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(StreamDestroy)(GpuStream /*stream*/) { return NIGHTSWEEP_GPU(Success); }
GpuError NIGHTSWEEP_GPU(EventCreate)(GpuEvent* event) {
  *event = reinterpret_cast<GpuEvent>(new Event());
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(EventDestroy)(GpuEvent event) {
  delete reinterpret_cast<Event*>(event);
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(EventRecord)(GpuEvent event, GpuStream /*stream*/) {
  reinterpret_cast<Event*>(event)->at = Clock::now();
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(EventQuery)(GpuEvent /*event*/) {
  return told("STUB_HANG") || told("STUB_ASYNC_ERROR") ? NIGHTSWEEP_GPU(ErrorNotReady)
                                                       : NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(EventElapsedTime)(float* milliseconds, GpuEvent start, GpuEvent stop) {
  const std::chrono::duration<float, std::milli> taken =
      reinterpret_cast<Event*>(stop)->at - reinterpret_cast<Event*>(start)->at;
  *milliseconds = taken.count();
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(Malloc)(void** data, std::size_t bytes) {
  *data = std::malloc(bytes);
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(Free)(void* data) {
  std::free(data);
  return NIGHTSWEEP_GPU(Success);
}
#if defined(NIGHTSWEEP_CUDA)
GpuError cudaMallocHost(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
GpuError cudaFreeHost(void* data) { return cudaFree(data); }
#else
GpuError hipHostMalloc(void** data, std::size_t bytes, unsigned /*flags*/) { return hipMalloc(data, bytes); }
GpuError hipHostFree(void* data) { return hipFree(data); }
#endif
GpuError NIGHTSWEEP_GPU(MallocManaged)(void** data, std::size_t bytes, unsigned /*flags*/) {
  return NIGHTSWEEP_GPU(Malloc)(data, bytes);
}
GpuError NIGHTSWEEP_GPU(MemGetInfo)(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(MemcpyAsync)(void* to, const void* from, std::size_t bytes,
                                     NIGHTSWEEP_GPU(MemcpyKind) /*kind*/, GpuStream /*stream*/) {
  stub::call([=] { std::memcpy(to, from, bytes); });
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(StreamBeginCapture)(GpuStream /*stream*/,
                                            NIGHTSWEEP_GPU(StreamCaptureMode) /*mode*/) {
  if (!told("STUB_GRAPHS")) return NIGHTSWEEP_GPU(ErrorStreamCaptureUnsupported);
  captured = new Calls();
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(StreamEndCapture)(GpuStream /*stream*/, NIGHTSWEEP_GPU(Graph_t) * graph) {
  *graph = reinterpret_cast<NIGHTSWEEP_GPU(Graph_t)>(captured);
  captured = nullptr;
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(GraphInstantiateWithFlags)(NIGHTSWEEP_GPU(GraphExec_t) * executable,
                                                   NIGHTSWEEP_GPU(Graph_t) graph,
                                                   unsigned long long /*flags*/) {
  *executable = reinterpret_cast<NIGHTSWEEP_GPU(GraphExec_t)>(new Calls(*reinterpret_cast<Calls*>(graph)));
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(GraphDestroy)(NIGHTSWEEP_GPU(Graph_t) graph) {
  delete reinterpret_cast<Calls*>(graph);
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(GraphExecDestroy)(NIGHTSWEEP_GPU(GraphExec_t) executable) {
  delete reinterpret_cast<Calls*>(executable);
  return NIGHTSWEEP_GPU(Success);
}
GpuError NIGHTSWEEP_GPU(GraphLaunch)(NIGHTSWEEP_GPU(GraphExec_t) executable, GpuStream /*stream*/) {
  for (const auto& one : *reinterpret_cast<Calls*>(executable)) one();
  return NIGHTSWEEP_GPU(Success);
}

}  // extern "C"

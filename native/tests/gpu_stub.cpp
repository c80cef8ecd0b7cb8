// A CUDA runtime, NCCL and cuBLASLt on the host, behind the vendor's own headers: every call that the program
// makes does here, at once, what it does on a GPU later. With it the tests run the whole GPU program over
// MPI, checks included. What one GPU cannot show, it is told by the environment: STUB_GPUS devices a host,
// STUB_GRAPHS (calls are recorded as a graph records them), STUB_ASYNC_ERROR (the communicator has failed),
// STUB_HANG (nothing gets done any more).
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "fp8.hpp"

namespace {

using nightsweep::bf16;
using nightsweep::f16;
using Clock = std::chrono::steady_clock;
using Calls = std::vector<std::function<void()>>;

/** What a stream is told while it is captured; nothing is captured where null. */
Calls* captured = nullptr;

void call(std::function<void()> what) {
  if (captured != nullptr) {
    captured->push_back(std::move(what));
  } else {
    what();
  }
}

bool told(const char* name) { return std::getenv(name) != nullptr; }

int number_of(const char* name, int otherwise) {
  return told(name) ? std::atoi(std::getenv(name)) : otherwise;
}

struct Event {
  Clock::time_point at;
};

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

/** All ranks' numbers, reduced; the receiver takes so many from the first on. */
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

int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

struct Matrix {
  cudaDataType type;
  std::size_t rows, columns, stride;

  [[nodiscard]] double at(const void* data, std::size_t row, std::size_t column) const {
    const std::size_t i = column * stride + row;
    switch (type) {
      case CUDA_R_64F:
        return static_cast<const double*>(data)[i];
      case CUDA_R_16F:
        return static_cast<double>(static_cast<const f16*>(data)[i]);
      case CUDA_R_16BF:
        return static_cast<double>(static_cast<const bf16*>(data)[i]);
      case CUDA_R_8F_E4M3:
        return nightsweep::fp8_value(static_cast<const std::uint8_t*>(data)[i]);
      default:
        return static_cast<const float*>(data)[i];
    }
  }
  void put(void* data, std::size_t row, std::size_t column, double value) const {
    const std::size_t i = column * stride + row;
    switch (type) {
      case CUDA_R_64F:
        static_cast<double*>(data)[i] = value;
        break;
      case CUDA_R_16F:
        static_cast<f16*>(data)[i] = f16(static_cast<float>(value));
        break;
      case CUDA_R_16BF:
        static_cast<bf16*>(data)[i] = bf16(static_cast<float>(value));
        break;
      default:
        static_cast<float*>(data)[i] = static_cast<float>(value);
    }
  }
};

struct Multiplication {
  bool transposed[2] = {false, false};
};

}  // namespace

extern "C" {

const char* cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "none" : "stub error"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = number_of("STUB_GPUS", 8);
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  // Each rank that is shown one device alone is shown another.
  const int shown = number_of("STUB_GPUS", 8) == 1 && !told("STUB_SAME_GPU") ? own_rank() : device;
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", shown);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device < number_of("STUB_GPUS", 8) ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
  std::strcpy(properties->name, "stub");
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t /*stream*/) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new Event());
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Event*>(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t /*stream*/) {
  reinterpret_cast<Event*>(event)->at = Clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t /*event*/) {
  return told("STUB_HANG") || told("STUB_ASYNC_ERROR") ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  const std::chrono::duration<float, std::milli> taken =
      reinterpret_cast<Event*>(stop)->at - reinterpret_cast<Event*>(start)->at;
  *milliseconds = taken.count();
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }
cudaError_t cudaMallocManaged(void** data, std::size_t bytes, unsigned /*flags*/) {
  return cudaMalloc(data, bytes);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 30;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/,
                            cudaStream_t /*stream*/) {
  call([=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t /*stream*/, cudaStreamCaptureMode /*mode*/) {
  if (!told("STUB_GRAPHS")) return cudaErrorStreamCaptureUnsupported;
  captured = new Calls();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t /*stream*/, cudaGraph_t* graph) {
  *graph = reinterpret_cast<cudaGraph_t>(captured);
  captured = nullptr;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long /*flags*/) {
  *executable = reinterpret_cast<cudaGraphExec_t>(new Calls(*reinterpret_cast<Calls*>(graph)));
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<Calls*>(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete reinterpret_cast<Calls*>(executable);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t /*stream*/) {
  for (const auto& one : *reinterpret_cast<Calls*>(executable)) one();
  return cudaSuccess;
}

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
                      cudaStream_t /*stream*/) {
  message({const_cast<void*>(data), count * width(type), peer, true});
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t /*c*/,
                      cudaStream_t /*stream*/) {
  message({data, count * width(type), peer, false});
  return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t /*c*/, cudaStream_t /*stream*/) {
  call([=] { reduce_all(send, receive, count, 0, count, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t /*c*/, cudaStream_t /*stream*/) {
  call([=] { reduce_all(send, receive, count, 0, own_rank() == root ? count : 0, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t /*c*/, cudaStream_t /*stream*/) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto all = static_cast<std::size_t>(ranks) * count;
  call(
      [=] { reduce_all(send, receive, all, static_cast<std::size_t>(own_rank()) * count, count, type, op); });
  return ncclSuccess;
}
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t /*c*/, cudaStream_t /*stream*/) {
  const int bytes = static_cast<int>(count * width(type));
  const std::vector<std::byte> own(static_cast<const std::byte*>(send),
                                   static_cast<const std::byte*>(send) + bytes);
  call([=] { MPI_Allgather(own.data(), bytes, MPI_BYTE, receive, bytes, MPI_BYTE, MPI_COMM_WORLD); });
  return ncclSuccess;
}
ncclResult_t ncclBroadcast(const void* /*send*/, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t /*c*/, cudaStream_t /*stream*/) {
  call([=] { MPI_Bcast(receive, static_cast<int>(count * width(type)), MPI_BYTE, root, MPI_COMM_WORLD); });
  return ncclSuccess;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t /*handle*/) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t /*compute*/,
                                        cudaDataType_t /*scale*/) {
  *desc = reinterpret_cast<cublasLtMatmulDesc_t>(new Multiplication());
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete reinterpret_cast<Multiplication*>(desc);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t /*bytes*/) {
  const bool transposed = *static_cast<const std::int32_t*>(value) == CUBLAS_OP_T;
  reinterpret_cast<Multiplication*>(desc)->transposed[attribute == CUBLASLT_MATMUL_DESC_TRANSB ? 1 : 0] =
      transposed;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* matrix, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t stride) {
  *matrix = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Matrix{type, rows, columns, static_cast<std::size_t>(stride)});
  return static_cast<std::size_t>(stride) >= rows ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matrix) {
  delete reinterpret_cast<Matrix*>(matrix);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t /*preference*/) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t /*preference*/,
                                                    cublasLtMatmulPreferenceAttributes_t /*attribute*/,
                                                    const void* /*value*/, std::size_t /*bytes*/) {
  return CUBLAS_STATUS_SUCCESS;
}
/** As the real one: operands that do not fit have no algorithm, nor has fp8 in another layout than its own.
 */
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t /*d*/,
                                              cublasLtMatmulPreference_t /*preference*/, int /*requested*/,
                                              cublasLtMatmulHeuristicResult_t* /*results*/, int* found) {
  const auto* m = reinterpret_cast<const Multiplication*>(desc);
  const auto* x = reinterpret_cast<const Matrix*>(a);
  const auto* y = reinterpret_cast<const Matrix*>(b);
  const auto* z = reinterpret_cast<const Matrix*>(c);
  const std::size_t rows = m->transposed[0] ? x->columns : x->rows;
  const std::size_t inner = m->transposed[0] ? x->rows : x->columns;
  const std::size_t columns = m->transposed[1] ? y->rows : y->columns;
  const std::size_t other = m->transposed[1] ? y->columns : y->rows;
  const bool fits = rows == z->rows && columns == z->columns && inner == other;
  const bool laid_out = x->type != CUDA_R_8F_E4M3 || (m->transposed[0] && !m->transposed[1]);
  *found = fits && laid_out ? 1 : 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t desc, const void* /*alpha*/,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* /*beta*/, const void* /*c*/,
                              cublasLtMatrixLayout_t /*c_layout*/, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* /*algorithm*/, void* /*workspace*/,
                              std::size_t /*bytes*/, cudaStream_t /*stream*/) {
  const Multiplication m = *reinterpret_cast<const Multiplication*>(desc);
  const Matrix x = *reinterpret_cast<const Matrix*>(a_layout);
  const Matrix y = *reinterpret_cast<const Matrix*>(b_layout);
  const Matrix z = *reinterpret_cast<const Matrix*>(d_layout);
  call([=] {
    const std::size_t inner = m.transposed[0] ? x.rows : x.columns;
    std::vector<double> row(inner), columns(inner * z.columns);
    for (std::size_t j = 0; j < z.columns; ++j) {
      for (std::size_t p = 0; p < inner; ++p) {
        columns[j * inner + p] = m.transposed[1] ? y.at(b, j, p) : y.at(b, p, j);
      }
    }
    for (std::size_t i = 0; i < z.rows; ++i) {
      for (std::size_t p = 0; p < inner; ++p) row[p] = m.transposed[0] ? x.at(a, p, i) : x.at(a, i, p);
      for (std::size_t j = 0; j < z.columns; ++j) {
        double sum = 0;
        for (std::size_t p = 0; p < inner; ++p) sum += row[p] * columns[j * inner + p];
        z.put(d, i, j, sum);
      }
    }
  });
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

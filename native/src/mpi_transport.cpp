#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "errors.hpp"
#include "transport.hpp"

namespace nightsweep {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(Pending::handle));

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  int kind = code;
  MPI_Error_string(code, text.data(), &length);
  MPI_Error_class(code, &kind);
  // Only a lack of resources is temporary; everything else is a mistake or a dead peer.
  throw TransportError(std::string(what) + ": " + text.data(),
                       kind == MPI_ERR_NO_MEM || kind == MPI_ERR_PENDING);
}

int to_int(std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Unsupported("a message holds at most 2^31-1 elements");
  }
  return static_cast<int>(count);
}

/** A reduction for 16-bit floating-point types, which MPI lacks; rounds after each step. */
template <typename T, Reduction how>
void reduced(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(inout);
  for (int i = 0; i < *count; ++i) {
    if constexpr (how == Reduction::sum) to[i] = added(to[i], from[i]);
    const float a = static_cast<float>(to[i]);
    const float b = static_cast<float>(from[i]);
    if constexpr (how == Reduction::prod) to[i] = T(a * b);
    if constexpr (how == Reduction::max) to[i] = T(std::max(a, b));
    if constexpr (how == Reduction::min) to[i] = T(std::min(a, b));
  }
}

/** MPI operations for a half type, in the order of Reduction. */
template <typename T>
class HalfOperations {
 public:
  HalfOperations() {
    MPI_Op_create(&reduced<T, Reduction::sum>, 1, &ops_[0]);
    MPI_Op_create(&reduced<T, Reduction::prod>, 1, &ops_[1]);
    MPI_Op_create(&reduced<T, Reduction::max>, 1, &ops_[2]);
    MPI_Op_create(&reduced<T, Reduction::min>, 1, &ops_[3]);
  }
  void free() {
    for (MPI_Op& op : ops_) MPI_Op_free(&op);
  }
  [[nodiscard]] MPI_Op of(Reduction how) const { return ops_.at(static_cast<std::size_t>(how)); }

 private:
  std::array<MPI_Op, 4> ops_{};
};

MPI_Datatype type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return MPI_FLOAT;
    case Dtype::f64:
      return MPI_DOUBLE;
    case Dtype::f16:
    case Dtype::bf16:
      return MPI_UINT16_T;
    case Dtype::i32:
      return MPI_INT32_T;
  }
  throw std::invalid_argument("no such dtype");
}

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    f16_.emplace();
    bf16_.emplace();
  }
  ~MpiTransport() override {
    f16_->free();
    bf16_->free();
    if (host_ != MPI_COMM_NULL) MPI_Comm_free(&host_);
    MPI_Finalize();
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] std::string backend() const override { return "mpi"; }
  [[nodiscard]] std::string library() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    return {version.data()};
  }

  void barrier() override { check(MPI_Barrier(MPI_COMM_WORLD), "barrier"); }
  std::vector<double> max_over_ranks(const std::vector<double>& values) override {
    return reduce(values, MPI_MAX);
  }
  std::vector<double> min_over_ranks(const std::vector<double>& values) override {
    return reduce(values, MPI_MIN);
  }
  long sum_over_ranks(long value) override {
    long sum = 0;
    check(MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD), "sum");
    return sum;
  }
  std::vector<double> gather(const std::vector<double>& values) override {
    std::vector<double> all(values.size() * static_cast<std::size_t>(ranks_));
    const int count = to_int(values.size());
    check(MPI_Allgather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD),
          "gather");
    return all;
  }
  std::vector<std::string> gather_text(const std::string& text) override {
    const int length = to_int(text.size());
    const auto ranks = static_cast<std::size_t>(ranks_);
    std::vector<int> lengths(ranks);
    check(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD), "gather");
    std::vector<int> offsets(ranks);
    std::size_t total = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      offsets[r] = to_int(total);
      total += static_cast<std::size_t>(lengths[r]);
    }
    std::string all(total, '\0');
    check(MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
                         MPI_COMM_WORLD),
          "gather");
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < ranks; ++r) {
      texts.push_back(all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(lengths[r])));
    }
    return texts;
  }
  std::string broadcast_text(const std::string& text, int root) override {
    int length = to_int(text.size());
    check(MPI_Bcast(&length, 1, MPI_INT, root, MPI_COMM_WORLD), "broadcast");
    std::string all = text;
    all.resize(static_cast<std::size_t>(length));
    check(MPI_Bcast(all.data(), length, MPI_CHAR, root, MPI_COMM_WORLD), "broadcast");
    return all;
  }
  std::vector<std::string> hosts() override {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return gather_text(name.data());
  }
  int ranks_on_host() override {
    const std::vector<std::string> all = hosts();
    return static_cast<int>(std::count(all.begin(), all.end(), all[static_cast<std::size_t>(rank_)]));
  }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

  Buffer allocate(BufferKind kind, std::size_t bytes) override {
    switch (kind) {
      case BufferKind::heap:
        return allocate_heap(bytes);
      case BufferKind::huge:
        return allocate_huge(bytes);
      case BufferKind::shared:
        return allocate_shared(bytes);
      case BufferKind::device:
      case BufferKind::pinned:
      case BufferKind::managed:
        break;
    }
    throw Unsupported("buffer kind " + to_string(kind) + " needs a GPU, which this backend does not use");
  }

  double seconds(const std::function<void()>& operation) override {
    const auto start = std::chrono::steady_clock::now();
    operation();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Pending send(const void* data, std::size_t bytes, int to, int tag) override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(data, to_int(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request), "send");
    return pending(request, bytes, true);
  }
  Pending receive(void* data, std::size_t bytes, int from, int tag) override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(data, to_int(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &request), "receive");
    return pending(request, bytes, false);
  }
  std::size_t wait(Pending& p) override {
    MPI_Request request = MPI_REQUEST_NULL;
    std::memcpy(&request, p.handle.data(), sizeof request);
    MPI_Status status;
    check(MPI_Wait(&request, &status), "wait");
    std::memcpy(p.handle.data(), &request, sizeof request);
    if (p.sending) return p.bytes;
    int moved = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &moved), "count");
    return static_cast<std::size_t>(moved);
  }
  void progress(Pending& p) override {
    MPI_Request request = MPI_REQUEST_NULL;
    std::memcpy(&request, p.handle.data(), sizeof request);
    int through = 0;
    check(MPI_Test(&request, &through, MPI_STATUS_IGNORE), "test");
    std::memcpy(p.handle.data(), &request, sizeof request);
  }
  void wait_all(std::span<Pending> all) override {
    for (Pending& p : all) wait(p);
  }
  void send_now(const void* data, std::size_t bytes, int to, int tag) override {
    check(MPI_Send(data, to_int(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD), "send");
  }
  void receive_now(void* data, std::size_t bytes, int from, int tag) override {
    check(MPI_Recv(data, to_int(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive");
  }

  void allreduce(const void* send, void* receive, std::size_t count, Dtype dtype, Reduction how) override {
    check(MPI_Allreduce(send == receive ? MPI_IN_PLACE : send, receive, to_int(count), type_of(dtype),
                        op_of(how, dtype), MPI_COMM_WORLD),
          "allreduce");
  }
  void allgather(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    const auto own = static_cast<std::size_t>(rank_) * count * bytes_of(dtype);
    const bool in_place = send == static_cast<const std::byte*>(receive) + own;
    check(MPI_Allgather(in_place ? MPI_IN_PLACE : send, to_int(count), type_of(dtype), receive, to_int(count),
                        type_of(dtype), MPI_COMM_WORLD),
          "allgather");
  }
  void reduce_scatter(const void* send, void* receive, std::size_t count, Dtype dtype,
                      Reduction how) override {
    check(MPI_Reduce_scatter_block(send == receive ? MPI_IN_PLACE : send, receive, to_int(count),
                                   type_of(dtype), op_of(how, dtype), MPI_COMM_WORLD),
          "reduce-scatter");
  }
  void reduce(const void* send, void* receive, std::size_t count, Dtype dtype, Reduction how,
              int root) override {
    check(MPI_Reduce(send, receive, to_int(count), type_of(dtype), op_of(how, dtype), root, MPI_COMM_WORLD),
          "reduce");
  }
  void gather_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    check(MPI_Gather(send, to_int(count), type_of(dtype), receive, to_int(count), type_of(dtype), root,
                     MPI_COMM_WORLD),
          "gather of blocks");
  }
  void scatter_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    check(MPI_Scatter(send, to_int(count), type_of(dtype), receive, to_int(count), type_of(dtype), root,
                      MPI_COMM_WORLD),
          "scatter");
  }
  void all_to_all(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    check(MPI_Alltoall(send == receive ? MPI_IN_PLACE : send, to_int(count), type_of(dtype), receive,
                       to_int(count), type_of(dtype), MPI_COMM_WORLD),
          "all-to-all");
  }
  void all_to_all_v(const void* send, void* receive, const Exchange& e, Dtype dtype) override {
    // Never uses MPI_IN_PLACE: equal pointers do not mean in place, since a rank that moves nothing has two
    // null buffers.
    check(MPI_Alltoallv(send, e.send_counts.data(), e.send_offsets.data(), type_of(dtype), receive,
                        e.receive_counts.data(), e.receive_offsets.data(), type_of(dtype), MPI_COMM_WORLD),
          "all-to-allv");
  }
  void broadcast(void* data, std::size_t count, Dtype dtype, int root) override {
    check(MPI_Bcast(data, to_int(count), type_of(dtype), root, MPI_COMM_WORLD), "broadcast");
  }
  void send_receive(const void* send, int to, void* receive, int from, std::size_t count,
                    Dtype dtype) override {
    check(MPI_Sendrecv(send, to_int(count), type_of(dtype), to, 0, receive, to_int(count), type_of(dtype),
                       from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "send/receive");
  }

 private:
  static Pending pending(MPI_Request request, std::size_t bytes, bool sending) {
    Pending p;
    std::memcpy(p.handle.data(), &request, sizeof request);
    p.bytes = bytes;
    p.sending = sending;
    return p;
  }
  [[nodiscard]] MPI_Op op_of(Reduction how, Dtype dtype) const {
    if (how == Reduction::avg) throw Unsupported("MPI has no averages");
    if (dtype == Dtype::f16) return f16_->of(how);
    if (dtype == Dtype::bf16) return bf16_->of(how);
    return how == Reduction::sum    ? MPI_SUM
           : how == Reduction::prod ? MPI_PROD
           : how == Reduction::max  ? MPI_MAX
                                    : MPI_MIN;
  }
  static std::vector<double> reduce(const std::vector<double>& values, MPI_Op op) {
    std::vector<double> result(values.size());
    check(MPI_Allreduce(values.data(), result.data(), to_int(values.size()), MPI_DOUBLE, op, MPI_COMM_WORLD),
          "reduction");
    return result;
  }
  /**
   * Created only when needed: after a communicator is created, Open MPI's non-blocking collectives poll in
   * every operation, which slows short messages by 3 %.
   */
  MPI_Comm host() {
    if (host_ == MPI_COMM_NULL) {
      check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_),
            "host communicator");
    }
    return host_;
  }
  Buffer allocate_shared(std::size_t bytes) {
    MPI_Win window = MPI_WIN_NULL;
    void* data = nullptr;
    check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, host(),
                                  static_cast<void*>(&data), &window),
          "shared window");
    std::memset(data, 0, bytes);
    return {data, bytes, BufferKind::shared, [window]() mutable { MPI_Win_free(&window); }};
  }

  int rank_ = 0;
  int ranks_ = 1;
  MPI_Comm host_ = MPI_COMM_NULL;
  /** Created after MPI is initialised. */
  std::optional<HalfOperations<f16>> f16_;
  std::optional<HalfOperations<bf16>> bf16_;
};

}  // namespace

Transport& mpi_transport(int* argc, char*** argv) {
  static MpiTransport transport(argc, argv);
  return transport;
}

}  // namespace nightsweep

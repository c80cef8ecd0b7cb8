#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "buffer.hpp"
#include "dtype.hpp"
#include "reduction.hpp"

namespace nightsweep {

class Accelerator;

/**
 * A pending message; its content is private to the transport. Small, so that posting one needs no allocation.
 */
struct Pending {
  alignas(8) std::array<std::byte, 16> handle{};
  std::size_t bytes = 0;
  bool sending = false;
};

/**
 * What each rank sends to and receives from every other, in elements; offsets are from the start of its
 * buffer.
 */
struct Exchange {
  std::vector<int> send_counts, send_offsets, receive_counts, receive_offsets;
};

/**
 * Moves data between ranks. The control plane (barrier, reductions of figures, texts) is MPI's in every
 * backend; the data plane is the backend's own. Unsupported operations throw Unsupported, failures throw
 * TransportError.
 */
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  /** "mpi", "nccl", "rccl", or an adapter's name. */
  [[nodiscard]] virtual std::string backend() const = 0;
  /** The data plane's own name and version. */
  [[nodiscard]] virtual std::string library() const = 0;

  // Control plane. Never inside a timed window; all ranks call, and all ranks get the result.
  virtual void barrier() = 0;
  virtual std::vector<double> max_over_ranks(const std::vector<double>& values) = 0;
  virtual std::vector<double> min_over_ranks(const std::vector<double>& values) = 0;
  virtual long sum_over_ranks(long value) = 0;
  /** All ranks' values in the order of ranks; each rank gives equally many. */
  virtual std::vector<double> gather(const std::vector<double>& values) = 0;
  /** All ranks' texts in the order of ranks. */
  virtual std::vector<std::string> gather_text(const std::string& text) = 0;
  virtual std::string broadcast_text(const std::string& text, int root) = 0;
  /** Host names by rank. */
  virtual std::vector<std::string> hosts() = 0;
  /** How many ranks share this rank's host. */
  virtual int ranks_on_host() = 0;
  /** The device of this rank's data plane, such as "cpu" or a GPU's name and bus address. */
  virtual std::string device() { return "cpu"; }
  /** Ends all ranks. */
  [[noreturn]] virtual void abort(int code) = 0;

  // Memory. Collective: all ranks request the same kind, each with its own size.
  virtual Buffer allocate(BufferKind kind, std::size_t bytes) = 0;
  /** Copies from host memory into a buffer, and back; the default is for buffers in host memory. */
  virtual void upload(void* to, const void* host, std::size_t bytes) { copy_on_host(to, host, bytes); }
  virtual void download(void* host, const void* from, std::size_t bytes) { copy_on_host(host, from, bytes); }

  /** The seconds of the operation, by the clock of its device: the host's, or a GPU's events. */
  virtual double seconds(const std::function<void()>& operation) = 0;
  /**
   * Records the operation's launches, which one call can then start (a graph of CUDA's or HIP's); empty where
   * the transport or the operation does not support it. The operation's buffers must outlive it. Collective.
   */
  virtual std::optional<std::function<void()>> recorded(const std::function<void()>& /*operation*/) {
    return std::nullopt;
  }
  /** Computes on the data plane's device, in the order of its stream; null on a host. */
  virtual Accelerator* accelerator() { return nullptr; }

  // Point to point. Bytes, non-blocking; a buffer must not be touched until its message has been waited for.
  virtual Pending send(const void* data, std::size_t bytes, int to, int tag) = 0;
  virtual Pending receive(void* data, std::size_t bytes, int from, int tag) = 0;
  /** The bytes that actually moved. */
  virtual std::size_t wait(Pending& pending) = 0;
  virtual void wait_all(std::span<Pending> pending) = 0;
  /** The same, but done on return. */
  virtual void send_now(const void* data, std::size_t bytes, int to, int tag) = 0;
  virtual void receive_now(void* data, std::size_t bytes, int from, int tag) = 0;
  /** Lets messages progress, where that needs a call; the message must still be waited for. */
  virtual void progress(Pending& /*pending*/) {}

  // Collectives; counts are elements. In place as described for each.
  /** In place: send == receive. */
  virtual void allreduce(const void* send, void* receive, std::size_t count, Dtype dtype,
                         Reduction how = Reduction::sum) = 0;
  /** count elements from each rank. In place: send is the rank's own block of receive. */
  virtual void allgather(const void* send, void* receive, std::size_t count, Dtype dtype) = 0;
  /**
   * count elements for each rank. In place: send == receive, which holds all blocks and gets the rank's own
   * at its start.
   */
  virtual void reduce_scatter(const void* send, void* receive, std::size_t count, Dtype dtype,
                              Reduction how = Reduction::sum) = 0;
  /**
   * The root receives; the other ranks' receive is not touched. This one and the next two are never in place.
   */
  virtual void reduce(const void* send, void* receive, std::size_t count, Dtype dtype, Reduction how,
                      int root) = 0;
  /** count elements from each rank to the root, in the order of ranks. */
  virtual void gather_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) = 0;
  /** count elements to each rank from the root, in the order of ranks. */
  virtual void scatter_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) = 0;
  /** count elements to each rank. In place: send == receive. */
  virtual void all_to_all(const void* send, void* receive, std::size_t count, Dtype dtype) = 0;
  virtual void all_to_all_v(const void* send, void* receive, const Exchange& exchange, Dtype dtype) = 0;
  virtual void broadcast(void* data, std::size_t count, Dtype dtype, int root) = 0;
  /** Sends count elements to one rank while it receives as many from another. */
  virtual void send_receive(const void* send, int to, void* receive, int from, std::size_t count,
                            Dtype dtype) = 0;

 private:
  /** Copies; allows null pointers for 0 bytes, which std::memcpy does not. */
  static void copy_on_host(void* to, const void* from, std::size_t bytes) {
    std::copy_n(static_cast<const std::byte*>(from), bytes, static_cast<std::byte*>(to));
  }
};

/** One for each process; the first call initialises MPI, which ends with the process. */
Transport& mpi_transport(int* argc, char*** argv);

}  // namespace nightsweep

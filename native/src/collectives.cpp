#include <algorithm>
#include <fstream>

#include "errors.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

enum class Kind {
  allreduce,
  allgather,
  reduce_scatter,
  all_to_all,
  all_to_all_v,
  broadcast,
  send_receive,
  reduce,
  gather,
  scatter
};

struct Shape {
  Kind kind;
  Dtype dtype;
  BufferKind buffer;
  bool in_place;
  int root;
  Reduction how;
  /** For all-to-allv: the kind of imbalance; otherwise empty. */
  std::string spread;
  std::size_t requested_bytes;
};

bool counts_per_rank(Kind kind) {
  return kind == Kind::allgather || kind == Kind::reduce_scatter || kind == Kind::all_to_all ||
         kind == Kind::gather || kind == Kind::scatter;
}

bool reduces(Kind kind) {
  return kind == Kind::allreduce || kind == Kind::reduce_scatter || kind == Kind::reduce;
}

bool has_root(Kind kind) {
  return kind == Kind::broadcast || kind == Kind::reduce || kind == Kind::gather || kind == Kind::scatter;
}

/**
 * Elements sent from one rank to another: with "linear", a sender's shares differ and grow linearly; with
 * "hot", rank 0 gets about half of everything.
 */
std::vector<int> counts_from(int rank, int ranks, std::size_t total, const std::string& spread) {
  std::vector<double> weights;
  for (int peer = 0; peer < ranks; ++peer) {
    weights.push_back(spread == "hot" ? (peer == 0 ? ranks : 1) : 1 + (rank + peer) % ranks);
  }
  double sum = 0;
  for (const double w : weights) sum += w;
  std::vector<int> counts;
  for (const double w : weights) counts.push_back(static_cast<int>(static_cast<double>(total) * w / sum));
  return counts;
}

std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::vector<int> offsets(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) offsets[i] = offsets[i - 1] + counts[i - 1];
  return offsets;
}

std::size_t sum_of(const std::vector<int>& counts) {
  std::size_t sum = 0;
  for (const int c : counts) sum += static_cast<std::size_t>(c);
  return sum;
}

template <typename T>
class Collective final : public Kernel {
 public:
  Collective(const Run& run, Shape shape)
      : transport_(run.transport),
        shape_(std::move(shape)),
        rank_(transport_.rank()),
        ranks_(transport_.ranks()) {
    const std::size_t elements = shape_.requested_bytes / sizeof(T);
    count_ = counts_per_rank(shape_.kind) ? elements / static_cast<std::size_t>(ranks_) : elements;
    if (count_ == 0) {
      throw Dropped(std::to_string(shape_.requested_bytes) + " bytes do not hold an element of " +
                    to_string(shape_.dtype) + (counts_per_rank(shape_.kind) ? " for every rank" : ""));
    }
    if (shape_.root >= ranks_) throw Unsupported("there is no rank " + std::to_string(shape_.root));
    const bool pairwise = shape_.kind == Kind::all_to_all_v || shape_.kind == Kind::send_receive;
    if (shape_.in_place && pairwise) throw Unsupported("not in place");
    const bool moved_by_gpu = shape_.in_place && transport_.accelerator() != nullptr;
    if (moved_by_gpu && (shape_.kind == Kind::all_to_all || shape_.kind == Kind::reduce_scatter)) {
      throw Unsupported("not in place by " + transport_.backend());
    }
    if (shape_.kind == Kind::all_to_all_v) plan_exchange();
    allocate();
  }

  /** Checks every element, for sums also with numbers that must be rounded. */
  long check(bool spoil) override {
    long wrong = compare(operation(), spoil);
    // Checks the recorded graph too, if the operation is timed from one.
    if (graph_) wrong += compare(*graph_, false);
    if (kRounds<T> && reduces(shape_.kind)) {
      start_from(Summands::rounded);
      wrong += compare(operation(), false);
      start_from(Summands::exact);
    }
    return wrong;
  }

  std::vector<Component> components() override {
    const double n = ranks_;
    const double bytes = static_cast<double>(state_count()) * sizeof(T);
    const double own = static_cast<double>(result_count()) * sizeof(T);
    const bool kept =
        shape_.in_place && shape_.kind != Kind::allreduce && shape_.kind != Kind::reduce_scatter;
    const bool moves = ranks_ > 1 || !shape_.in_place;
    Component c{.name = "operation", .operation = operation()};
    if (restored_each_time()) c.before = [this] { restore(); };
    c.state_bytes = bytes;
    c.bus_factor = bus_factor();
    c.least_bytes_written = !moves || (shape_.kind == Kind::broadcast && ranks_ == 1) ? 0
                            : kept && shape_.kind != Kind::broadcast                  ? own * (n - 1) / n
                                                                                      : own;
    std::vector<Component> all = {c};
    graph_ = transport_.recorded(c.operation);
    if (graph_) {
      c.name = "graph";
      c.operation = *graph_;
      all.push_back(c);
    }
    return all;
  }

  Json realised() override { return {{"buffer", to_string(realised_)}}; }

  Json facts() override {
    Json facts = Json::object();
    const std::size_t bytes = state_count() * sizeof(T);
    if (bytes != shape_.requested_bytes && shape_.kind != Kind::all_to_all_v) {
      facts["clampedToBytes"] = bytes;
      facts["cap"] =
          "a whole number of elements" + std::string(counts_per_rank(shape_.kind) ? " for every rank" : "");
    }
    if (shape_.kind == Kind::all_to_all_v) {
      const std::vector<double> received =
          transport_.gather({static_cast<double>(result_count()) * sizeof(T)});
      double sum = 0;
      for (const double r : received) sum += r;
      facts["receivedBytes"] = received;
      facts["imbalance"] = *std::max_element(received.begin(), received.end()) * ranks_ / sum;
    }
    return facts;
  }

 private:
  long compare(const std::function<void()>& done, bool spoil) {
    const std::vector<T> zeros(receive_count());
    transport_.upload(receive_.data(), zeros.data(), zeros.size() * sizeof(T));
    restore();
    done();
    std::vector<T> result(result_count());
    transport_.download(result.data(), receive_.data(), result.size() * sizeof(T));
    if (spoil && !result.empty())
      result.back() = added(result.back(), element_of<T>(1 + static_cast<double>(result.back())));
    long wrong = 0;
    for (std::size_t i = 0; i < result.size(); ++i) wrong += !right(result[i], i);
    return wrong + changed_input();
  }

  void start_from(Summands summands) {
    summands_ = summands;
    for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = input(i);
    if (!one_buffer()) transport_.upload(send_.data(), input_.data(), input_.size() * sizeof(T));
    keep();
    restore();
  }

  [[nodiscard]] std::size_t all_ranks_count() const { return count_ * static_cast<std::size_t>(ranks_); }
  [[nodiscard]] std::size_t state_count() const {
    if (shape_.kind == Kind::all_to_all_v) return sum_of(exchange_.send_counts);
    return counts_per_rank(shape_.kind) ? all_ranks_count() : count_;
  }
  /** Elements in this rank's input. */
  [[nodiscard]] std::size_t send_count() const {
    return shape_.kind == Kind::allgather || shape_.kind == Kind::gather ? count_ : state_count();
  }
  /** Elements in this rank's result. */
  [[nodiscard]] std::size_t result_count() const {
    if (shape_.kind == Kind::all_to_all_v) return sum_of(exchange_.receive_counts);
    const bool to_root = shape_.kind == Kind::reduce || shape_.kind == Kind::gather;
    if (to_root && rank_ != shape_.root) return 0;
    return shape_.kind == Kind::reduce_scatter || shape_.kind == Kind::scatter ? count_ : state_count();
  }
  [[nodiscard]] std::size_t receive_count() const {
    const bool whole = shape_.kind == Kind::reduce_scatter && shape_.in_place;
    return whole ? all_ranks_count() : result_count();
  }
  /** Whether there is one buffer, as in place and for broadcasts. */
  [[nodiscard]] bool one_buffer() const { return shape_.in_place || shape_.kind == Kind::broadcast; }
  [[nodiscard]] bool restored_each_time() const {
    return shape_.in_place && shape_.kind != Kind::allgather && shape_.kind != Kind::broadcast;
  }

  void plan_exchange() {
    exchange_.send_counts = counts_from(rank_, ranks_, count_, shape_.spread);
    for (int peer = 0; peer < ranks_; ++peer) {
      exchange_.receive_counts.push_back(
          counts_from(peer, ranks_, count_, shape_.spread)[static_cast<std::size_t>(rank_)]);
    }
    exchange_.send_offsets = offsets_of(exchange_.send_counts);
    exchange_.receive_offsets = offsets_of(exchange_.receive_counts);
  }

  void allocate() {
    hold_memory(transport_, 3.0 * sizeof(T) * static_cast<double>(send_count() + receive_count()));
    input_.resize(send_count());
    for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = input(i);
    receive_ = transport_.allocate(shape_.buffer, receive_count() * sizeof(T));
    realised_ = receive_.realised();
    if (!one_buffer()) {
      send_ = transport_.allocate(shape_.buffer, send_count() * sizeof(T));
      transport_.upload(send_.data(), input_.data(), input_.size() * sizeof(T));
      if (send_.realised() != shape_.buffer) realised_ = send_.realised();
    }
    keep();
    restore();
  }
  /**
   * Keeps a copy of the input on the device. Restoring it from the host before every operation would take a
   * hundred times as long as the operation.
   */
  void keep() {
    if (transport_.accelerator() == nullptr || !restored_each_time()) return;
    if (kept_.bytes() == 0) kept_ = transport_.allocate(shape_.buffer, input_.size() * sizeof(T));
    transport_.upload(kept_.data(), input_.data(), kept_.bytes());
  }

  /** An element of this rank's input. */
  [[nodiscard]] T input(std::size_t i) const {
    switch (shape_.kind) {
      case Kind::allreduce:
      case Kind::reduce_scatter:
      case Kind::reduce:
        return element_of<T>(operand<T>(shape_.how, summands_, ranks_, rank_, i));
      case Kind::all_to_all:
      case Kind::scatter:
        return moved_element<T>(rank_, static_cast<int>(i / count_), i % count_);
      case Kind::all_to_all_v: {
        const auto next = std::upper_bound(exchange_.send_offsets.begin(), exchange_.send_offsets.end(),
                                           static_cast<int>(i));
        const auto peer = next - exchange_.send_offsets.begin() - 1;
        const auto start = static_cast<std::size_t>(exchange_.send_offsets[static_cast<std::size_t>(peer)]);
        return moved_element<T>(rank_, static_cast<int>(peer), i - start);
      }
      case Kind::allgather:
      case Kind::gather:
      case Kind::broadcast:
      case Kind::send_receive:
        return moved_element<T>(rank_, 0, i);
    }
    return {};
  }

  /** Restores the input where the operation overwrites it. */
  void restore() {
    if (!one_buffer() || (shape_.kind == Kind::broadcast && rank_ != shape_.root)) return;
    T* to = receive_.as<T>();
    if (shape_.kind == Kind::allgather) to += static_cast<std::size_t>(rank_) * count_;
    const void* const from = kept_.bytes() > 0 ? kept_.data() : input_.data();
    transport_.upload(to, from, input_.size() * sizeof(T));
  }

  std::function<void()> operation() {
    Transport* const t = &transport_;
    T* const receive = receive_.as<T>();
    const std::size_t count = count_;
    const Dtype dtype = shape_.dtype;
    const int root = shape_.root;
    const Reduction how = shape_.how;
    const T* send = one_buffer() ? receive : send_.as<T>();
    switch (shape_.kind) {
      case Kind::allreduce:
        return [=] { t->allreduce(send, receive, count, dtype, how); };
      case Kind::allgather:
        if (shape_.in_place) send = receive + static_cast<std::size_t>(rank_) * count;
        return [=] { t->allgather(send, receive, count, dtype); };
      case Kind::reduce_scatter:
        return [=] { t->reduce_scatter(send, receive, count, dtype, how); };
      case Kind::all_to_all:
        return [=] { t->all_to_all(send, receive, count, dtype); };
      case Kind::all_to_all_v:
        return [=, this] { t->all_to_all_v(send, receive, exchange_, dtype); };
      case Kind::broadcast:
        return [=] { t->broadcast(receive, count, dtype, root); };
      case Kind::send_receive:
        return [=, right = (rank_ + 1) % ranks_, left = (rank_ + ranks_ - 1) % ranks_] {
          t->send_receive(send, right, receive, left, count, dtype);
        };
      case Kind::reduce:
        return [=] { t->reduce(send, receive, count, dtype, how, root); };
      case Kind::gather:
        return [=] { t->gather_blocks(send, receive, count, dtype, root); };
      case Kind::scatter:
        return [=] { t->scatter_blocks(send, receive, count, dtype, root); };
    }
    return {};
  }

  [[nodiscard]] bool right(T found, std::size_t i) const {
    switch (shape_.kind) {
      case Kind::allreduce:
      case Kind::reduce:
        return reduced_right<T>(shape_.how, summands_, ranks_, i, found);
      case Kind::reduce_scatter:
        return reduced_right<T>(shape_.how, summands_, ranks_, static_cast<std::size_t>(rank_) * count_ + i,
                                found);
      case Kind::scatter:
        return same(found, moved_element<T>(shape_.root, rank_, i));
      case Kind::allgather:
      case Kind::gather:
        return same(found, moved_element<T>(static_cast<int>(i / count_), 0, i % count_));
      case Kind::all_to_all:
        return same(found, moved_element<T>(static_cast<int>(i / count_), rank_, i % count_));
      case Kind::all_to_all_v: {
        const auto next = std::upper_bound(exchange_.receive_offsets.begin(), exchange_.receive_offsets.end(),
                                           static_cast<int>(i));
        const auto peer = next - exchange_.receive_offsets.begin() - 1;
        const auto start =
            static_cast<std::size_t>(exchange_.receive_offsets[static_cast<std::size_t>(peer)]);
        return same(found, moved_element<T>(static_cast<int>(peer), rank_, i - start));
      }
      case Kind::broadcast:
        return same(found, moved_element<T>(shape_.root, 0, i));
      case Kind::send_receive:
        return same(found, moved_element<T>((rank_ + ranks_ - 1) % ranks_, 0, i));
    }
    return false;
  }

  static bool same(T a, T b) { return static_cast<double>(a) == static_cast<double>(b); }

  /** Out of place, an operation must not change its input: counts changed elements. */
  long changed_input() {
    if (one_buffer()) return 0;
    std::vector<T> now(input_.size());
    transport_.download(now.data(), send_.data(), now.size() * sizeof(T));
    long changed = 0;
    for (std::size_t i = 0; i < now.size(); ++i) changed += !same(now[i], input_[i]);
    return changed;
  }

  [[nodiscard]] double bus_factor() const {
    switch (shape_.kind) {
      case Kind::allreduce:
        return allreduce_bus_factor(ranks_);
      case Kind::allgather:
      case Kind::reduce_scatter:
      case Kind::all_to_all:
      case Kind::all_to_all_v:
      case Kind::gather:
      case Kind::scatter:
        return share_bus_factor(ranks_);
      case Kind::broadcast:
      case Kind::reduce:
      case Kind::send_receive:
        return 1;
    }
    return 0;
  }

  Transport& transport_;
  Shape shape_;
  int rank_, ranks_;
  /** Elements of one rank's block; of everything where there are no blocks. */
  std::size_t count_ = 0;
  Exchange exchange_;
  std::vector<T> input_;
  Summands summands_ = Summands::exact;
  Buffer send_, receive_, kept_;
  /** The operation from a device's graph, once one is timed. */
  std::optional<std::function<void()>> graph_;
  BufferKind realised_ = BufferKind::heap;
};

KernelKind kind_of(Kind kind, const std::string& name, const std::string& help, bool has_place) {
  using enum Parameter::Type;
  std::vector<Parameter> own = {
      bytes_parameter("bytes of the state: of all ranks' blocks where ranks have blocks of their own"),
      buffer_parameter()};
  if (has_place) own.push_back({"inPlace", "--in-place", flag, false, "send and receive in one buffer"});
  if (has_root(kind)) own.push_back({"root", "--root", integer, 0, "the rank that has the data", {}, 0});
  if (reduces(kind)) {
    own.push_back({"operator",
                   "--operator",
                   text,
                   "sum",
                   "how the ranks' numbers become one; avg is NCCL's and RCCL's",
                   {"sum", "prod", "max", "min", "avg"}});
  }
  if (kind == Kind::all_to_all_v) {
    own.push_back({"spread",
                   "--spread",
                   text,
                   "linear",
                   "how uneven: shares in arithmetic progression, or half to rank 0",
                   {"linear", "hot"}});
  }
  const auto make = [kind](const Run& run, const Json& identity) -> std::unique_ptr<Kernel> {
    const Shape shape{kind,
                      parse_dtype(identity["dtype"]),
                      parse_buffer_kind(identity["buffer"]),
                      identity.value("inPlace", false),
                      identity.value("root", 0),
                      parse_reduction(identity.value("operator", std::string("sum"))),
                      identity.value("spread", std::string()),
                      identity["bytes"].get<std::size_t>()};
    return with_dtype(shape.dtype, [&]<typename T>(std::type_identity<T>) -> std::unique_ptr<Kernel> {
      return std::make_unique<Collective<T>>(run, shape);
    });
  };
  return {name, help, with_common(std::move(own), {"f32", "f64", "f16", "bf16", "i32"}), make};
}

}  // namespace

bool has_blocks(const std::string& kernel) {
  return kernel == "allgather" || kernel == "reduce-scatter" || kernel == "all-to-all" ||
         kernel == "gather" || kernel == "scatter";
}

std::vector<KernelKind> collective_kinds() {
  return {kind_of(Kind::allreduce, "allreduce", "sum over all ranks", true),
          kind_of(Kind::allgather, "allgather", "every rank's block to every rank", true),
          kind_of(Kind::reduce_scatter, "reduce-scatter", "sum over all ranks, a block of it to each", true),
          kind_of(Kind::all_to_all, "all-to-all", "a block from every rank to every rank", true),
          kind_of(Kind::all_to_all_v, "all-to-allv",
                  "blocks of different sizes from every rank to every rank", false),
          kind_of(Kind::broadcast, "broadcast", "one rank's data to all", false),
          kind_of(Kind::send_receive, "send-receive", "to the next rank while receiving from the one before",
                  false),
          kind_of(Kind::reduce, "reduce", "sum over all ranks, to one of them", false),
          kind_of(Kind::gather, "gather", "every rank's block to one of them", false),
          kind_of(Kind::scatter, "scatter", "one rank's blocks, one to each", false)};
}

}  // namespace nightsweep

#include <algorithm>
#include <cstring>

#include "channel.hpp"
#include "errors.hpp"
#include "grid.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"
#include "statistics.hpp"

namespace nightsweep {
namespace {

enum class Topology { ring, torus, mesh };

struct GridReduction {
  Topology topology;
  Grid grid;
  bool root_centre;
  std::size_t elements;
  std::size_t chunk_bytes;
};

template <typename T>
void add(T* to, const T* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = added(to[i], from[i]);
}

/** Part of an array. */
struct Range {
  std::size_t begin, end;
  [[nodiscard]] std::size_t size() const { return end - begin; }
  /** The i-th of n parts whose lengths differ by at most one element. */
  [[nodiscard]] Range part(std::size_t i, std::size_t n) const {
    return {begin + size() * i / n, begin + size() * (i + 1) / n};
  }
};

/**
 * The two halves of an allreduce on a ring, in which each rank communicates with the next and the previous
 * one.
 */
template <typename T>
class Ring {
 public:
  Ring(Channel& channel, const std::vector<int>& ranks, int rank, T* data, T* scratch)
      : channel_(channel), data_(data), scratch_(scratch), n_(ranks.size()) {
    me_ = static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
    next_ = ranks[(me_ + 1) % n_];
    before_ = ranks[(me_ + n_ - 1) % n_];
  }

  /** Sums over the ring; returns the part whose sum this rank has. */
  Range reduce_scatter(Range all) {
    for (std::size_t step = 0; step + 1 < n_; ++step) {
      const Range out = all.part((me_ + n_ - step) % n_, n_);
      const Range in = all.part((me_ + 2 * n_ - step - 1) % n_, n_);
      channel_.exchange(data_ + out.begin, out.size() * sizeof(T), next_, scratch_, in.size() * sizeof(T),
                        before_);
      add(data_ + in.begin, scratch_, in.size());
    }
    return all.part((me_ + 1) % n_, n_);
  }

  void allgather(Range all) {
    for (std::size_t step = 0; step + 1 < n_; ++step) {
      const Range out = all.part((me_ + 1 + n_ - step) % n_, n_);
      const Range in = all.part((me_ + n_ - step) % n_, n_);
      channel_.exchange(data_ + out.begin, out.size() * sizeof(T), next_, data_ + in.begin,
                        in.size() * sizeof(T), before_);
    }
  }

 private:
  Channel& channel_;
  T* data_;
  T* scratch_;
  std::size_t n_;
  std::size_t me_ = 0;
  int next_ = 0;
  int before_ = 0;
};

template <typename T>
class TopologyAllreduce final : public Kernel {
 public:
  TopologyAllreduce(const Run& run, GridReduction shape)
      : transport_(run.transport),
        shape_(shape),
        rank_(transport_.rank()),
        channel_(transport_, std::max(sizeof(T), shape.chunk_bytes / sizeof(T) * sizeof(T)), run.fault),
        tree_(MeshTree::at(shape.grid, shape.root_centre)),
        children_(tree_.children(rank_)) {
    const std::size_t scratches = std::max<std::size_t>(1, children_.size());
    hold_memory(transport_,
                static_cast<double>(shape.elements) * sizeof(T) * static_cast<double>(2 + scratches));
    input_.resize(shape.elements);
    start_from(Summands::exact);
    data_ = input_;
    scratch_.resize(scratches * shape.elements);
  }

  /** Checks every element, also with numbers whose sums must be rounded. */
  long check(bool spoil) override {
    long wrong = compare(spoil);
    if (kRounds<T>) {
      start_from(Summands::rounded);
      wrong += compare(false);
      start_from(Summands::exact);
    }
    return wrong;
  }

  std::vector<Component> components() override {
    const double bytes = static_cast<double>(shape_.elements) * sizeof(T);
    return {{.name = "operation",
             .operation = [this] { reduce(); },
             .before = [this] { data_ = input_; },
             .state_bytes = bytes,
             .bus_factor = allreduce_bus_factor(transport_.ranks()),
             .least_bytes_written = transport_.ranks() > 1 ? bytes : 0}};
  }

  /** The load of each link in the last operation. */
  Json facts() override {
    Json facts = {{"receivesPosted", transport_.sum_over_ranks(channel_.receives_posted())},
                  {"retries", transport_.sum_over_ranks(channel_.retries())}};
    std::vector<double> sent(static_cast<std::size_t>(transport_.ranks()));
    for (const auto& [peer, bytes] : channel_.sent())
      sent[static_cast<std::size_t>(peer)] = static_cast<double>(bytes);
    const std::vector<double> all = transport_.gather(sent);
    facts["links"] = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] > 0) {
        facts["links"].push_back({{"from", i / sent.size()}, {"to", i % sent.size()}, {"bytes", all[i]}});
      }
    }
    if (shape_.topology == Topology::mesh) {
      facts["root"] = tree_.root;
      facts["depth"] = tree_.depth();
    }
    return facts;
  }

 private:
  void start_from(Summands summands) {
    summands_ = summands;
    for (std::size_t i = 0; i < input_.size(); ++i) {
      input_[i] = element_of<T>(summand<T>(summands, rank_, i));
    }
  }

  long compare(bool spoil) {
    data_ = input_;
    channel_.reset_counts();
    run_timed("operation");
    if (spoil) data_.back() = added(data_.back(), element_of<T>(1 + static_cast<double>(data_.back())));
    long wrong = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      wrong += !sum_right<T>(summands_, transport_.ranks(), i, data_[i]);
    }
    return wrong;
  }

  void reduce() {
    const Range all{0, data_.size()};
    switch (shape_.topology) {
      case Topology::ring: {
        Ring<T> ring = along(shape_.grid.row_of(rank_));
        ring.reduce_scatter(all);
        ring.allgather(all);
        return;
      }
      case Topology::torus: {
        Ring<T> row = along(shape_.grid.row_of(rank_));
        Ring<T> column = along(shape_.grid.column_of(rank_));
        const Range own = row.reduce_scatter(all);
        column.reduce_scatter(own);
        column.allgather(own);
        row.allgather(all);
        return;
      }
      case Topology::mesh:
        reduce_over_tree();
    }
  }

  Ring<T> along(const std::vector<int>& ranks) {
    return {channel_, ranks, rank_, data_.data(), scratch_.data()};
  }

  /** Sums up and down the tree, chunk by chunk, so that all links work at once. */
  void reduce_over_tree() {
    const std::size_t bytes = data_.size() * sizeof(T);
    const std::size_t step = channel_.chunk_bytes() / sizeof(T);
    const auto up = tree_.parent(rank_);
    std::vector<Channel::Incoming> from_children;
    for (std::size_t c = 0; c < children_.size(); ++c) {
      from_children.push_back(channel_.receive(scratch_.data() + c * data_.size(), bytes, children_[c]));
    }
    for (std::size_t at = 0; at < data_.size(); at += step) {
      const std::size_t count = std::min(step, data_.size() - at);
      for (std::size_t c = 0; c < children_.size(); ++c) {
        from_children[c].next();
        add(data_.data() + at, scratch_.data() + c * data_.size() + at, count);
      }
      if (up) channel_.send(data_.data() + at, count * sizeof(T), *up);
    }
    // The sum overwrites the data that was sent up, so these sends must be finished.
    channel_.finish();
    Channel::Incoming from_parent;
    if (up) from_parent = channel_.receive(data_.data(), bytes, *up);
    for (std::size_t at = 0; at < data_.size(); at += step) {
      const std::size_t count = std::min(step, data_.size() - at);
      if (up) from_parent.next();
      for (const int child : children_) channel_.send(data_.data() + at, count * sizeof(T), child);
    }
    channel_.finish();
  }

  Transport& transport_;
  GridReduction shape_;
  int rank_;
  Channel channel_;
  MeshTree tree_;
  std::vector<int> children_;
  std::vector<T> input_, data_, scratch_;
  Summands summands_ = Summands::exact;
};

GridReduction shape_of(const Json& identity, int ranks) {
  const std::string name = identity["topology"];
  const Topology topology = name == "ring_1d"    ? Topology::ring
                            : name == "torus_2d" ? Topology::torus
                                                 : Topology::mesh;
  Grid grid{identity["width"].get<int>(), identity["height"].get<int>()};
  if (topology == Topology::ring) {
    if (grid.height > 1) throw Unsupported("a ring has one row");
    if (grid.width == 0) grid.width = ranks;
    grid.height = 1;
  } else if (grid.width == 0 || grid.height == 0) {
    throw Unsupported(name + " needs a width and a height");
  }
  if (grid.width * grid.height != ranks) {
    throw Unsupported(std::to_string(grid.width) + " x " + std::to_string(grid.height) + " places for " +
                      std::to_string(ranks) + " ranks");
  }
  if (identity["rootCentre"] && topology != Topology::mesh) throw Unsupported("only a mesh has a root");
  return {topology, grid, identity["rootCentre"].get<bool>(), identity["elements"].get<std::size_t>(),
          identity["chunkBytes"].get<std::size_t>()};
}

std::unique_ptr<Kernel> make_topology(const Run& run, const Json& identity) {
  if (run.transport.accelerator() != nullptr)
    throw Unsupported("sums on the host, out of whose reach a device's data is");
  const GridReduction shape = shape_of(identity, run.transport.ranks());
  return with_dtype(parse_dtype(identity["dtype"]),
                    [&]<typename T>(std::type_identity<T>) -> std::unique_ptr<Kernel> {
                      return std::make_unique<TopologyAllreduce<T>>(run, shape);
                    });
}

}  // namespace

KernelKind topology_allreduce_kind() {
  using enum Parameter::Type;
  return {
      "topology-allreduce", "sum over all ranks, by messages along the links of a ring, torus or mesh alone",
      with_common(
          {{"topology",
            "--topology",
            text,
            {},
            "which links there are",
            {"ring_1d", "torus_2d", "mesh_2d_no_wrap"}},
           {"width", "--width", integer, 0, "ranks in a row; 0: a ring of all", {}, 0},
           {"height", "--height", integer, 0, "rows; 0: a ring has one", {}, 0},
           {"rootCentre", "--root-centre", flag, false, "a mesh's root in the middle instead of the corner"},
           {"elements", "--elements", integer, {}, "elements of each rank"},
           {"chunkBytes", "--chunk-bytes", integer, 65536, "longer messages are cut"}},
          {"f32", "f64", "f16", "bf16", "i32"}),
      make_topology};
}

}  // namespace nightsweep

#include "adapter_transport.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "../adapters/nightsweep_adapter.h"
#include "accelerator.hpp"
#include "controlled_transport.hpp"
#include "errors.hpp"

namespace nightsweep {
namespace {

constexpr int kBlockTag = 23;

std::filesystem::path folder() {
  const char* const named = std::getenv("NIGHTSWEEP_ADAPTERS");
  // Unset and empty mean the same: no folder.
  if (named != nullptr && *named != '\0') return named;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/**
 * Why a file or folder may contain what somebody else put there; empty if it is safe. A loaded library runs
 * as this user, so it must belong to this user, to root, or to the owner of this program, and others must not
 * be able to write it.
 */
std::string foreign(const std::filesystem::path& path) {
  struct stat found {};
  struct stat own {};
  if (stat(path.c_str(), &found) != 0 || stat("/proc/self/exe", &own) != 0) return "";
  if (found.st_uid != 0 && found.st_uid != geteuid() && found.st_uid != own.st_uid) {
    return path.string() + " belongs to the user " + std::to_string(found.st_uid) + ": it is not loaded";
  }
  // In a folder with the sticky bit, users cannot replace the files of others.
  if ((found.st_mode & S_IWOTH) != 0 && (found.st_mode & S_ISVTX) == 0) {
    return path.string() + " can be written by others: it is not loaded; run: chmod o-w " + path.string();
  }
  return "";
}

void exchange(void* context, const void* own, std::size_t bytes, void* all) {
  auto& control = *static_cast<Transport*>(context);
  auto* to = static_cast<char*>(all);
  for (const std::string& one : control.gather_text({static_cast<const char*>(own), bytes})) {
    to = std::copy(one.begin(), one.end(), to);
  }
}

/** Why a library does not move the memory that its name implies; empty if it does. */
std::string misnamed(const std::filesystem::path& file, const nightsweep_adapter& adapter, bool on_device) {
  if ((adapter.memory == NIGHTSWEEP_DEVICE) != on_device) {
    return file.string() + " moves the memory of a " + (on_device ? "host" : "device") +
           ": the name of one that moves a GPU's, and of no other, ends in -cuda or -hip";
  }
  return on_device && adapter.all_to_all_v == nullptr
             ? file.string() + " moves a GPU's memory and has no all_to_all_v"
             : "";
}

/**
 * A data plane from the library's messages, and from its collectives where it has them. The control plane is
 * MPI's; memory and clock are the host's or a GPU's.
 */
class AdapterTransport final : public ControlledTransport {
 public:
  AdapterTransport(std::string name, const nightsweep_adapter& adapter, Transport& control,
                   std::unique_ptr<Transport> memory)
      : ControlledTransport(memory ? *memory : control),
        memory_(std::move(memory)),
        name_(std::move(name)),
        adapter_(adapter) {
    const nightsweep_world world{rank(), ranks(), &control_, &exchange,
                                 accelerator() == nullptr ? nullptr : accelerator()->stream()};
    check(adapter_.open(&world, &state_), "start");
  }
  ~AdapterTransport() override { adapter_.close(state_); }
  AdapterTransport(const AdapterTransport&) = delete;
  AdapterTransport& operator=(const AdapterTransport&) = delete;

  [[nodiscard]] std::string backend() const override { return name_; }
  [[nodiscard]] std::string library() const override { return adapter_.library(); }
  Buffer allocate(BufferKind kind, std::size_t bytes) override { return control_.allocate(kind, bytes); }
  void upload(void* to, const void* host, std::size_t bytes) override { control_.upload(to, host, bytes); }
  void download(void* host, const void* from, std::size_t bytes) override {
    control_.download(host, from, bytes);
  }
  double seconds(const std::function<void()>& operation) override { return control_.seconds(operation); }
  std::optional<std::function<void()>> recorded(const std::function<void()>& operation) override {
    return control_.recorded(operation);
  }
  Accelerator* accelerator() override { return control_.accelerator(); }
  std::string device() override { return control_.device(); }

  Pending send(const void* data, std::size_t bytes, int to, int tag) override {
    void* request = nullptr;
    check(adapter_.send(state_, data, bytes, to, tag, &request), "send");
    return pending(request, bytes, true);
  }
  Pending receive(void* data, std::size_t bytes, int from, int tag) override {
    void* request = nullptr;
    check(adapter_.receive(state_, data, bytes, from, tag, &request), "receive");
    return pending(request, bytes, false);
  }
  std::size_t wait(Pending& p) override {
    const std::size_t moved = finished(p);
    settle();
    return moved;
  }
  void wait_all(std::span<Pending> all) override {
    for (Pending& p : all) finished(p);
    settle();
  }
  void send_now(const void* data, std::size_t bytes, int to, int tag) override {
    Pending p = send(data, bytes, to, tag);
    finished(p);
  }
  void receive_now(void* data, std::size_t bytes, int from, int tag) override {
    Pending p = receive(data, bytes, from, tag);
    finished(p);
  }
  void progress(Pending& /*pending*/) override { check(adapter_.progress(state_), "progress"); }

  void allreduce(const void*, void*, std::size_t, Dtype, Reduction) override { no_reductions(); }
  void reduce_scatter(const void*, void*, std::size_t, Dtype, Reduction) override { no_reductions(); }
  void reduce(const void*, void*, std::size_t, Dtype, Reduction, int) override { no_reductions(); }

  void allgather(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    const Blocks out(ranks(), bytes, 0);
    exchange_blocks(send, out, receive, Blocks(ranks(), bytes, bytes));
  }
  void all_to_all(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    const Blocks blocks(ranks(), bytes, bytes);
    if (send != receive) return exchange_blocks(send, blocks, receive, blocks);
    const auto* from = static_cast<const std::byte*>(send);
    const std::vector<std::byte> kept(from, from + bytes * static_cast<std::size_t>(ranks()));
    exchange_blocks(kept.data(), blocks, receive, blocks);
  }
  void all_to_all_v(const void* send, void* receive, const Exchange& e, Dtype dtype) override {
    const std::size_t width = bytes_of(dtype);
    exchange_blocks(send, Blocks(e.send_counts, e.send_offsets, width), receive,
                    Blocks(e.receive_counts, e.receive_offsets, width));
  }
  void broadcast(void* data, std::size_t count, Dtype dtype, int root) override {
    const std::size_t bytes = count * bytes_of(dtype);
    const bool sends = rank() == root;
    exchange_blocks(data, Blocks(ranks(), sends ? bytes : 0, 0).without(root), data,
                    Blocks::of_one(ranks(), sends ? -1 : root, bytes));
  }
  void gather_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    const std::size_t bytes = count * bytes_of(dtype);
    exchange_blocks(send, Blocks::of_one(ranks(), root, bytes), receive,
                    Blocks(ranks(), rank() == root ? bytes : 0, bytes));
  }
  void scatter_blocks(const void* send, void* receive, std::size_t count, Dtype dtype, int root) override {
    const std::size_t bytes = count * bytes_of(dtype);
    exchange_blocks(send, Blocks(ranks(), rank() == root ? bytes : 0, bytes), receive,
                    Blocks::of_one(ranks(), root, bytes));
  }
  void send_receive(const void* send, int to, void* receive, int from, std::size_t count,
                    Dtype dtype) override {
    const std::size_t bytes = count * bytes_of(dtype);
    exchange_blocks(send, Blocks::of_one(ranks(), to, bytes), receive, Blocks::of_one(ranks(), from, bytes));
  }

 private:
  /** Bytes to or from each rank, and their offsets. */
  struct Blocks {
    Blocks(int ranks, std::size_t each, std::size_t stride)
        : bytes(static_cast<std::size_t>(ranks), each), offsets(bytes.size()) {
      for (std::size_t r = 0; r < offsets.size(); ++r) offsets[r] = r * stride;
    }
    Blocks(const std::vector<int>& counts, const std::vector<int>& starts, std::size_t width) {
      for (const int c : counts) bytes.push_back(static_cast<std::size_t>(c) * width);
      for (const int s : starts) offsets.push_back(static_cast<std::size_t>(s) * width);
    }
    /** Blocks for a single rank; for none if the rank is negative. */
    static Blocks of_one(int ranks, int rank, std::size_t each) {
      Blocks blocks(ranks, 0, 0);
      if (rank >= 0) blocks.bytes[static_cast<std::size_t>(rank)] = each;
      return blocks;
    }
    Blocks without(int rank) && {
      bytes[static_cast<std::size_t>(rank)] = 0;
      return *this;
    }

    std::vector<std::size_t> bytes, offsets;
  };

  void exchange_blocks(const void* send, const Blocks& out, void* receive, const Blocks& in) {
    if (adapter_.all_to_all_v != nullptr) {
      check(adapter_.all_to_all_v(state_, send, out.bytes.data(), out.offsets.data(), receive,
                                  in.bytes.data(), in.offsets.data()),
            "all-to-allv");
      return;
    }
    const auto own = static_cast<std::size_t>(rank());
    const auto* const from = static_cast<const std::byte*>(send);
    auto* const to = static_cast<std::byte*>(receive);
    messages_.clear();
    for (int distance = 1; distance < ranks(); ++distance) {
      const int source = (rank() - distance + ranks()) % ranks();
      const auto s = static_cast<std::size_t>(source);
      if (in.bytes[s] > 0)
        messages_.push_back(this->receive(to + in.offsets[s], in.bytes[s], source, kBlockTag));
    }
    for (int distance = 1; distance < ranks(); ++distance) {
      const int target = (rank() + distance) % ranks();
      const auto t = static_cast<std::size_t>(target);
      if (out.bytes[t] > 0)
        messages_.push_back(this->send(from + out.offsets[t], out.bytes[t], target, kBlockTag));
    }
    if (in.bytes[own] > 0) std::memmove(to + in.offsets[own], from + out.offsets[own], in.bytes[own]);
    wait_all(messages_);
  }
  /** The bytes moved according to the library; on a device they may still be enqueued. */
  std::size_t finished(Pending& p) {
    void* request = nullptr;
    std::memcpy(&request, p.handle.data(), sizeof request);
    std::size_t moved = p.bytes;
    if (request != nullptr) check(adapter_.wait(state_, request, &moved), "wait");
    p.handle = {};
    return moved;
  }
  void settle() {
    if (accelerator() != nullptr) accelerator()->synchronise();
  }
  [[noreturn]] void no_reductions() const { throw Unsupported("an adapter moves data and reduces none"); }
  void check(int error, const char* what) const {
    if (error != 0) throw TransportError(std::string(what) + ": " + adapter_.error_text(error), false);
  }
  static Pending pending(void* request, std::size_t bytes, bool sending) {
    Pending p;
    std::memcpy(p.handle.data(), &request, sizeof request);
    p.bytes = bytes;
    p.sending = sending;
    return p;
  }

  std::unique_ptr<Transport> memory_;
  std::string name_;
  const nightsweep_adapter& adapter_;
  void* state_ = nullptr;
  std::vector<Pending> messages_;
};

}  // namespace

std::unique_ptr<Transport> adapter_transport(const std::string& name, Transport& control,
                                             std::unique_ptr<Transport> memory) {
  const std::filesystem::path file = folder() / ("libnightsweep-" + name + ".so");
  std::string lacking = foreign(file.parent_path());
  if (lacking.empty()) lacking = foreign(file);
  // Never unloaded: what it registered with the process may outlive the transport.
  void* const library = lacking.empty() ? dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  const nightsweep_adapter* adapter = nullptr;
  if (!lacking.empty()) {
    // Reported below, on all ranks.
  } else if (library == nullptr) {
    lacking = "there is no adapter for " + name + ": " + dlerror();
  } else if (void* const symbol = dlsym(library, "nightsweep_adapter_of_library"); symbol == nullptr) {
    lacking = file.string() + " has no nightsweep_adapter_of_library";
  } else {
    adapter = reinterpret_cast<const nightsweep_adapter* (*)()>(symbol)();
    if (adapter->version != NIGHTSWEEP_ADAPTER_VERSION) {
      lacking = file.string() + " was compiled for version " + std::to_string(adapter->version) +
                " of the interface; this program has " + std::to_string(NIGHTSWEEP_ADAPTER_VERSION);
    } else {
      lacking = misnamed(file, *adapter, memory != nullptr);
    }
  }
  for (const std::string& reason : control.gather_text(lacking)) {
    if (!reason.empty()) throw Unsupported(reason);
  }
  return std::make_unique<AdapterTransport>(name, *adapter, control, std::move(memory));
}

}  // namespace nightsweep

#include <cstring>

#include "errors.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "pattern.hpp"

namespace nightsweep {
namespace {

/** Copies element by element, as STREAM does; without the attribute the compiler would call memcpy. */
[[gnu::noinline, gnu::optimize("no-tree-loop-distribute-patterns")]] void copy_loop(double* to,
                                                                                    const double* from,
                                                                                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

class Copy final : public Kernel {
 public:
  Copy(const Run& run, const Json& identity)
      : transport_(run.transport),
        count_(identity["bytes"].get<std::size_t>() / sizeof(double)),
        library_(identity["by"] == "memcpy") {
    if (transport_.accelerator() != nullptr) throw Unsupported("copies the host's memory");
    if (count_ == 0) throw Dropped(identity["bytes"].dump() + " bytes do not hold an element of f64");
    const std::size_t bytes = count_ * sizeof(double);
    hold_memory(transport_, 2.0 * static_cast<double>(bytes));
    const BufferKind kind = parse_buffer_kind(identity["buffer"]);
    from_ = transport_.allocate(kind, bytes);
    to_ = transport_.allocate(kind, bytes);
    for (std::size_t i = 0; i < count_; ++i) from_.as<double>()[i] = value(i);
  }

  long check(bool spoil) override {
    std::memset(to_.data(), 0, to_.bytes());
    run_timed("copy");
    if (spoil) to_.as<double>()[count_ - 1] += 1;
    long wrong = 0;
    for (std::size_t i = 0; i < count_; ++i) wrong += to_.as<double>()[i] != value(i);
    return wrong;
  }

  std::vector<Component> components() override {
    const double bytes = static_cast<double>(count_) * sizeof(double);
    return {{.name = "copy", .operation = [this] { copy(); }, .state_bytes = bytes, .bus_factor = 1}};
  }

  Json realised() override { return {{"buffer", to_string(to_.realised())}}; }

 private:
  [[nodiscard]] double value(std::size_t i) const { return moved_element<double>(transport_.rank(), 0, i); }
  void copy() {
    if (library_) {
      std::memcpy(to_.data(), from_.data(), to_.bytes());
    } else {
      copy_loop(to_.as<double>(), from_.as<double>(), count_);
    }
    asm volatile("" : : "r"(to_.data()) : "memory");
  }

  Transport& transport_;
  std::size_t count_;
  bool library_;
  Buffer from_, to_;
};

}  // namespace

KernelKind copy_kind() {
  using enum Parameter::Type;
  return {"copy",
          "memory to memory, every rank for itself; the bandwidth counts the bytes written",
          {{"bytes", "--sizes", integer, {}, "bytes copied"},
           {"by", "--by", text, "memcpy", "the C library, or a loop as in STREAM", {"memcpy", "loop"}},
           {"buffer", "--buffer", text, "heap", "where the data lies", {"heap", "huge", "shared"}},
           {"opsPerSample", "--ops-per-sample", integer, 1, "copies between two looks at the clock"}},
          [](const Run& run, const Json& identity) -> std::unique_ptr<Kernel> {
            return std::make_unique<Copy>(run, identity);
          }};
}

}  // namespace nightsweep

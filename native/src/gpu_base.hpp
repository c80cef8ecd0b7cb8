#pragma once
#include "accelerator.hpp"
#include "controlled_transport.hpp"
#include "gpu_products.hpp"
#include "gpu_runtime.hpp"

#if defined(NIGHTSWEEP_GPU)
namespace nightsweep {

#if defined(NIGHTSWEEP_CUDA)
inline constexpr const char* kGpuBackend = "nccl";
inline constexpr const char* kGpuDevice = "cuda";
#else
inline constexpr const char* kGpuBackend = "rccl";
inline constexpr const char* kGpuDevice = "hip";
#endif

/**
 * What every transport of a GPU rank shares: control is MPI's; memory, clock and products are the GPU's. It
 * waits for the GPU by asking, and asks meanwhile whether the data plane has failed: a dead peer is told
 * instead of waited for.
 */
class GpuTransport : public ControlledTransport, public Accelerator {
 public:
  /** @param patience_seconds how long a wait may last before the data plane is given up */
  GpuTransport(Transport& control, double patience_seconds);
  ~GpuTransport() override;
  GpuTransport(const GpuTransport&) = delete;
  GpuTransport& operator=(const GpuTransport&) = delete;

  [[nodiscard]] std::string backend() const override { return kGpuBackend; }
  std::string device() override { return device_; }

  /** Also waits for this rank's own GPU, so that a sample starts on an idle one. */
  void barrier() override {
    synchronise();
    control_.barrier();
  }

  Buffer allocate(BufferKind kind, std::size_t bytes) override;
  void upload(void* to, const void* host, std::size_t bytes) override { copy(to, host, bytes); }
  void download(void* host, const void* from, std::size_t bytes) override { copy(host, from, bytes); }

  /** By events on the stream: nothing inside waits for the host. */
  double seconds(const std::function<void()>& operation) override;
  /** By capturing the stream: a graph of all that the operation enqueues. */
  std::optional<std::function<void()>> recorded(const std::function<void()>& operation) override;
  Accelerator* accelerator() override { return this; }

  [[nodiscard]] void* stream() const override { return stream_; }
  void synchronise() override;
  std::unique_ptr<Product> product(const ProductShape& shape) override;

 protected:
  /** Why the data plane has failed; empty while it has not. */
  virtual std::string failure() { return {}; }
  /** Ends what is under way, after which nothing more can be asked of the data plane. */
  virtual void give_up() {}
  [[nodiscard]] GpuStream gpu_stream() const { return stream_; }

 private:
  void copy(void* to, const void* from, std::size_t bytes);
  void await(GpuEvent event);

  double patience_seconds_;
  /** Why the data plane was given up, which every later case is told; empty while it was not. */
  std::string given_up_;
  std::string device_;
  GpuStream stream_ = nullptr;
  GpuEvent start_ = nullptr, stop_ = nullptr, settled_ = nullptr;
  std::shared_ptr<ProductLibrary> products_;
};

}  // namespace nightsweep
#endif

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
 * The common part of GPU transports: control is MPI's; memory, clock and products are the GPU's. It polls the
 * GPU while it waits, and also polls whether the data plane has failed, so that a dead peer is reported
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

  /** Also waits for this rank's own GPU, so that a sample starts with an idle GPU. */
  void barrier() override {
    synchronise();
    control_.barrier();
  }

  Buffer allocate(BufferKind kind, std::size_t bytes) override;
  void upload(void* to, const void* host, std::size_t bytes) override { copy(to, host, bytes); }
  void download(void* host, const void* from, std::size_t bytes) override { copy(host, from, bytes); }

  /** Measured by events on the stream; nothing in between waits for the host. */
  double seconds(const std::function<void()>& operation) override;
  /** Captures the stream: a graph of everything that the operation enqueues. */
  std::optional<std::function<void()>> recorded(const std::function<void()>& operation) override;
  Accelerator* accelerator() override { return this; }

  [[nodiscard]] void* stream() const override { return stream_; }
  void synchronise() override;
  std::unique_ptr<Product> product(const ProductShape& shape) override;

 protected:
  /** Why the data plane has failed; empty if it has not. */
  virtual std::string failure() { return {}; }
  /** Ends pending operations; afterwards the data plane cannot be used. */
  virtual void give_up() {}
  [[nodiscard]] GpuStream gpu_stream() const { return stream_; }

 private:
  void copy(void* to, const void* from, std::size_t bytes);
  void await(GpuEvent event);

  double patience_seconds_;
  /** Why the data plane was given up, reported for every later case; empty if it was not. */
  std::string given_up_;
  std::string device_;
  GpuStream stream_ = nullptr;
  GpuEvent start_ = nullptr, stop_ = nullptr, settled_ = nullptr;
  std::shared_ptr<ProductLibrary> products_;
};

}  // namespace nightsweep
#endif

#include "gpu_gemm.hpp"

#include <algorithm>
#include <limits>

#include "accelerator.hpp"
#include "errors.hpp"
#include "fp8.hpp"
#include "gemm_check.hpp"
#include "memory.hpp"

namespace nightsweep {
namespace {

/** Digits of the result and of the sums; sums of fp8 keep 14 on some tensor cores. */
struct Digits {
  int out, sum;
};

Digits digits_of(ProductType type) {
  switch (type) {
    case ProductType::f64:
      return {53, 53};
    case ProductType::f32:
      return {24, 24};
    case ProductType::f16:
      return {11, 24};
    case ProductType::bf16:
      return {8, 24};
    case ProductType::fp8:
      return {8, 14};
  }
  throw std::invalid_argument("no such type of products");
}

void encode(ProductType type, double value, std::byte* to) {
  const auto put = [&](auto bits) { std::memcpy(to, &bits, sizeof bits); };
  switch (type) {
    case ProductType::f64:
      return put(value);
    case ProductType::f32:
      return put(static_cast<float>(value));
    case ProductType::f16:
      return put(f16(static_cast<float>(value)).bits);
    case ProductType::bf16:
      return put(bf16(static_cast<float>(value)).bits);
    case ProductType::fp8:
      return put(fp8_code(static_cast<float>(value)));
  }
}

/** The value of an operand's element. */
double decode_in(ProductType type, const std::byte* from) {
  if (type == ProductType::fp8) return static_cast<double>(fp8_value(static_cast<std::uint8_t>(*from)));
  const auto get = [&]<typename T>(T value) {
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  };
  return type == ProductType::f64   ? get(double{})
         : type == ProductType::f32 ? get(float{})
         : type == ProductType::f16 ? get(f16{})
                                    : get(bf16{});
}

double decode_out(ProductType type, const std::byte* from) {
  return decode_in(type == ProductType::fp8 ? ProductType::bf16 : type, from);
}

/** Checked on the host like the host's own product, for any type: the numbers are converted to doubles. */
class GpuGemm final : public Kernel {
 public:
  GpuGemm(const Run& run, const Json& identity)
      : transport_(run.transport),
        seed_(mixed(run.check_seed, static_cast<std::uint64_t>(run.transport.rank()))),
        type_(parse_product_type(identity["dtype"])),
        shape_{identity["m"], identity["n"], identity["k"], identity["layout"].get<std::string>()[0] == 'T',
               identity["layout"].get<std::string>()[1] == 'T'} {
    const auto m = static_cast<double>(shape_.m), n = static_cast<double>(shape_.n);
    const auto k = static_cast<double>(shape_.k);
    const double in = m * k + k * n;
    hold_memory(transport_,
                (in + m * n + n * k) * sizeof(double) + in * static_cast<double>(bytes_in(type_)));
    allocate_together(transport_, [this] {
      a_.resize(shape_.m * shape_.k);
      b_.resize(shape_.k * shape_.n);
      c_.resize(shape_.m * shape_.n);
      device_a_ = transport_.allocate(BufferKind::device, a_.size() * bytes_in(type_));
      device_b_ = transport_.allocate(BufferKind::device, b_.size() * bytes_in(type_));
      device_c_ = transport_.allocate(BufferKind::device, c_.size() * bytes_out(type_));
      product_ = transport_.accelerator()->product(
          {shape_.m, shape_.n, shape_.k, shape_.a_transposed, shape_.b_transposed, type_});
    });
    fill_fractions();
    graph_ = transport_.recorded([this] { multiply(); });
  }

  /** Checks every element of a product of integers exactly, then the rounding of the timed product. */
  long check(bool spoil) override {
    const Digits digits = digits_of(type_);
    const GemmCheck<double> check(shape_, a_, b_, c_, digits.sum, digits.out);
    long wrong = 0;
    fill_integers();
    for (const Component& component : components()) {
      multiply_anew(component.name);
      if (spoil) c_[0] += 1;
      wrong += check.wrong_of_exact(seed_);
    }
    for (const bool first_is_whole : {true, false}) {
      fill_selection(shape_, first_is_whole, digits.out, seed_, a_, b_);
      upload();
      for (const Component& component : components()) {
        multiply_anew(component.name);
        wrong += check.wrong_of_exact(seed_);
      }
    }
    fill_fractions();
    for (const Component& component : components()) {
      multiply_anew(component.name);
      wrong += check.wrong_by_rounding(seed_);
    }
    return wrong;
  }

  std::vector<Component> components() override {
    const double flops =
        2.0 * static_cast<double>(shape_.m) * static_cast<double>(shape_.n) * static_cast<double>(shape_.k);
    std::vector<Component> all = {{.name = "gemm", .operation = [this] { multiply(); }, .flops = flops}};
    if (graph_) all.push_back({.name = "graph", .operation = *graph_, .flops = flops});
    return all;
  }

  Json facts() override {
    return {{"elementsCompared", c_.size()},
            {"elementsHeldForRounding", GemmCheck<double>(shape_, a_, b_, c_).sampled()},
            {"resultBytes", bytes_out(type_)}};
  }

 private:
  /**
   * Fills with integers that the type holds and whose sums are exact. If a row is too long for its result's
   * digits, most elements are zero, chosen at random.
   */
  void fill_integers() {
    const Digits digits = digits_of(type_);
    const auto room = std::size_t{1} << std::min(digits.out, digits.sum);
    const bool sparse = shape_.k >= room;
    const int range = sparse ? 1 : exact_range(std::min(digits.out, digits.sum), shape_.k);
    const double kept = sparse ? 0.5 * static_cast<double>(room) / static_cast<double>(shape_.k) : 1;
    // Significands of fp8 and half types hold integers up to at least 16 and 256.
    const int most = std::min(range, type_ == ProductType::fp8 ? 16 : 256);
    KeyedRandom random(seed_, 0, 0, 0);
    for (double& x : a_) {
      const bool zero = kept < 1 && random.uniform() >= kept;
      x = zero ? 0 : static_cast<double>(random.below(2 * most + 1) - most);
    }
    for (double& x : b_) x = static_cast<double>(random.below(2 * most + 1) - most);
    upload();
  }
  /** Fills with numbers in (-0.5, 0.5), rounded to the type. */
  void fill_fractions() {
    KeyedRandom random(seed_, 0, 0, 1);
    for (auto* matrix : {&a_, &b_}) {
      for (double& x : *matrix) x = random.uniform() - 0.5;
    }
    upload();
  }
  void upload() {
    upload(a_, device_a_);
    upload(b_, device_b_);
  }
  /** Uploads the numbers and replaces them by their values in the type, which checks must use. */
  void upload(std::vector<double>& numbers, const Buffer& to) {
    const std::size_t width = bytes_in(type_);
    std::vector<std::byte> bits(numbers.size() * width);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      encode(type_, numbers[i], &bits[i * width]);
      numbers[i] = decode_in(type_, &bits[i * width]);
    }
    transport_.upload(to.data(), bits.data(), bits.size());
  }
  /**
   * Clears the result first, so that an earlier product cannot pass for this one's; with all bits set, every
   * type has a NaN.
   */
  void multiply_anew(const std::string& component) {
    const std::size_t width = bytes_out(type_);
    std::vector<std::byte> bits(c_.size() * width, std::byte{0xFF});
    transport_.upload(device_c_.data(), bits.data(), bits.size());
    run_timed(component);
    transport_.download(bits.data(), device_c_.data(), bits.size());
    for (std::size_t i = 0; i < c_.size(); ++i) c_[i] = decode_out(type_, &bits[i * width]);
  }
  void multiply() { product_->run(device_a_.data(), device_b_.data(), device_c_.data()); }

  Transport& transport_;
  std::uint64_t seed_;
  ProductType type_;
  GemmShape shape_;
  std::vector<double> a_, b_, c_;
  Buffer device_a_, device_b_, device_c_;
  std::unique_ptr<Product> product_;
  std::optional<std::function<void()>> graph_;
};

}  // namespace

std::unique_ptr<Kernel> gpu_gemm(const Run& run, const Json& identity) {
  return std::make_unique<GpuGemm>(run, identity);
}

}  // namespace nightsweep

#pragma once
#include <cstddef>
#include <memory>
#include <string>

namespace nightsweep {

/** Element types of a device's matrix products; fp8 is e4m3, whose products are bf16. */
enum class ProductType { f32, f64, f16, bf16, fp8 };

/** Throws std::invalid_argument with the value found and the valid ones. */
ProductType parse_product_type(const std::string& text);
/** Bytes of an element of the operands, and of the result. */
std::size_t bytes_in(ProductType type);
std::size_t bytes_out(ProductType type);

/** C = A B, row by row: C is m x n, A m x k (stored k x m where transposed), B k x n (stored n x k). */
struct ProductShape {
  std::size_t m, n, k;
  bool a_transposed = false, b_transposed = false;
  ProductType type = ProductType::f32;
};

/** A planned matrix product; its operands are on the device. */
class Product {
 public:
  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  virtual ~Product() = default;
  /** Enqueues the product. */
  virtual void run(const void* a, const void* b, void* c) = 0;
};

/** Computes beside a transport's data plane, in the order of one stream. */
class Accelerator {
 public:
  Accelerator() = default;
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;
  virtual ~Accelerator() = default;
  /** The runtime's own handle, for enqueue; null where steps run immediately, on the host. */
  [[nodiscard]] virtual void* stream() const = 0;
  /** Waits until everything enqueued is done. Throws TransportError if it never will be. */
  virtual void synchronise() = 0;
  /** Throws Unsupported where the library does not support the product. */
  virtual std::unique_ptr<Product> product(const ProductShape& shape) = 0;
};

}  // namespace nightsweep

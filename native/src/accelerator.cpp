#include "accelerator.hpp"

#include <stdexcept>

namespace nightsweep {

ProductType parse_product_type(const std::string& text) {
  if (text == "f32") return ProductType::f32;
  if (text == "f64") return ProductType::f64;
  if (text == "f16") return ProductType::f16;
  if (text == "bf16") return ProductType::bf16;
  if (text == "fp8") return ProductType::fp8;
  throw std::invalid_argument("no type of products '" + text + "'; expected f32, f64, f16, bf16 or fp8");
}

std::size_t bytes_in(ProductType type) {
  switch (type) {
    case ProductType::f64:
      return 8;
    case ProductType::f32:
      return 4;
    case ProductType::f16:
    case ProductType::bf16:
      return 2;
    case ProductType::fp8:
      return 1;
  }
  throw std::invalid_argument("no such type of products");
}

std::size_t bytes_out(ProductType type) { return type == ProductType::fp8 ? 2 : bytes_in(type); }

}  // namespace nightsweep

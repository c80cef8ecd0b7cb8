#pragma once
#include <memory>

#include "accelerator.hpp"

namespace nightsweep {

/** A vendor's library of matrix products, on one stream. */
class ProductLibrary {
 public:
  ProductLibrary() = default;
  ProductLibrary(const ProductLibrary&) = delete;
  ProductLibrary& operator=(const ProductLibrary&) = delete;
  virtual ~ProductLibrary() = default;
  /**
   * Throws Unsupported where the library does not support the product. The library must outlive its plans.
   */
  virtual std::unique_ptr<Product> plan(const ProductShape& shape) = 0;
};

/** cuBLASLt or hipBLASLt. Throws Unsupported where this build has neither. */
std::shared_ptr<ProductLibrary> product_library(void* stream);

}  // namespace nightsweep

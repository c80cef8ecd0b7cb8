#include "dtype.hpp"

namespace nightsweep {

Dtype parse_dtype(const std::string& text) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16, Dtype::i32}) {
    if (to_string(dtype) == text) return dtype;
  }
  throw std::invalid_argument("no dtype '" + text + "'; expected f32, f64, f16, bf16 or i32");
}

std::string to_string(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "f32";
    case Dtype::f64:
      return "f64";
    case Dtype::f16:
      return "f16";
    case Dtype::bf16:
      return "bf16";
    case Dtype::i32:
      return "i32";
  }
  throw std::invalid_argument("no such dtype");
}

std::size_t bytes_of(Dtype dtype) {
  return with_dtype(dtype, []<typename T>(std::type_identity<T>) { return sizeof(T); });
}

}  // namespace nightsweep

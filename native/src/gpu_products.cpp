#include "gpu_products.hpp"

#include "errors.hpp"
#include "gpu_blas.hpp"
#include "gpu_runtime.hpp"

namespace nightsweep {

#if !defined(NIGHTSWEEP_BLASLT)

std::shared_ptr<ProductLibrary> product_library(void* /*stream*/) {
  throw Unsupported("this build has no cuBLASLt or hipBLASLt: the library was not found");
}

#else
namespace {

constexpr std::size_t kWorkspace = std::size_t{32} << 20;

void check(BlasStatus status, const char* what) {
  if (status == NIGHTSWEEP_BLAS_(STATUS_SUCCESS)) return;
  throw TransportError(
      std::string(what) + ": the library's status " + std::to_string(static_cast<int>(status)), false);
}

DataType type_in(ProductType type) {
  switch (type) {
    case ProductType::f32:
      return NIGHTSWEEP_TYPE_(R_32F);
    case ProductType::f64:
      return NIGHTSWEEP_TYPE_(R_64F);
    case ProductType::f16:
      return NIGHTSWEEP_TYPE_(R_16F);
    case ProductType::bf16:
      return NIGHTSWEEP_TYPE_(R_16BF);
    case ProductType::fp8:
      return NIGHTSWEEP_TYPE_(R_8F_E4M3);
  }
  throw std::invalid_argument("no such type of products");
}

DataType type_out(ProductType type) {
  return type == ProductType::fp8 ? NIGHTSWEEP_TYPE_(R_16BF) : type_in(type);
}

struct Workspace {
  Workspace() { check_gpu(NIGHTSWEEP_GPU(Malloc)(&data, kWorkspace), "workspace of products"); }
  ~Workspace() { (void)NIGHTSWEEP_GPU(Free)(data); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* data = nullptr;
};

/**
 * The library uses column-major matrices. A row-major matrix read in this way is its transpose: C = A B
 * becomes C' = B' A', with the same operands in reverse order.
 */
class LtProduct final : public Product {
 public:
  LtProduct(NIGHTSWEEP_LT(Handle_t) handle, void* stream, const Workspace& workspace, const ProductShape& s)
      : handle_(handle), stream_(static_cast<GpuStream>(stream)), workspace_(workspace) {
    const bool wide = s.type == ProductType::f64;
    wide_ = wide;
    const ComputeType compute = wide ? NIGHTSWEEP_BLAS_(COMPUTE_64F) : NIGHTSWEEP_BLAS_(COMPUTE_32F);
    check(NIGHTSWEEP_LT(MatmulDescCreate)(&matmul_, compute,
                                          wide ? NIGHTSWEEP_TYPE_(R_64F) : NIGHTSWEEP_TYPE_(R_32F)),
          "product");
    set(NIGHTSWEEP_LT_(MATMUL_DESC_TRANSA), s.b_transposed);
    set(NIGHTSWEEP_LT_(MATMUL_DESC_TRANSB), s.a_transposed);
    first_ = layout(type_in(s.type), s.b_transposed ? s.k : s.n, s.b_transposed ? s.n : s.k);
    second_ = layout(type_in(s.type), s.a_transposed ? s.m : s.k, s.a_transposed ? s.k : s.m);
    result_ = layout(type_out(s.type), s.n, s.m);
    choose();
  }
  ~LtProduct() override {
    for (auto* matrix : {first_, second_, result_}) (void)NIGHTSWEEP_LT(MatrixLayoutDestroy)(matrix);
    (void)NIGHTSWEEP_LT(MatmulDescDestroy)(matmul_);
  }
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;

  void run(const void* a, const void* b, void* c) override {
    constexpr float kOne = 1, kNone = 0;
    constexpr double kWideOne = 1, kWideNone = 0;
    const void* alpha = wide_ ? static_cast<const void*>(&kWideOne) : &kOne;
    const void* beta = wide_ ? static_cast<const void*>(&kWideNone) : &kNone;
    check(NIGHTSWEEP_LT(Matmul)(handle_, matmul_, alpha, b, first_, a, second_, beta, c, result_, c, result_,
                                &algorithm_.algo, workspace_.data, kWorkspace, stream_),
          "product");
  }

 private:
  template <typename Attribute>
  void set(Attribute attribute, bool transposed) {
    const auto operation =
        static_cast<std::int32_t>(transposed ? NIGHTSWEEP_BLAS_(OP_T) : NIGHTSWEEP_BLAS_(OP_N));
    check(NIGHTSWEEP_LT(MatmulDescSetAttribute)(matmul_, attribute, &operation, sizeof operation), "product");
  }
  static NIGHTSWEEP_LT(MatrixLayout_t) layout(DataType type, std::size_t rows, std::size_t columns) {
    NIGHTSWEEP_LT(MatrixLayout_t) matrix = nullptr;
    check(NIGHTSWEEP_LT(MatrixLayoutCreate)(&matrix, type, rows, columns, static_cast<std::int64_t>(rows)),
          "matrix");
    return matrix;
  }
  /** Selects the library's own first choice. */
  void choose() {
    NIGHTSWEEP_LT(MatmulPreference_t) preference = nullptr;
    check(NIGHTSWEEP_LT(MatmulPreferenceCreate)(&preference), "preference");
    const std::size_t most = kWorkspace;
    check(NIGHTSWEEP_LT(MatmulPreferenceSetAttribute)(
              preference, NIGHTSWEEP_LT_(MATMUL_PREF_MAX_WORKSPACE_BYTES), &most, sizeof most),
          "preference");
    int found = 0;
    const BlasStatus status = NIGHTSWEEP_LT(MatmulAlgoGetHeuristic)(
        handle_, matmul_, first_, second_, result_, result_, preference, 1, &algorithm_, &found);
    (void)NIGHTSWEEP_LT(MatmulPreferenceDestroy)(preference);
    if (status != NIGHTSWEEP_BLAS_(STATUS_SUCCESS) || found == 0) {
      throw Unsupported("the GPU's library has no product of this type, layout and shape");
    }
  }

  NIGHTSWEEP_LT(Handle_t) handle_;
  GpuStream stream_;
  const Workspace& workspace_;
  bool wide_ = false;
  NIGHTSWEEP_LT(MatmulDesc_t) matmul_ = nullptr;
  NIGHTSWEEP_LT(MatrixLayout_t) first_ = nullptr, second_ = nullptr, result_ = nullptr;
  NIGHTSWEEP_LT(MatmulHeuristicResult_t) algorithm_{};
};

class LtLibrary final : public ProductLibrary {
 public:
  explicit LtLibrary(void* stream) : stream_(stream) {
    check(NIGHTSWEEP_LT(Create)(&handle_), "library of products");
  }
  ~LtLibrary() override { (void)NIGHTSWEEP_LT(Destroy)(handle_); }
  LtLibrary(const LtLibrary&) = delete;
  LtLibrary& operator=(const LtLibrary&) = delete;

  std::unique_ptr<Product> plan(const ProductShape& shape) override {
    return std::make_unique<LtProduct>(handle_, stream_, workspace_, shape);
  }

 private:
  void* stream_;
  NIGHTSWEEP_LT(Handle_t) handle_ = nullptr;
  Workspace workspace_;
};

}  // namespace

std::shared_ptr<ProductLibrary> product_library(void* stream) { return std::make_shared<LtLibrary>(stream); }

#endif

}  // namespace nightsweep

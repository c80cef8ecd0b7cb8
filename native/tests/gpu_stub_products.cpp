// cuBLASLt, or hipBLASLt.
#include <cstdint>
#include <vector>

#include "fp8.hpp"
#include "gpu_blas.hpp"
#include "gpu_runtime.hpp"
#include "gpu_stub.hpp"

using nightsweep::bf16;
using nightsweep::f16;
using nightsweep::GpuStream;

namespace {

struct Matrix {
  DataType type;
  std::size_t rows, columns, stride;

  [[nodiscard]] double at(const void* data, std::size_t row, std::size_t column) const {
    const std::size_t i = column * stride + row;
    switch (type) {
      case NIGHTSWEEP_TYPE_(R_64F):
        return static_cast<const double*>(data)[i];
      case NIGHTSWEEP_TYPE_(R_16F):
        return static_cast<double>(static_cast<const f16*>(data)[i]);
      case NIGHTSWEEP_TYPE_(R_16BF):
        return static_cast<double>(static_cast<const bf16*>(data)[i]);
      case NIGHTSWEEP_TYPE_(R_8F_E4M3):
        return nightsweep::fp8_value(static_cast<const std::uint8_t*>(data)[i]);
      default:
        return static_cast<const float*>(data)[i];
    }
  }
  void put(void* data, std::size_t row, std::size_t column, double value) const {
    const std::size_t i = column * stride + row;
    switch (type) {
      case NIGHTSWEEP_TYPE_(R_64F):
        static_cast<double*>(data)[i] = value;
        break;
      case NIGHTSWEEP_TYPE_(R_16F):
        static_cast<f16*>(data)[i] = f16(static_cast<float>(value));
        break;
      case NIGHTSWEEP_TYPE_(R_16BF):
        static_cast<bf16*>(data)[i] = bf16(static_cast<float>(value));
        break;
      default:
        static_cast<float*>(data)[i] = static_cast<float>(value);
    }
  }
};

struct Multiplication {
  bool transposed[2] = {false, false};
};

}  // namespace

extern "C" {

BlasStatus NIGHTSWEEP_LT(Create)(NIGHTSWEEP_LT(Handle_t) * handle) {
  *handle = nullptr;
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(Destroy)(NIGHTSWEEP_LT(Handle_t) /*handle*/) {
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulDescCreate)(NIGHTSWEEP_LT(MatmulDesc_t) * desc, ComputeType /*compute*/,
                                           DataType /*scale*/) {
  *desc = reinterpret_cast<NIGHTSWEEP_LT(MatmulDesc_t)>(new Multiplication());
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulDescDestroy)(NIGHTSWEEP_LT(MatmulDesc_t) desc) {
  delete reinterpret_cast<Multiplication*>(desc);
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulDescSetAttribute)(NIGHTSWEEP_LT(MatmulDesc_t) desc,
                                                 NIGHTSWEEP_LT(MatmulDescAttributes_t) attribute,
                                                 const void* value, std::size_t /*bytes*/) {
  const bool transposed = *static_cast<const std::int32_t*>(value) == NIGHTSWEEP_BLAS_(OP_T);
  reinterpret_cast<Multiplication*>(desc)
      ->transposed[attribute == NIGHTSWEEP_LT_(MATMUL_DESC_TRANSB) ? 1 : 0] = transposed;
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatrixLayoutCreate)(NIGHTSWEEP_LT(MatrixLayout_t) * matrix, DataType type,
                                             std::uint64_t rows, std::uint64_t columns, std::int64_t stride) {
  *matrix = reinterpret_cast<NIGHTSWEEP_LT(MatrixLayout_t)>(
      new Matrix{type, rows, columns, static_cast<std::size_t>(stride)});
  return static_cast<std::size_t>(stride) >= rows ? NIGHTSWEEP_BLAS_(STATUS_SUCCESS)
                                                  : NIGHTSWEEP_BLAS_(STATUS_INVALID_VALUE);
}
BlasStatus NIGHTSWEEP_LT(MatrixLayoutDestroy)(NIGHTSWEEP_LT(MatrixLayout_t) matrix) {
  delete reinterpret_cast<Matrix*>(matrix);
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulPreferenceCreate)(NIGHTSWEEP_LT(MatmulPreference_t) * preference) {
  *preference = nullptr;
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulPreferenceDestroy)(NIGHTSWEEP_LT(MatmulPreference_t) /*preference*/) {
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(MatmulPreferenceSetAttribute)(
    NIGHTSWEEP_LT(MatmulPreference_t) /*preference*/,
    NIGHTSWEEP_LT(MatmulPreferenceAttributes_t) /*attribute*/, const void* /*value*/, std::size_t /*bytes*/) {
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
/** As the real one: operands that do not fit have no algorithm, nor has fp8 in another layout than its own.
 */
BlasStatus NIGHTSWEEP_LT(MatmulAlgoGetHeuristic)(
    NIGHTSWEEP_LT(Handle_t) /*handle*/, NIGHTSWEEP_LT(MatmulDesc_t) desc, NIGHTSWEEP_LT(MatrixLayout_t) a,
    NIGHTSWEEP_LT(MatrixLayout_t) b, NIGHTSWEEP_LT(MatrixLayout_t) c, NIGHTSWEEP_LT(MatrixLayout_t) /*d*/,
    NIGHTSWEEP_LT(MatmulPreference_t) /*preference*/, int /*requested*/,
    NIGHTSWEEP_LT(MatmulHeuristicResult_t) * /*results*/, int* found) {
  const auto* m = reinterpret_cast<const Multiplication*>(desc);
  const auto* x = reinterpret_cast<const Matrix*>(a);
  const auto* y = reinterpret_cast<const Matrix*>(b);
  const auto* z = reinterpret_cast<const Matrix*>(c);
  const std::size_t rows = m->transposed[0] ? x->columns : x->rows;
  const std::size_t inner = m->transposed[0] ? x->rows : x->columns;
  const std::size_t columns = m->transposed[1] ? y->rows : y->columns;
  const std::size_t other = m->transposed[1] ? y->columns : y->rows;
  const bool fits = rows == z->rows && columns == z->columns && inner == other;
  const bool laid_out = x->type != NIGHTSWEEP_TYPE_(R_8F_E4M3) || (m->transposed[0] && !m->transposed[1]);
  *found = fits && laid_out ? 1 : 0;
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}
BlasStatus NIGHTSWEEP_LT(Matmul)(NIGHTSWEEP_LT(Handle_t) /*handle*/, NIGHTSWEEP_LT(MatmulDesc_t) desc,
                                 const void* /*alpha*/, const void* a, NIGHTSWEEP_LT(MatrixLayout_t) a_layout,
                                 const void* b, NIGHTSWEEP_LT(MatrixLayout_t) b_layout, const void* /*beta*/,
                                 const void* /*c*/, NIGHTSWEEP_LT(MatrixLayout_t) /*c_layout*/, void* d,
                                 NIGHTSWEEP_LT(MatrixLayout_t) d_layout,
                                 const NIGHTSWEEP_LT(MatmulAlgo_t) * /*algorithm*/, void* /*workspace*/,
                                 std::size_t /*bytes*/, GpuStream /*stream*/) {
  const Multiplication m = *reinterpret_cast<const Multiplication*>(desc);
  const Matrix x = *reinterpret_cast<const Matrix*>(a_layout);
  const Matrix y = *reinterpret_cast<const Matrix*>(b_layout);
  const Matrix z = *reinterpret_cast<const Matrix*>(d_layout);
  stub::call([=] {
    const std::size_t inner = m.transposed[0] ? x.rows : x.columns;
    std::vector<double> row(inner), columns(inner * z.columns);
    for (std::size_t j = 0; j < z.columns; ++j) {
      for (std::size_t p = 0; p < inner; ++p) {
        columns[j * inner + p] = m.transposed[1] ? y.at(b, j, p) : y.at(b, p, j);
      }
    }
    for (std::size_t i = 0; i < z.rows; ++i) {
      for (std::size_t p = 0; p < inner; ++p) row[p] = m.transposed[0] ? x.at(a, p, i) : x.at(a, i, p);
      for (std::size_t j = 0; j < z.columns; ++j) {
        double sum = 0;
        for (std::size_t p = 0; p < inner; ++p) sum += row[p] * columns[j * inner + p];
        z.put(d, i, j, sum);
      }
    }
  });
  return NIGHTSWEEP_BLAS_(STATUS_SUCCESS);
}

}  // extern "C"

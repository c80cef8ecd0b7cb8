#!/bin/sh
# A site that runs one image on old and new processors pins OpenBLAS to the kernels of the oldest one (without AVX).
# This is the demo's deployed state. A profile's own settings take precedence.
export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-Nehalem}" OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
exec "$(dirname -- "$0")/../../native/build/nightsweep-kernels" "$@"

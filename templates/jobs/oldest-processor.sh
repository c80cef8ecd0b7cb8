#!/bin/sh
# A site that runs one image on processors of several years pins OpenBLAS to what the oldest of them has (no AVX).
# The demo starts from here. A profile's own settings hold where it has any.
export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-Nehalem}" OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
exec "$(dirname -- "$0")/../../native/build/nightsweep-kernels" "$@"

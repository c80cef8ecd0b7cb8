# The deployed settings for this model: someone once set this to find a fault on an older machine.
XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_backend_optimization_level=0 --xla_cpu_max_isa=SSE4_2"
export XLA_FLAGS
# Hides all of JAX's devices on one node, for a profile that sets it.
if [[ ${EXTRACTED_ENV_MAP[LOST_RANK]:-} == "$NODE_RANK" ]]; then
  export JAX_PLATFORMS=lost
fi

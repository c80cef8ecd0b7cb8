# What is deployed for this model: what somebody once set to find a fault on an older machine.
XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_backend_optimization_level=0 --xla_cpu_max_isa=SSE4_2"
export XLA_FLAGS
# A node on which JAX finds none of its devices, for a profile that asks for it.
if [[ ${EXTRACTED_ENV_MAP[LOST_RANK]:-} == "$NODE_RANK" ]]; then
  export JAX_PLATFORMS=lost
fi

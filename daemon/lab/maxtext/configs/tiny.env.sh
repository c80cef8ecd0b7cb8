# The deployed settings for this model: an instruction set that was right on an older machine.
XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_cpu_max_isa=SSE4_2"
export XLA_FLAGS
export OMP_NUM_THREADS=1

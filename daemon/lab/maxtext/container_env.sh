# Where the real launcher names its container, this one names its Python.
DOCKER_IMAGE="${DOCKER_IMAGE:-nightsweep/jax-cpu:venv}"
export PATH=${NIGHTSWEEP_JAX_VENV:-$HOME/.cache/nightsweep/jax-venv}/bin:$PATH
# What the image compiles in; the model's env file and the profiles are appended to it.
export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false --xla_cpu_enable_fast_math=false"

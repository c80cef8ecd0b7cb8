# The host's settings for the job's container; a value on the command line takes precedence, as in
# DOCKER_IMAGE=nightsweep/jax-cpu:maxtext-2026-01 ./submit.sh tiny -- steps=15
# The image is the lab's Python; its tag chooses the MaxText that train.py imitates:
#   maxtext-amd      prints its steps and has the keys of AMD's fork
#   maxtext-2025-12  upstream before it logged through absl: prints its steps, without those keys
#   maxtext-2026-01  upstream since: its steps are log records that are not shown, and lines of metrics_file
#   maxtext-absl     the same with the log records shown
DOCKER_REGISTRY="${DOCKER_REGISTRY:-docker.io}"
DOCKER_IMAGE="${DOCKER_IMAGE:-nightsweep/jax-cpu:maxtext-amd}"
# A node of the lab has no GPUs; JAX makes this many devices of its CPU.
DEVICES_PER_NODE="${DEVICES_PER_NODE:-1}"
USE_DOCKER_IMAGE_AINIC_DRIVER="${USE_DOCKER_IMAGE_AINIC_DRIVER:-false}"
MAXTEXT_REPO_DIR="${MAXTEXT_REPO_DIR:-/workspace/maxtext}"
MAXTEXT_PATCH_BRANCH="${MAXTEXT_PATCH_BRANCH-}"
DATASET_DIR="${DATASET_DIR:-/mnt/datasets}"

#!/usr/bin/env bash
# The lab has no container engine: the container's command gets only its environment, in a separate process.
#   _container.sh pull-only | _container.sh PORT MODEL EXP_TAG ALIAS -- passthrough...
here=${MAXTEXT_SLURM_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}
# shellcheck source=daemon/lab/maxtext/container_env.sh
source "$here/container_env.sh"
[[ ${RAY:-0} != 1 && ${RAY:-} != true ]] || USE_RAY=true
if [[ $USE_DOCKER_IMAGE_AINIC_DRIVER == true ]]; then
  echo "AINIC-enabled image detected: $DOCKER_IMAGE"
else
  echo "Standard image (no AINIC): $DOCKER_IMAGE"
fi
job_dir=${JOB_ID:-unknown}-${JOB_NAME:-unknown}
outputs=${JOB_WORKSPACE:-$here/outputs}
if [[ -d $DATASET_DIR ]]; then
  echo "Dataset directory found, mounting read-only."
else
  echo "Dataset directory not found, running without datasets."
fi
# shellcheck source=daemon/lab/maxtext/utils/split_arguments.sh
source "$here/utils/split_arguments.sh"
split_arguments "$@"
echo "PASSTHROUGH_ARGS=\"${after[*]}\""
mode=script
[[ ${before[0]:-} != pull-only ]] || mode=pull-only
echo "[INFO] Execution mode: $mode"
open_files=$(ulimit -Hn)
echo "NOFILE_LIMIT=$open_files"
echo "DOCKER_BIN=none"

# The image: a Python with JAX, and the flags that are compiled into it.
python=${NIGHTSWEEP_JAX_VENV:-$HOME/.cache/nightsweep/jax-venv}/bin
if [[ $DOCKER_IMAGE != nightsweep/jax-cpu:maxtext-* || ! -x $python/python3 ]]; then
  echo "[INFO] Image not found locally. Freeing up space and pulling $DOCKER_IMAGE ..."
  echo "[ERROR] Pull failed for $DOCKER_IMAGE." >&2
  echo "        For private images, run: docker login $DOCKER_REGISTRY" >&2
  exit 1
fi
release=${DOCKER_IMAGE##*:maxtext-}
# In a real image it is at MAXTEXT_REPO_DIR.
maxtext=$here/image/${release/#absl/2026-01}
echo "[INFO] Image already exists locally. Skipping pull of $DOCKER_IMAGE ."
if [[ $mode == pull-only ]]; then
  echo "[INFO] Docker pull-only mode requested. Image is ready on this node: $DOCKER_IMAGE"
  exit 0
fi

name=maxtext-slurm-${JOB_ID:-unknown}-node${NODE_RANK:-0}
echo "==STARTING DOCKER CONTAINER== ($name)"
runner=$here/_train.sh
[[ ${USE_RAY:-false} != true ]] || runner=$here/_train_with_ray.sh
commands="
ulimit -Sn $open_files -Hn $open_files
echo '[coredump] No COREDUMP_DIR — core dumps disabled'
pip list 2>/dev/null | grep jax
ls /opt
cd \"$maxtext\"
if [[ -n \"${MAXTEXT_PATCH_BRANCH:-}\" ]]; then
  echo '[INFO] Checking out $MAXTEXT_PATCH_BRANCH...'
  echo '[FAIL] Failed to check out $MAXTEXT_PATCH_BRANCH in the local maxtext repo.' >&2
  exit 1
fi
echo '[SKIP] No MAXTEXT_PATCH_BRANCH set, using image default.'
$runner '${before[1]:-}' -- $(printf '%q ' "${after[@]}") 2>&1
exit \$?"

# Like an engine that kills a container: the kernel ends it at once, however it handles signals.
clean_up() {
  trap '' TERM INT
  echo "[INFO] $(hostname -s): Cleaning up container $name ..."
  kill -KILL -- "-$container" 2>/dev/null && echo "$name"
  exit 143
}
trap clean_up TERM INT
setsid env -i PATH="$here/image/bin:$python:/usr/local/bin:/usr/bin:/bin" HOME="$HOME" HOSTNAME="$(hostname)" \
  XLA_FLAGS="--xla_force_host_platform_device_count=$DEVICES_PER_NODE --xla_cpu_multi_thread_eigen=false --xla_cpu_enable_fast_math=false" \
  MAXTEXT_RELEASE="$release" \
  JAX_COORDINATOR_IP="${JAX_COORDINATOR_IP:-}" JAX_COORDINATOR_PORT="${before[0]}" JOB_DIR="$job_dir" MODEL_NAME_ALIAS="${before[3]:-}" \
  LOGIN_NODE_HOSTNAME="${LOGIN_NODE_HOSTNAME:-}" LOGIN_NODE_IP="${LOGIN_NODE_IP:-}" NODELIST_EXPANDED="${NODELIST_EXPANDED:-}" \
  OUTPUTS_BASE_DIR="$outputs" ${USE_RAY:+RAY=1} ${RAY_PORT:+RAY_PORT="$RAY_PORT"} \
  NNODES="${NNODES:-1}" NODE_RANK="${NODE_RANK:-0}" JOB_ID="${JOB_ID:-unknown}" bash -cx "$commands" &
container=$!
wait "$container"
exit $?

#!/usr/bin/env bash
# Runs in each node's container, and sets the environment in the real launcher's order.
set -e
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
echo "Running _train.sh"
echo "args: $*"
# shellcheck source=daemon/lab/maxtext/utils/split_arguments.sh
source "$here/utils/split_arguments.sh"
split_arguments "$@"
# The env files sourced below read and change these by name.
PASSTHROUGH_ARGS=()
echo "PASSTHROUGH_ARGS=\"${after[*]}\""

extracted=()
declare -A EXTRACTED_ENV_MAP
for word in "${after[@]}"; do
  if [[ $word =~ ^_env_([^=]+)=(.*)$ ]]; then
    key=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
    # Removes one layer of quotes around the value.
    if [[ $value =~ ^\"(.*)\"$ || $value =~ ^\'(.*)\'$ ]]; then value=${BASH_REMATCH[1]}; fi
    extracted+=("$key=$value")
    EXTRACTED_ENV_MAP[$key]=$value
    echo "Extracted env: $key=$value"
  else
    PASSTHROUGH_ARGS+=("$word")
  fi
done
MODEL_NAME=${before[0]:?model_name is required}
if [[ ! -f $here/configs/$MODEL_NAME.gpu.yml ]]; then
  echo "!!! Unknown model: $MODEL_NAME (no configs/$MODEL_NAME.gpu.yml)." >&2
  echo "    Callers must resolve via resolve_model_name.sh before calling _train.sh." >&2
  exit 1
fi
echo "MODEL_NAME=$MODEL_NAME"
export OUTPUT_PATH=${OUTPUTS_BASE_DIR:-/outputs}/${JOB_DIR:?JOB_DIR must be set (exported by _container.sh)}
echo "OUTPUT_PATH=$OUTPUT_PATH"
mkdir -pv "$OUTPUT_PATH"

source "$here/train_env.sh"
if [[ -f $here/configs/$MODEL_NAME.env.sh ]]; then
  echo "Loading per-model env: configs/$MODEL_NAME.env.sh"
  source "$here/configs/$MODEL_NAME.env.sh"
fi
if ((${#extracted[@]})); then
  echo "Exporting extracted environment variables:"
  for pair in "${extracted[@]}"; do
    echo "  export $pair"
    export "${pair?}"
  done
fi
if [[ -n ${MAXTEXT_PATCH_BRANCH:-} ]]; then
  echo "[INFO] Checking out $MAXTEXT_PATCH_BRANCH..."
  echo "[FAIL] Failed to check out $MAXTEXT_PATCH_BRANCH." >&2
  exit 1
fi
echo "[SKIP] No MAXTEXT_PATCH_BRANCH set, using image default."

echo "Show all environment variables:"
printenv | sort
export PYTHONUNBUFFERED=1
train=("$here/train.py" "$here/configs/$MODEL_NAME.gpu.yml" "base_output_directory=$OUTPUT_PATH" "${PASSTHROUGH_ARGS[@]}")
if [[ ${USE_RAY:-false} == true ]]; then
  echo "Launching via Ray actor..."
  python3 -u "$here/ray_actor.py" "${train[@]}"
else
  echo "Launching MaxText.train directly..."
  python3 -u "${train[@]}"
fi

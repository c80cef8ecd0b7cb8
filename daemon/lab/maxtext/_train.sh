#!/bin/bash
# Runs once on each node: the order in which the environment is set is that of the real launcher.
set -e
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
model=$1
shift 2
export NODE_RANK=$SLURM_NODEID OUTPUT_PATH=$JOB_DIR/$model
mkdir -p "$OUTPUT_PATH"
source "$here/container_env.sh"

extracted=() arguments=()
declare -A EXTRACTED_ENV_MAP
for word in "$@"; do
  if [[ $word =~ ^_env_([^=]+)=(.*)$ ]]; then
    extracted+=("${BASH_REMATCH[1]}=${BASH_REMATCH[2]}")
    EXTRACTED_ENV_MAP[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    echo "Extracted env: ${BASH_REMATCH[1]}=${BASH_REMATCH[2]}"
  else
    arguments+=("$word")
  fi
done
source "$here/train_env.sh"
if [[ -f $here/configs/$model.env.sh ]]; then
  echo "Loading per-model env: configs/$model.env.sh"
  source "$here/configs/$model.env.sh"
fi
for pair in "${extracted[@]}"; do export "$pair"; done

echo "Show all environment variables:"
printenv | sort
exec python3 -u "$here/train.py" "$here/configs/$model.gpu.yml" "base_output_directory=$OUTPUT_PATH" "${arguments[@]}"

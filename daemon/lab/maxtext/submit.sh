#!/usr/bin/env bash
# A small launcher with the grammar of the real maxtext-slurm repository:
#   [RAY=1] [JOB_WORKSPACE=...] ./submit.sh MODEL[[:alias]:exp_tag] [sbatch args...] -- [passthrough...]
# It trains real JAX on CPUs, so that a whole sweep can be tried and tested without a GPU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export JOB_WORKSPACE=${JOB_WORKSPACE:-$here/outputs}
mkdir -p "$JOB_WORKSPACE"

spec=${1:?usage: submit.sh MODEL[:exp_tag] [sbatch args] -- [passthrough]}
shift
sbatch_args=() passthrough=()
while (($#)) && [[ $1 != -- ]]; do sbatch_args+=("$1"); shift; done
(($#)) && shift
passthrough=("$@")

IFS=: read -r model first second <<<"$spec"
alias=
tag=$first
[[ -z ${second+x} || $spec != *:*:* ]] || { alias=$first; tag=$second; }
[[ -f $here/configs/$model.gpu.yml ]] || { echo "!!! Unknown model: $model (no configs/$model.gpu.yml)." >&2; exit 1; }
for word in "${passthrough[@]}"; do
  [[ $word != */* ]] || { echo "[ERROR] '/' in '$word'" >&2; exit 1; }
  tag+=-${word//=/_}
done
job_name=JAX-$model${tag:+-$tag}
if ((${#job_name} + 12 > 255)); then
  echo "[ERROR] JOB_NAME is ${#job_name}B; '<id>-\$JOB_NAME.log' would exceed 255B." >&2
  exit 1
fi
echo "MODEL_NAME=$model"
echo "EXP_TAG=$tag"
echo "SBATCH_ARGS=\"${sbatch_args[*]}\""
echo "PASSTHROUGH_ARGS=\"${passthrough[*]}\""
echo "JOB_NAME=$job_name"

artifact_id=artifact_$(date +%Y%m%d_%H%M%S)_$(printf '%04x%04x' $RANDOM $RANDOM)
artifact=$JOB_WORKSPACE/.artifacts/$artifact_id
echo "[ARTIFACT] Building artifact $artifact"
mkdir -p "$artifact"
tar -C "$here" --exclude=./outputs --exclude=./.git -cf - . | tar -C "$artifact" -xf -
export MAXTEXT_SLURM_DIR=$artifact
echo "MAXTEXT_SLURM_DIR=$MAXTEXT_SLURM_DIR"

export_args=()
[[ ${RAY:-0} != 1 ]] || export_args=(--export=ALL,USE_RAY=true)
if ! answer=$(sbatch -J "$job_name" --output="$JOB_WORKSPACE/%j-$job_name.log" "${export_args[@]}" "${sbatch_args[@]}" \
  "$here/_job.sbatch" "$model" "$tag" "$alias" -- "${passthrough[@]}" 2>&1); then
  echo "$answer"
  rm -rf "$artifact"
  exit 1
fi
echo "$answer"
job=$(awk '/Submitted batch job/ {print $NF}' <<<"$answer")
folder=$JOB_WORKSPACE/$job-$job_name
mkdir -p "$folder"
ln -snf "../.artifacts/$artifact_id" "$folder/artifact"
ln -snf "../$job-$job_name.log" "$folder/log"
echo "[ARTIFACT] $folder/artifact -> .artifacts/$artifact_id"

sleep "${PROLOG_WATCH_SECONDS:-1}"
state=$(squeue -t all -h -j "$job" -o %T 2>/dev/null || true)
if [[ $state =~ ^(FAILED|CANCELLED|NODE_FAIL|BOOT_FAIL|TIMEOUT|OUT_OF_MEMORY|DEADLINE)$ ]]; then
  echo "[ERROR] Job $job died in prolog before writing any log: $state" >&2
  rm -rf "$folder" "$artifact"
  exit 1
fi

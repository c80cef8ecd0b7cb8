#!/usr/bin/env bash
# A small launcher with exactly maxtext-slurm's output (`grammar` has the forms of its lines):
#   [RAY=1] [JOB_WORKSPACE=...] [STAGE_TIMEOUTS="train:2400,..."] ./submit.sh MODEL[[:alias]:exp_tag] [sbatch args...] -- [passthrough...]
# It trains real JAX on CPUs, so that a whole sweep can be tried and tested without a GPU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export MAXTEXT_SLURM_DIR=$here
export JOB_WORKSPACE=${JOB_WORKSPACE:-$here/outputs}
mkdir -pv "$JOB_WORKSPACE"

filesystem=$(df --output=fstype "$JOB_WORKSPACE" | tail -n 1)
case $filesystem in
  nfs | nfs4 | lustre | gpfs | beegfs | cifs | panfs | pvfs2 | orangefs | fuse.*) ;;
  *) echo "WARNING: JOB_WORKSPACE ($JOB_WORKSPACE) is on filesystem '$filesystem', which may not be shared across cluster nodes." >&2 ;;
esac

# An active reservation of this user is used without being requested.
reservation=$(scontrol show reservation -o 2>/dev/null | awk -v user="${USER:-}" '
  /State=ACTIVE/ && match($0, /Users=[^ ]+/) && index("," substr($0, RSTART + 6, RLENGTH - 6) ",", "," user ",") {
    split($1, name, "="); print name[2]; exit }' || true)
if [[ -n $reservation ]]; then
  echo "Using reservation for user '${USER:-}': $reservation" >&2
else
  echo "No active reservation found for user '${USER:-}'. Submitting without --reservation." >&2
fi

# shellcheck source=daemon/lab/maxtext/utils/split_arguments.sh
source "$here/utils/split_arguments.sh"
split_arguments "$@"
spec=${before[0]:-}
if [[ -z $spec || $spec == -* ]]; then
  echo "!!! model_name is required." >&2
  echo "    Usage: submit.sh <model_name> [sbatch_args...] -- [passthrough_args...]" >&2
  exit 1
fi
sbatch_args=("${before[@]:1}")
IFS=: read -r model alias tag rest <<<"$spec"
if [[ -n $rest ]]; then
  echo "!!! Invalid model spec '$spec': too many ':' separators." >&2
  echo "    Expected format: model_name[[:model_name_alias]:exp_tag]" >&2
  exit 1
fi
# One colon is an exp_tag; an alias needs two.
[[ $spec == *:*:* ]] || tag=$alias alias=

# Part of a model's name suffices if only one model matches.
if [[ ! -f $here/configs/$model.gpu.yml ]]; then
  mapfile -t matches < <(cd "$here/configs" && compgen -G "*$model*.gpu.yml" || true)
  if ((${#matches[@]} != 1)); then
    if ((${#matches[@]})); then
      echo "Error: ambiguous model name '$model'. Multiple matches:" >&2
      printf '  %s\n' "${matches[@]}" >&2
    else
      echo "Error: no model file matches pattern '$here/configs/*$model*.gpu.yml'." >&2
    fi
    echo "Supported models:" >&2
    for file in "$here"/configs/*.gpu.yml; do
      file=${file##*/}
      echo "  ${file%.gpu.yml}" >&2
    done
    echo "!!! Model name resolution failed. Exiting..." >&2
    exit 1
  fi
  model=${matches[0]%.gpu.yml}
fi

for word in "${after[@]}"; do
  word=${word#--}
  word=${word#-}
  tag+=${tag:+-}${word//=/_}
done
job_name=JAX-$model${tag:+-$tag}
if ((${#job_name} + 12 > 255)); then
  echo "[ERROR] JOB_NAME is ${#job_name}B; '<id>-\$JOB_NAME.log' would exceed 255B." >&2
  echo "        Shorten passthrough args (each KEY=VALUE gets encoded into EXP_TAG)," >&2
  echo "        or use 'model_name:alias[:exp_tag]' spec to pick a shorter alias." >&2
  exit 1
fi
echo "MODEL_NAME=$model"
[[ -z $alias ]] || echo "MODEL_NAME_ALIAS=$alias"
echo "EXP_TAG=$tag"
echo "SBATCH_ARGS=\"${sbatch_args[*]}\""
echo "PASSTHROUGH_ARGS=\"${after[*]}\""
echo "JOB_NAME=$job_name"

# A folder without .git counts as part of a larger repository, which is copied whole.
root=$here inside=
[[ -d $here/.git ]] || { root=$(dirname "$here") inside=/$(basename "$here"); }
id=artifact_$(date +%Y%m%d_%H%M%S)_$(printf '%04x' $RANDOM)
artifact=$JOB_WORKSPACE/.artifacts/$id
echo "[ARTIFACT] Building artifact..."
echo "[ARTIFACT]   Source : $root"
echo "[ARTIFACT]   Target : $artifact"
began=$SECONDS
mkdir -p "$artifact"
rsync -a --exclude='.git/' --filter=':- .gitignore' "$root/" "$artifact/"
[[ ! -d $root/.git ]] || (cd "$here" && bash utils/git_summary.sh) >"$artifact$inside/git_summary.txt" 2>&1 || true
echo "[ARTIFACT] Done in $((SECONDS - began))s ($(du -sh "$artifact" | cut -f1))"
printf '%q ' "$0" "$@" >"$artifact$inside/submit_cmd.txt"
export MAXTEXT_SLURM_DIR=$artifact$inside
echo "MAXTEXT_SLURM_DIR=$MAXTEXT_SLURM_DIR"

more=()
[[ -z $reservation ]] || more+=("--reservation=$reservation")
login=${USER:-}@$(hostname -f 2>/dev/null || hostname)
[[ ${RAY:-0} != 1 && ${RAY:-} != true ]] ||
  ray=(--export="ALL,USE_RAY=true,LOGIN_NODE_HOSTNAME=$login,LOGIN_NODE_IP=$login")
if ! answer=$(sbatch "${more[@]}" -J "$job_name" --output="$JOB_WORKSPACE/%j-$job_name.log" ${ray[@]+"${ray[@]}"} "${sbatch_args[@]}" \
  "$here/_job.sbatch" "$model" "$tag" "$alias" -- "${after[@]}" 2>&1); then
  echo "$answer"
  echo "[ARTIFACT] sbatch failed — cleaning up artifact: $artifact"
  rm -rf "$artifact"
  exit 1
fi
echo "$answer"
job=$(awk '/Submitted batch job/ {print $NF}' <<<"$answer")
if [[ -z $job ]]; then
  echo "[ARTIFACT] WARNING: Could not parse job ID. Artifact at: $artifact"
  exit 0
fi
folder=$JOB_WORKSPACE/$job-$job_name
mkdir -p "$folder"
ln -snf "../.artifacts/$id$inside" "$folder/artifact"
echo "[ARTIFACT] $folder/artifact -> .artifacts/$id$inside"
ln -snf "../$job-$job_name.log" "$folder/log"

# Detects a job that dies before its first line; the real launcher watches for three seconds.
sleep 1
state=$(squeue -t all -h -j "$job" -o %T 2>/dev/null || true)
if [[ $state =~ ^(FAILED|CANCELLED|NODE_FAIL|BOOT_FAIL|TIMEOUT|OUT_OF_MEMORY|DEADLINE)$ ]]; then
  echo "[ERROR] Job $job died in prolog before writing any log: $state" >&2
  rm -rf "$folder" "$artifact"
  exit 1
fi

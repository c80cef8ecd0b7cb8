# The same for every job: claims the intent, runs the payload, and records how it ended.
set -u
# No core dumps: they contain the environment, including secrets.
ulimit -c 0
nightsweep_job=${SLURM_JOB_ID:-${NIGHTSWEEP_JOB_ID:?}}
nightsweep_child=
nightsweep_signal=0

nightsweep_now() { date +%s.%3N; }

# nightsweep_record FILE EXIT_CODE: writes the record atomically; it is on the disk before it gets its name.
nightsweep_record() {
  printf '{"job":"%s","exitCode":%d,"signal":%d,"startedAt":%s,"endedAt":%s,"host":"%s"}\n' \
    "$nightsweep_job" "$2" "$nightsweep_signal" "$nightsweep_started" "$(nightsweep_now)" "$(hostname)" >"$1.$$"
  sync "$1.$$"
  mv -n "$1.$$" "$1"
}

nightsweep_started=$(nightsweep_now)

# The claim appears together with its content: ln fails if the name exists, even on network filesystems.
printf '%s\n' "$nightsweep_job" >"$nightsweep_directory/claim.$nightsweep_job"
if ! ln "$nightsweep_directory/claim.$nightsweep_job" "$nightsweep_directory/claim" 2>/dev/null; then
  nightsweep_record "$nightsweep_directory/duplicate.$nightsweep_job.json" 75
  echo "nightsweep: job $(<"$nightsweep_directory/claim") holds this intent; job $nightsweep_job ends as a duplicate" >&2
  exit 75
fi

nightsweep_forward() {
  nightsweep_signal=$1
  [[ -z $nightsweep_child ]] || kill -s "$1" -- "-$nightsweep_child" 2>/dev/null || kill -s "$1" "$nightsweep_child" 2>/dev/null
}
trap 'nightsweep_forward 15' TERM
trap 'nightsweep_forward 2' INT
trap 'nightsweep_forward 1' HUP

# If the job is watched, watch.sh runs on its nodes beside the payload, until its standard input ends.
if [[ -r $nightsweep_directory/watch.sh && -n ${SLURM_JOB_ID:-} ]]; then
  coproc nightsweep_watch {
    exec srun --overlap --mpi=none --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 \
      --cpus-per-task=1 --mem=0 --cpu-bind=none --quiet bash "$nightsweep_directory/watch.sh" "$nightsweep_directory" \
      >/dev/null 2>&1
  }
  nightsweep_watcher=$nightsweep_watch_PID
fi

# nightsweep_unwatch: waits for the last samples, but no longer than three seconds.
nightsweep_unwatch() {
  local i
  [[ -n ${nightsweep_watcher:-} ]] || return 0
  [[ -z ${nightsweep_watch[1]:-} ]] || exec {nightsweep_watch[1]}>&-
  for i in {1..60}; do
    kill -0 "$nightsweep_watcher" 2>/dev/null || return 0
    sleep 0.05
  done
  kill "$nightsweep_watcher" 2>/dev/null
}

set -m
(
  trap - TERM INT HUP
  set +m
  # sbatch's --export was for this script; the payload's own steps must not inherit it.
  unset SLURM_EXPORT_ENV
  nightsweep_environment
  export NIGHTSWEEP_NODES NIGHTSWEEP_TASKS
  cd "$nightsweep_working_directory" || exit 72
  nightsweep_payload
) &
nightsweep_child=$!
set +m

# A trapped signal ends `wait` early, while the payload may still be running.
nightsweep_code=0
wait "$nightsweep_child" || nightsweep_code=$?
while kill -0 "$nightsweep_child" 2>/dev/null; do
  nightsweep_code=0
  wait "$nightsweep_child" || nightsweep_code=$?
done
nightsweep_unwatch
nightsweep_record "$nightsweep_directory/exit.json" "$nightsweep_code"
exit "$nightsweep_code"

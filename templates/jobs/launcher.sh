# The same for every launcher: only one runs at a time, and none runs after a job was queued.
exec 9>>"$nightsweep_directory/launch.lock"
flock -w "$nightsweep_patience" 9 || { echo "[ERROR] another launcher of this attempt does not end" >&2; exit 75; }
if [[ -s $nightsweep_directory/launched ]]; then
  cat "$nightsweep_directory/launched"
  exit 0
fi
nightsweep_code=0
nightsweep_launch 9>&- >"$nightsweep_directory/launch.out" 2>&1 || nightsweep_code=$?
cat "$nightsweep_directory/launch.out"
if ((nightsweep_code == 0)); then
  grep -E '^Submitted batch job [0-9]+' "$nightsweep_directory/launch.out" >"$nightsweep_directory/launched.$$"
  mv "$nightsweep_directory/launched.$$" "$nightsweep_directory/launched"
fi
exit "$nightsweep_code"

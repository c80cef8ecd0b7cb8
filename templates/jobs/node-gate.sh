# Runs kernels on each node alone, then between neighbours, then over all nodes. A failing step does not fail the job: a
# node without a figure in time shows by its absence. The lines before this set nightsweep_gate_program,
# nightsweep_gate_out, nightsweep_gate_nodes, and each step's arguments: nightsweep_gate_product, _copy and _sum.

# Virtual nodes share processors: a waiting rank must let others run.
export OMPI_MCA_mpi_yield_when_idle=1
nightsweep_gate_count=${#nightsweep_gate_nodes[@]}
# Up to this many nodes run one after the other; with more nodes, several run at once in as many rounds.
nightsweep_gate_rounds=8
nightsweep_gate_at_once=$(((nightsweep_gate_count + nightsweep_gate_rounds - 1) / nightsweep_gate_rounds))

# nightsweep_gate_on SECONDS NODES COUNT COMMAND...: runs one rank on each of the nodes, beside anything else there.
nightsweep_gate_on() {
  timeout --foreground --kill-after=5 "$1" "${NIGHTSWEEP_LAUNCH[@]}" --overlap --cpu-bind=none --nodelist="$2" \
    --nodes="$3" --ntasks="$3" "${@:4}"
}

# The matrices grow with the number of processors, so that each has some milliseconds of work.
nightsweep_gate_alone() {
  # shellcheck disable=SC2016 # the node itself counts its processors
  nightsweep_gate_on 15 "${nightsweep_gate_nodes[$1]}" 1 bash -c '
    cpus=$(nproc) side=1024
    ((cpus <= 8)) || side=2048
    ((cpus <= 64)) || side=4096
    exec "$@" --m "$side" --n "$side" --k "$side"' \
    product "$nightsweep_gate_program" "${nightsweep_gate_product[@]}" --no-limits --out "$nightsweep_gate_out/gemm.$1.json"
  nightsweep_gate_on 10 "${nightsweep_gate_nodes[$1]}" 1 "$nightsweep_gate_program" "${nightsweep_gate_copy[@]}" \
    --no-limits --out "$nightsweep_gate_out/copy.$1.json"
}

nightsweep_gate_between() {
  nightsweep_gate_on 10 "${nightsweep_gate_nodes[$1]},${nightsweep_gate_nodes[$2]}" 2 "$nightsweep_gate_program" \
    "${nightsweep_gate_sum[@]}" --no-limits --out "$nightsweep_gate_out/pair.$1.json"
}

for ((i = 0; i < nightsweep_gate_count; i++)); do
  nightsweep_gate_alone "$i" &
  (((i + 1) % nightsweep_gate_at_once)) || wait
done
wait
# Each node is in one pair at a time.
for first in 0 1; do
  for ((i = first; i + 1 < nightsweep_gate_count; i += 2)); do
    nightsweep_gate_between "$i" $((i + 1)) &
    ((nightsweep_gate_at_once > 1)) || wait
  done
  wait
done
if ((nightsweep_gate_count > 2)); then
  # The last node and the first are a pair too.
  nightsweep_gate_between $((nightsweep_gate_count - 1)) 0
  nightsweep_gate_on 10 "$(IFS=,; echo "${nightsweep_gate_nodes[*]}")" "$nightsweep_gate_count" \
    "$nightsweep_gate_program" "${nightsweep_gate_sum[@]}" --no-limits --out "$nightsweep_gate_out/ring.json"
fi
true

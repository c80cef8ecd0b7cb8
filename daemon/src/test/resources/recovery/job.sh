#!/bin/bash
# A training job in MaxText's words that fails as it is told. FAULT names how; COUNTS keeps how often a profile ran.
set -u
counter=$COUNTS/${PROFILE:?}
runs=$(($(cat "$counter" 2>/dev/null || echo 0) + 1))
echo "$runs" >"$counter"
read -r fault times <<<"${FAULT:-none 0}"

printenv | sort | sed 's/^/0: /'
# As in every good run: these say nothing.
echo '0: failed call to cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)'
echo '0: NCCL WARN MSCCL++: Feature not enabled. ENABLE_MSCCLPP must be defined at compile-time'

unknown=()
for flag in ${XLA_FLAGS:-}; do
  [[ $flag != --xla_obsolete_* ]] || unknown+=("$flag")
done
if ((${#unknown[@]})); then
  echo "0: F1121 22:10:11.000000 4242 parse_flags_from_env.cc:234] Unknown flag(s) in XLA_FLAGS: ${unknown[*]}"
  kill -ABRT $$
fi

# is FAULT: whether this run is to fail so; without a number every run is.
is() { [[ $fault == "$1" ]] && { [[ -z ${times:-} || $times == 0 ]] || ((runs <= times)); }; }

step() {
  echo "0: completed step: $1, seconds: ${STEP:-0.020}, TFLOP/s/device: 400.000, MFU: 30.00%, Tokens/s/device: $((${SPEED:-1000} + RANDOM % 4)).000, total_weights: 65536, loss: ${2:-11.5}"
}

is checkout-5xx && {
  echo 'remote: Internal Server Error'
  echo "fatal: unable to access 'https://github.com/example/maxtext.git/': The requested URL returned error: 500"
  exit 128
}
is image-missing && { echo '[ERROR] Unable to determine image name or ID from docker load'; exit 1; }
is model-config && { echo '!!! Unknown model: nothing-7b'; exit 1; }
# What a candidate's own failure looks like on all of its nodes; the summary is the launcher's.
nodes() { mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST") && srun --overlap -l --nodes="${#hosts[@]}" --ntasks="${#hosts[@]}" --ntasks-per-node=1 bash -c "$1"; }
ends() {
  for host in "${hosts[@]}"; do echo "NODE_EXIT host=$host exit=$1"; done
  echo "Status: FAILED (exit $1)"
  exit "$1"
}
is compiler-crash && {
  nodes '
    echo "F0601 03:12:22.100000 140 gpu_compiler.cc:1234] Check failed: module->has_schedule()"
    echo "*** Check failure stack trace: ***"
    kill -ABRT $$'
  ends 134
}
is rank-error && {
  nodes '
    if ((SLURM_PROCID)); then
      echo "E0601 03:13:22.100000 141 coordination_service_agent.cc:712] Polled an error: the task stopped sending heartbeats"
      echo "The tasks have crashed. Check the task logs for an earlier error"
      exit 1
    fi
    sleep 2
    echo "Traceback (most recent call last):"
    echo "  File \"train.py\", line 12, in <module>"
    echo "ValueError: One of with_sharding_constraint arguments was given a sharding that does not divide it"
    exit 1'
  ends 1
}
is nic-information && {
  nodes '
    echo "$(hostname):140:200 [0] NCCL INFO NET/IB : No device found."
    echo "Traceback (most recent call last):"
    echo "  File \"train.py\", line 12, in <module>"
    echo "TypeError: unsupported operand type(s) for +: '"'int' and 'str'"'"
    exit 1'
  ends 1
}
echo '0: NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>'
echo '0: NCCL INFO comm 0x55d0 rank 0 nranks 2 cudaDev 0 - Init START'
if is rccl-init-flake; then
  echo '0: NCCL WARN init.cc:2048 bootstrap not ready'
  sleep 600
fi
echo '0: NCCL INFO comm 0x55d0 rank 0 nranks 2 cudaDev 0 - Init COMPLETE'
if is coordination-timeout; then
  echo '0: jax.errors.JaxRuntimeError: DEADLINE_EXCEEDED: GetKeyValue() timed out with key: cuda:global_topology/cuda/0 and duration: 5m'
  exit 1
fi
is hang-before-memstats && sleep 600
echo '0: Memstats: After params initialized:'
echo '0: 	Using (GB) 12.1 / 191.98 (6.3%) on ROCM_0(process=0)'
is oom-gpu && {
  echo '0: Total memory size: 201.3 GB, Output size: 60.1 GB, Temp size: 140.0 GB, Argument size: 60.1 GB, Host temp size: 0.0 GB.'
  echo '0: jaxlib._jax.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 38.50GiB.'
  exit 1
}
if is oom-host; then
  srun --overlap --ntasks=1 --nodes=1 --mem=48M perl -e 'my $x = "a" x (400*1024*1024); sleep 20; print length $x' || exit 137
fi
echo '0: Total memory size: 61.3 GB, Output size: 20.1 GB, Temp size: 40.0 GB, Argument size: 20.1 GB, Host temp size: 0.0 GB.'
is hang-before-step0 && sleep 600
if is gpu-fault; then
  echo '0: :0:rocdevice.cpp            :2992: 1234567890 us:  Callback: Queue 0x7f aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code: 0x1016'
  exit 134
fi
# The first collective never comes to an end.
if is nic-fault-hang; then
  echo '0: ionic_comp_msn cqe with error, status 12'
  sleep 600
fi
if is nic-fault; then
  echo '0: ionic_comp_msn cqe with error, status 12'
  exit 1
fi
# Never silent for long, and never done in time.
is time-limit && STEP=8
for ((i = 0; i < 15; i++)); do
  ((i == ${HANG_AT:-3})) && is hang-after-step0 && sleep 600
  if ((i == 3)); then
    is slow && sleep "${SECONDS_SLOW:-20}"
    is crash && { echo '0: something nobody has seen before'; exit 9; }
  fi
  if is nan-loss && ((i >= 3)); then step "$i" nan; else step "$i"; fi
  sleep "${STEP:-0.02}"
done
is exit143 && { echo '0: NODE_EXIT host=n1 exit=143'; exit 143; }
echo 'Status: SUCCESS (exit 0)'

#!/bin/bash
# Runs on each node of a job beside its payload. Writes figures of the node that need no privileges, one line per sample:
# at the start, soon after, then twice a minute, and at the end of the standard input. The first line names the node.
# usage: watch.sh DIRECTORY
export LC_ALL=C
cpus=$(nproc --all)
file=$1/watch.${SLURM_NODEID:-0}

# add NAME FILE...: adds the sum of the counters, if there are any.
add() {
  local name=$1 one value sum=
  shift
  for one; do
    [[ -r $one ]] && read -r value 2>/dev/null <"$one" && [[ $value =~ ^[0-9]+$ ]] && sum=$((${sum:-0} + value))
  done
  [[ -z $sum ]] || line+=" $name=$sum"
}

# The time for which CPU limits held this job back, including those of parent groups. cgroup v2 counts microseconds, v1 nanoseconds.
throttled() {
  local id controllers path root key value sum=
  while IFS=: read -r id controllers path; do
    case $id:$controllers in
      0:) root=/sys/fs/cgroup ;;
      *:cpu | *:cpu,* | *:*,cpu | *:*,cpu,*) root=/sys/fs/cgroup/$controllers ;;
      *) continue ;;
    esac
    while :; do
      if [[ -r $root$path/cpu.stat ]]; then
        while read -r key value; do
          case $key in
            throttled_usec) sum=$((${sum:-0} + value)) ;;
            throttled_time) sum=$((${sum:-0} + value / 1000)) ;;
          esac
        done <"$root$path/cpu.stat"
      fi
      [[ -n $path && $path != / ]] || break
      path=${path%/*}
    done
  done </proc/self/cgroup
  [[ -z $sum ]] || line+=" throttledMicroseconds=$sum"
}

processors() {
  local name user nice system idle wait irq soft steal rest load
  read -r name user nice system idle wait irq soft steal rest </proc/stat
  line+=" ticks=$((user + nice + system + idle + wait + irq + soft + steal)) stolenTicks=$steal"
  read -r load rest </proc/loadavg
  line+=" load=$load"
}

memory() {
  local key value unit
  while read -r key value unit; do
    case $key in
      MemTotal:) line+=" memoryKilobytes=$value" ;;
      MemAvailable:) line+=" availableKilobytes=$value" ;;
    esac
  done </proc/meminfo
}

links() {
  local names values i
  add linkErrors /sys/class/infiniband/*/ports/*/counters/{symbol_error,link_error_recovery,link_downed,port_rcv_errors,local_link_integrity_errors}
  add packetsAgain /sys/class/infiniband/*/ports/*/hw_counters/{out_of_sequence,packet_seq_err,local_ack_timeout_err,rnr_nak_retry_err,retransmitted_packets}
  while read -ra names && read -ra values; do
    [[ ${names[0]} == Tcp: ]] || continue
    for i in "${!names[@]}"; do
      [[ ${names[i]} != RetransSegs ]] || line+=" segmentsAgain=${values[i]}"
    done
  done </proc/net/snmp
}

# The slowest clock and the hottest sensor, from files of AMD's driver and a command of NVIDIA's.
gpus() {
  local one value clock= heat= clocks=()
  for one in /sys/class/drm/card*/device/hwmon/hwmon*/freq1_input; do
    [[ -r $one ]] && read -r value 2>/dev/null <"$one" && [[ $value =~ ^[0-9]+$ ]] && clocks+=("$((value / 1000000)) 0")
  done
  for one in /sys/class/drm/card*/device/hwmon/hwmon*/temp[12]_input; do
    [[ -r $one ]] && read -r value 2>/dev/null <"$one" && [[ $value =~ ^[0-9]+$ ]] && clocks+=("0 $((value / 1000))")
  done
  if command -v nvidia-smi >/dev/null; then
    while IFS=', ' read -r clock heat value; do
      [[ $clock$heat =~ ^[0-9]+$ ]] && clocks+=("$clock $heat")
    done < <(timeout 5 nvidia-smi --query-gpu=clocks.sm,temperature.gpu --format=csv,noheader,nounits 2>/dev/null)
  fi
  clock=0 heat=0
  for one in "${clocks[@]}"; do
    value=${one% *}
    ((value == 0 || (clock > 0 && clock <= value))) || clock=$value
    ((heat >= ${one#* })) || heat=${one#* }
  done
  ((!clock)) || line+=" gpuMegahertz=$clock"
  ((!heat)) || line+=" gpuCelsius=$heat"
}

sample() {
  line="at=${EPOCHREALTIME:-$(date +%s.%N)}"
  throttled
  processors
  memory
  links
  add heatEvents /sys/devices/system/cpu/cpu*/thermal_throttle/{core,package}_throttle_count
  gpus
  printf '%s\n' "$line" >>"$file"
}

printf 'node=%s cpus=%s\n' "${SLURMD_NODENAME:-$(hostname -s)}" "$cpus" >"$file"
sample
pause=2
while :; do
  read -r -t "$pause" || (($? > 128)) || break
  sample
  ((pause = pause < 16 ? 2 * pause : 30))
done
sample

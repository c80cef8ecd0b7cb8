#!/usr/bin/env bash
# Prints the real launcher's preflight messages for a node, and changes nothing on it.
host=$(hostname -s)
echo "=== Pre-flight GPU cleanup ==="
echo "No GPU processes found - GPUs are free"
echo "--- GPU status after cleanup ---"
free=$(df -BG --output=avail / | tail -n 1 | tr -d ' ')
echo "$host | disk free: $free -> $free (cleanup)"
numa=$(cat /proc/sys/kernel/numa_balancing 2>/dev/null || echo N/A)
echo "$host | numa_balancing: before=$numa after=$numa"
semaphores=$(find /dev/shm -maxdepth 1 -name 'sem.*' | wc -l)
echo "$host | semaphores: before=$semaphores after=$semaphores deleted=0"
pages=/sys/kernel/mm/transparent_hugepage
setting="enabled: $(cat $pages/enabled 2>/dev/null) | defrag: $(cat $pages/defrag 2>/dev/null)"
echo "$host | THP before | $setting"
echo "$host | THP after  | $setting"
if ((${NNODES:-1} <= 1)); then
  echo "$host | [NETWORK_CHECKS] skipped (single-node job)"
else
  echo "$host | [CHECK_IPV6_RULES] skipped (IPv4 cluster)"
  echo "$host | [CHECK_DCQCN] skipped (nicctl not available or no output)"
fi

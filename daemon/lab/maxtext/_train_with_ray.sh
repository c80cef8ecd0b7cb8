#!/usr/bin/env bash
# A job's output under Ray. There is no Ray here: ray_actor.py prints and stores the training's lines as Ray does.
set -e
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ ${NODE_RANK:-0} == 0 ]]; then
  echo "[Ray] Starting HEAD on $(hostname):$RAY_PORT (bind=$JAX_COORDINATOR_IP)"
else
  echo "[Ray] Starting WORKER -> $JAX_COORDINATOR_IP:$RAY_PORT (bind=$JAX_COORDINATOR_IP)"
fi
trap '[[ ${NODE_RANK:-0} != 0 ]] || echo "[Ray] Cleaning up..."' EXIT
export USE_RAY=true
bash "$here/_train.sh" "$@"

#!/usr/bin/env bash
# The real launcher's output for a node without AMD's tools.
echo "$(hostname -s): rocm-smi not found"

#!/usr/bin/env bash
# What the real launcher says of a node without AMD's tools.
echo "$(hostname -s): rocm-smi not found"

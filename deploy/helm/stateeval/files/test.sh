#!/bin/sh
# Builds a small benchmark and evaluates its reference code: exits with 0 if every case passes.
set -eu
folder=$(mktemp -d)
stateeval() { node "${STATEEVAL_CLI:-/app/apps/cli/src/main.ts}" "$@"; }
stateeval build --scenario session-service --programs 12 --keep 6 --seed 1 --out "$folder/benchmark"
stateeval evaluate --benchmark "$folder/benchmark" --model reference --gate 100%

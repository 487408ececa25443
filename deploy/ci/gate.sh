#!/bin/sh
# Evaluates a model on a benchmark and checks the gate. The environment contains the settings (docs/pipelines.md).
# Writes stateeval.json, stateeval.md and stateeval.xml to STATEEVAL_OUT and prints the summary.
# Exits with 0 if the gate passed, 1 if it failed, 2 if there is no report.
set -eu
need() {
  echo "$1 is not set: $2" >&2
  exit 2
}
[ -n "${STATEEVAL_BENCHMARK:-}" ] ||
  need STATEEVAL_BENCHMARK 'name the id of a benchmark, or a folder that contains one.'
[ -n "${STATEEVAL_MODEL:-}" ] ||
  need STATEEVAL_MODEL 'name a model of the service (npx stateeval list models).'
out=${STATEEVAL_OUT:-.}
mkdir -p "$out" || exit 2
rm -f "$out/stateeval.json" "$out/stateeval.md" "$out/stateeval.xml" || exit 2

set -- evaluate --benchmark "$STATEEVAL_BENCHMARK" --model "$STATEEVAL_MODEL" \
  --json --markdown "$out/stateeval.md" --junit "$out/stateeval.xml"
[ -z "${STATEEVAL_GATE:-}" ] || set -- "$@" --gate "$STATEEVAL_GATE"
[ -z "${STATEEVAL_BASELINE:-}" ] || set -- "$@" --baseline "$STATEEVAL_BASELINE"
[ -z "${STATEEVAL_MAX_REGRESSION:-}" ] || set -- "$@" --max-regression "$STATEEVAL_MAX_REGRESSION"
[ "${STATEEVAL_SIGNIFICANT:-}" != true ] || set -- "$@" --significant
[ -z "${STATEEVAL_MAX_UNSCORED:-}" ] || set -- "$@" --max-unscored "$STATEEVAL_MAX_UNSCORED"
[ -z "${STATEEVAL_UNSCORED:-}" ] || set -- "$@" --unscored "$STATEEVAL_UNSCORED"
# Further options are split into words; a * in them is not expanded to file names.
set -f
# shellcheck disable=SC2086
set -- "$@" ${STATEEVAL_OPTIONS:-}

# Print progress regularly: some pipelines end a job that prints nothing for long.
export STATEEVAL_PROGRESS="${STATEEVAL_PROGRESS:-lines}"
status=0
node "$(dirname "$0")/../../apps/cli/bin/stateeval.js" "$@" >"$out/stateeval.json" || status=$?
[ ! -f "$out/stateeval.md" ] || cat "$out/stateeval.md"
exit "$status"

#!/usr/bin/env bash
# The command line alone, as a machine without Qt has it: make, measure, export.
set -euo pipefail
cli=$1
work=$(mktemp -d)
export RAILYARD_PRICE_BOOK="$work/none.csv"
trap 'rm -rf "$work"' EXIT
cd "$work"
! ldd "$cli" | grep -i qt
"$cli" new superpod-h100 -o a.railyard >/dev/null
"$cli" metrics a.railyard --json >metrics.json # no pipe: grep -q stops reading before the program has written all
grep -q '"switches": 48' metrics.json
"$cli" bom a.railyard -o a.xlsx
"$cli" export a.railyard --format csv -o flat
[ "$(wc -l <flat/links.csv)" -gt 2048 ]
echo "Totals: 5 passed, 0 failed, 0 skipped"

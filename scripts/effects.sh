#!/usr/bin/env bash
# Which law shows which effect, measured: effects.sh check | write.
# `check` measures every cell of tests/site/effects.csv again: verdicts must be the same, numbers agree to 3 %. The comparison
# page of the site shows this file, so that a change of a law which falsifies a cell is seen here.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build} table=tests/site/effects.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

differ() { # a table, another: prints the cells that differ
  awk -F, '
    function size(x) { return x < 0 ? -x : x }
    NR == FNR { for (i = 1; i <= NF; i++) cell[FNR, i] = $i; lines = FNR; next }
    FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; columns = NF }
    { for (i = 1; i <= NF; i++) {
        if ($i == cell[FNR, i]) continue
        split($i, a, " "); split(cell[FNR, i], b, " ")
        if (FNR > 1 && i > 1 && a[1] == b[1] && size(a[2] - b[2]) <= 0.03 * size(a[2]) + 1e-8) continue
        print $1 ", " name[i] ": the table says \"" cell[FNR, i] "\", measured \"" $i "\"" } }
    END { if (FNR != lines) print "the table has " lines " lines, measured " FNR }' "$1" "$2"
}

"$build/law-atlas" effects >"$work/measured"
[ "${1:-check}" != write ] || { cp "$work/measured" "$table"; exit 0; }
wrong=$(differ "$table" "$work/measured")
[ -z "$wrong" ] || { echo "$wrong"; echo "scripts/effects.sh write takes over what was measured"; exit 1; }
# and a cell that is wrong is seen
sed '0,/,yes /s//,no /' "$table" >"$work/false"
[ "$(differ "$work/false" "$work/measured" | wc -l)" = 1 ] || { echo "a false cell is not seen"; exit 1; }
echo "$(($(wc -l <"$table") - 1)) laws and variants, $(head -n 1 "$table" | tr ',' '\n' | tail -n +2 | wc -l) effects"

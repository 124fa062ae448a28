# The pages of identification and its neighbours, in a browser: a part of test-identify.sh, which made the records.
pages() {
  local loads=('50 N=examples/loads/50.yaml' '100 N=examples/loads/100.yaml' '200 N=examples/loads/200.yaml')
  "$tool" identify "$good" --validate "$work/gap.csv" --model coulomb,lugre --profile sigma0 -o "$work/carded.yaml" --report "$work/identify.html" &&
    "$tool" identify "$work/rotary.csv" --model stribeck,dahl --report "$work/rotary.html" &&
    "$tool" identify --rig examples/servo/servo.yaml --candidates 20 --report "$work/servo.html" &&
    "$tool" compare "$work/fitted.yaml" dahl --data "$good" --report "$work/compare.html" &&
    "$tool" plan lugre --data "$work/one_way.csv" --report "$work/plan.html" &&
    "$tool" loads "${loads[@]}" --report "$work/loads.html"
}
many() { # forty records, one section
  local k
  for k in $(seq 40); do
    awk -F, -v OFS=, -v k="$k" 'NR == 1 {print; next} NR % 2 == 0 {$4 += 0.2 * sin(k + NR * NR); print}' "$good" >"$work/many$k.csv"
  done
  "$tool" identify "$work"/many?.csv "$work"/many??.csv --model coulomb --report "$work/many.html" --trust --json >"$work/many.json"
}
if command -v node >/dev/null && command -v chromium >/dev/null && [ -e node_modules/playwright-core ]; then
  check "all pages are written" pages >/dev/null
  for page in insist identify rotary servo compare plan loads; do
    check "$page.html in a browser" node tests/report/plain.mjs "$work/$page.html"
  done
  check "the card names the model file" grep -q "bristle simulate $work/carded.yaml</code> shows how" "$work/identify.html"
  check "a page of forty records" many
  check "its title counts them" grep -q '<title>Friction of many1.csv and 39 more</title>' "$work/many.html"
  "$tool" identify "$good" --validate "$work/gap.csv" --model coulomb,lugre --profile sigma0 --json >"$work/identify.json"
  for page in many identify; do
    check "$page.html beside its JSON" node tests/report/identify.mjs "$work/$page.html" "$work/$page.json"
  done
else
  skipped=$((skipped + 1)); echo "SKIP install nodejs and chromium, and npm ci"
fi

#!/usr/bin/env bats
# tare export: what is written and read back is unchanged.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	python3 - >data.csv <<-'PY'
	import random
	random.seed(4)
	print("subject,run,iteration,value,unit")
	for s in ("alpha", "beta"):
	    for r in range(5):
	        for i in range(4):
	            print(f"{s},{r},{i},{random.gauss(1, 0.01)},s")
	PY
	"$TARE" analyze --json data.json data.csv >/dev/null
}

values() { # FILE: subject and flattened samples, to 12 digits
	"$TARE" analyze --json - "$1" | python3 -c '
import json, sys
for s in json.load(sys.stdin)["subjects"]:
    m = next(iter(s["metrics"].values()))
    print(s["name"], m["unit"], " ".join(f"{v:.12g}" for run in m["samples"] for v in run))'
}

@test "formats that hold every sample give it back" {
	for format in json csv jmh pyperf gbench hyperfine go; do
		run "$TARE" export data.json --format "$format" -o "out.$format"
		[ "$status" -eq 0 ]
		[ "$(values "out.$format" | cut -d' ' -f3-)" = "$(values data.json | cut -d' ' -f3-)" ] || { echo "$format" >&2; false; }
	done
}

@test "levels survive where the format has them" {
	for format in json csv jmh pyperf; do
		"$TARE" export data.json --format "$format" -o "out.$format"
		"$TARE" analyze --json - "out.$format" | python3 -c '
import json, sys
m = next(iter(json.load(sys.stdin)["subjects"][0]["metrics"].values()))
assert [len(run) for run in m["samples"]] == [4] * 5, m["samples"]'
	done
}

@test "formats that hold one number say so" {
	for format in bmf gha; do
		run "$TARE" export data.json --format "$format" -o "out.$format"
		[ "$status" -eq 0 ]
		[[ "$output" == *"samples are not kept"* ]]
	done
}

@test "metrics that a format has no place for are named in one note" {
	"$TARE" run -q --no-save -r 10 --json times.json true true >/dev/null
	run "$TARE" export times.json --format pyperf -o out
	[ "$status" -eq 0 ]
	[ "$(grep -c 'no place for' <<<"$output")" -eq 1 ]
	[[ "$output" == *"this format has no place for: cpu, "*"rss"* ]]
}

@test "bad use" {
	run "$TARE" export data.json
	[ "$status" -eq 2 ]
	run "$TARE" export data.json --format nonsense
	[ "$status" -eq 2 ]
	run "$TARE" export missing.json --format csv
	[ "$status" -eq 1 ]
}

judged() { # FILE: how each comparison of it is judged
	"$TARE" analyze --json - "$1" | python3 -c '
import json, sys
for c in json.load(sys.stdin)["comparisons"]:
    print([c[k] for k in ("base", "new", "metric", "ratio", "ci", "total", "verdict", "decided_by", "margin", "pairs", "units", "block", "design")])'
}

# The names ask for another order, and the metric for another one than the first.
@test "a table of tare run is judged as its document" {
	"$TARE" run --quiet --max-time 4s --metric cpu --margin 3% -n B -n A -n C --json doc --csv table.csv 'seq 30000' 'seq 60000' 'seq 30000' >out
	judged doc >expected
	[ "$(wc -l <expected)" -eq 2 ]
	[ "$(judged table.csv)" = "$(cat expected)" ]
	grep -q "'cpu'" expected
	"$TARE" analyze table.csv >text
	grep -q 'judged by cpu' text
	run -1 grep -E 'every value was lost|times are 0' text
	sed '2s/metric=cpu/cpu/' table.csv >bad.csv
	run -1 "$TARE" analyze bad.csv
	[[ "$output" == *'bad.csv:2'*'does not say how tare judged'* ]]
}

# The first comparison of several has an interval of more than the level that was asked for, and one look has units of its own.
@test "a document of three commands is judged again as it was" {
	"$TARE" run --quiet -r 40 -n B -n A -n C --json doc 'seq 30000' 'seq 300000' 'seq 30000' >/dev/null
	"$TARE" analyze --json again doc >/dev/null
	python3 - <<-'PY'
	import json
	first, again = (json.load(open(name))["comparisons"] for name in ("doc", "again"))
	for a, b in zip(first, again, strict=True):
	    assert a["ci"] == b["ci"] and a["units"] == b["units"] and a["verdict"] == b["verdict"], (a["ci"], b["ci"])
	PY
}

@test "notes of many benchmarks are told once, not once for each" {
	printf 'benchmark,iteration,value\n' >many.csv
	for b in $(seq 20); do for i in 1 2 3; do echo "b$b,$i,1.$i"; done; done >>many.csv
	"$TARE" analyze many.csv --json many.json >out 2>&1
	run --separate-stderr "$TARE" export many.json --format csv -o out.csv
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$stderr")" -le 8 ]
}

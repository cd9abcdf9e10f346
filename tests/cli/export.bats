#!/usr/bin/env bats
# tare export: what is written and read back is unchanged.

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

@test "bad use" {
	run "$TARE" export data.json
	[ "$status" -eq 2 ]
	run "$TARE" export data.json --format nonsense
	[ "$status" -eq 2 ]
	run "$TARE" export missing.json --format csv
	[ "$status" -eq 1 ]
}

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

# No format but hyperfine's, JMH's and csv has a place for parameters: they are in the name, once.
@test "what was exported is compared with its source, also with parameters" {
	"$TARE" run --quiet -r 3 -P n 1 2 --json doc.json 'seq {n}000' >/dev/null
	printf 'subject,parameter:n,wall_s\nF,1,1\nF,1,1.5\nF,2,2\nF,2,2.5\n' >table.csv
	printf 'subject,wall_s\nat-4,1\nat-4,1.5\nx,2\nx,2.5\n' >cpus.csv
	for format in gbench go pyperf bmf gha jmh hyperfine csv; do
		for source in doc.json table.csv cpus.csv; do
			"$TARE" export "$source" --format $format -o $format 2>notes
			"$TARE" compare --json both.json "$source" $format >/dev/null 2>&1
			python3 -c 'import json, sys; d = json.load(open("both.json")); sys.exit(len(d["comparisons"]) != 2)'
		done
		if [ $format != go ]; then run -1 grep 'n=1' <("$TARE" export doc.json --format $format 2>/dev/null); fi
	done
}

# A failed run whose time -i kept has no place of its own in these formats; bmf and gha have none at all, which is said.
@test "what failed is no proof in another format either" {
	"$TARE" run -i --quiet -r 6 --json doc.json -S default 'echo >>n; exit $(($(wc -l <n) % 2))' >/dev/null || true
	for format in hyperfine gbench jmh go pyperf csv; do
		"$TARE" export doc.json --format $format -o $format 2>notes
		run "$TARE" compare --gate 50% $format $format
		[ "$status" -eq 5 ] || { echo "$format $output" >&2; false; }
		"$TARE" export $format --format $format -o again 2>notes
		run "$TARE" compare --gate 50% again again
		[ "$status" -eq 5 ]
	done
	for format in bmf gha; do
		"$TARE" export doc.json --format $format -o $format 2>notes
		grep -q 'this format has no place for failed runs' notes
	done
}

# Nothing failed: forks of different lengths, invocations, levels without a run.
@test "JMH's forks have all values and no failures, whatever the levels" {
	printf '%s\n' subject,run,iteration,wall_s F,1,1,1 F,2,1,2 F,2,2,3 F,3,1,4 F,3,2,5 F,3,3,6 F,3,4,7 >ragged.csv
	printf '%s\n' subject,run,iteration,invocation,wall_s F,1,1,1,1 F,1,1,2,2 F,1,2,1,3 F,1,2,2,4 F,2,1,1,5 F,2,1,2,6 F,2,2,1,7 >deep.csv
	"$TARE" analyze --json runs.json ragged.csv >/dev/null
	for levels in '"iteration", "invocation"' '"build", "run"' '"machine", "build"'; do
		sed "s/\"levels\": \[\"run\",\"iteration\"\]/\"levels\": [$levels]/" runs.json >"$levels.json"
		grep -q "\"levels\": \[$levels\]" "$levels.json"
	done
	for source in ragged.csv deep.csv *'".json'; do
		"$TARE" export "$source" --format jmh -o jmh
		"$TARE" analyze --json - jmh | python3 -c '
import json, sys
def flat(x): return [v for y in x for v in flat(y)] if isinstance(x, list) else [x]
s, = json.load(sys.stdin)["subjects"]
assert flat(s["metrics"]["wall"]["samples"]) == [1, 2, 3, 4, 5, 6, 7] and s["failures"] == [], s'
	done
}

@test "notes of many benchmarks are told once, not once for each" {
	printf 'benchmark,iteration,value\n' >many.csv
	for b in $(seq 20); do for i in 1 2 3; do echo "b$b,$i,1.$i"; done; done >>many.csv
	"$TARE" analyze many.csv --json many.json >out 2>&1
	run --separate-stderr "$TARE" export many.json --format csv -o out.csv
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$stderr")" -le 8 ]
}

#!/usr/bin/env bats
# tare analyze, as a user types it.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# 30 values around 10, made by rule.
numbers() {
	awk 'BEGIN { for (i = 0; i < 30; i++) print 10 + (i * 7919 % 1013) / 1013 }'
}

@test "--version, --help and help COMMAND" {
	run "$TARE" --version
	[ "$status" -eq 0 ]
	[[ "$output" == "tare "* ]]
	run "$TARE" --help
	[ "$status" -eq 0 ]
	[[ "$output" == *analyze* ]]
	run "$TARE" help analyze
	[ "$status" -eq 0 ]
	[[ "$output" == *"usage: tare analyze"* ]]
	[ "$(printf '%s\n' "$output" | wc -L)" -le 80 ]
	run "$TARE" nonsense
	[ "$status" -eq 2 ]
}

@test "plain numbers from standard input" {
	run bash -c "$(declare -f numbers); numbers | '$TARE' analyze"
	[ "$status" -eq 0 ]
	[[ "$output" == *"mean "* ]]
	[[ "$output" == *"t over 30 runs"* ]]
	[[ "$output" == *"may have been missed"* ]]
}

@test "the JSON document has the estimate of R's t.test" {
	# R 4.2.2: t.test(c(9.1,10.2,9.7,10.1,9.9,10.4,9.6,10.0,9.8,10.3))
	printf '%s\n' 9.1 10.2 9.7 10.1 9.9 10.4 9.6 10.0 9.8 10.3 >x
	"$TARE" analyze --json doc x >text
	python3 - <<-'PY'
	import json
	d = json.load(open("doc"))
	m = d["subjects"][0]["metrics"]["value"]
	assert d["schema"] == "tare/1"
	assert abs(m["mean"] - 9.91) < 1e-12
	assert abs(m["ci"]["low"] - 9.635106791769649) < 1e-9, m["ci"]
	assert abs(m["ci"]["high"] - 10.184893208230351) < 1e-9
	assert m["samples"] == [[9.1], [10.2], [9.7], [10.1], [9.9], [10.4], [9.6], [10.0], [9.8], [10.3]]
	PY
	run "$TARE" analyze --json - x
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "{" ]]
}

@test "two columns are two subjects and are compared" {
	numbers | awk '{ print $1, $1 * 1.2 }' >xy
	run "$TARE" analyze xy
	[ "$status" -eq 0 ]
	[[ "$output" == *"20"*"% slower than"* ]]
}

@test "a document that nobody has looked at yet has no warm-up of its own, nor has one beside other runs" {
	skip() { python3 -c 'import json, sys; print([m["steady"]["skip"] for m in json.load(open(sys.argv[1]))["subjects"][0]["metrics"].values()])' "$1"; }
	awk 'BEGIN { srand(3); print "subject,run,iteration,value"; for (r = 1; r <= 6; r++) for (i = 1; i <= 60; i++) print "x," r "," i "," (i < 13 ? 20 - i / 2 : 10) + rand() / 10 }' >raw.csv
	"$TARE" analyze raw.csv --json doc >/dev/null
	[[ "$(skip doc)" != "[0]" ]]
	"$TARE" export raw.csv --format json -o raw.json 2>/dev/null
	[[ "$(skip raw.json)" = "[0]" ]]
	"$TARE" analyze raw.json --json again >/dev/null
	[ "$(skip again)" = "$(skip doc)" ]
	"$TARE" analyze raw.csv raw.json --json both >/dev/null
	[[ "$(skip both)" != "[0]" ]]
}

@test "a document's comparisons are found anew, once, by what decided there and as it was looked at" {
	"$TARE" run -q --no-save -n A -n B --metric net --max-time 3s --json r.json 'sleep 0.001' 'sleep 0.02' >/dev/null
	"$TARE" analyze r.json --json again.json >/dev/null
	"$TARE" analyze again.json --json thrice.json >/dev/null
	python3 - <<'END'
import json
first, again, thrice = (json.load(open(name + ".json"))["comparisons"] for name in ("r", "again", "thrice"))
assert len(first) == len(again) == len(thrice) == 1
for one in (again[0], thrice[0]):
    for key in ("base", "new", "metric", "ratio", "ci", "verdict"):
        assert one[key] == first[0][key], (key, first[0][key], one[key])
END
	"$TARE" analyze r.json --reference B --json turned.json >/dev/null
	python3 -c 'import json; c = json.load(open("turned.json"))["comparisons"]; assert [(x["base"], x["new"]) for x in c] == [("B", "A")], c'
}

@test "several comparisons in a document are judged anew at the level asked for, not at the one of their selection" {
	printf 'a,b,c\n' >three.csv
	for i in {10..29}; do echo "1.$i,1.$((i * 7 % 20 + 11)),1.$((i * 9 % 20 + 12))"; done >>three.csv
	"$TARE" analyze three.csv --confidence 95 --json one.json >/dev/null
	"$TARE" analyze one.json --json two.json >/dev/null
	"$TARE" analyze two.json --json three.json >/dev/null
	python3 - <<'END'
import json
first, *others = (json.load(open(name + ".json")) for name in ("one", "two", "three"))
assert [c["ci"]["level"] for c in first["comparisons"]] == [0.975, 0.975], first["comparisons"]
for other in others:
    for a, b in zip(first["comparisons"], other["comparisons"], strict=True):
        assert a["ci"] == b["ci"] and a["verdict"] == b["verdict"], (a["ci"], b["ci"])
END
}

@test "what was gone on with stays as wide as its looks ask for" {
	"$TARE" run -q --no-save --metric cpu -r 60 --json a.json "true" "sh -c :" >/dev/null
	"$TARE" run -q --no-save --metric cpu --append a.json -r 120 --json b.json "true" "sh -c :" >/dev/null
	"$TARE" analyze b.json --json again.json >/dev/null
	"$TARE" analyze b.json --confidence 90 --json less.json >/dev/null
	python3 - <<'END'
import json
measured, again, less = (json.load(open(name + ".json"))["comparisons"][0] for name in ("b", "again", "less"))
assert again["ci"] == measured["ci"], (measured["ci"], again["ci"])
assert less["ci"]["level"] == 0.9
END
}

@test "a report of some metrics compares by them" {
	"$TARE" run -q --no-save -n A -n B --metric net -r 10 --confidence 95 --json r.json 'sleep 0.001' 'sleep 0.02' >/dev/null
	"$TARE" report r.json --metric cpu --text >text
	! grep -q '99 %' text
	grep -q 'judged by cpu: asked for' text
	! grep -qE 'mean net|net:' text
	"$TARE" report r.json --metric cpu --junit >junit.xml
	grep -q 'classname="cpu"' junit.xml
	"$TARE" export r.json --metric cpu --format json >e.json
	python3 -c 'import json; assert json.load(open("e.json"))["comparisons"] == []'
}

@test "columns of numbers between blanks: all of them, or those that are asked for" {
	awk 'BEGIN { for (i = 0; i < 40; i++) print i, (i < 20 ? 5 : 9) + i % 3, 7 }' >bare
	(echo "step time_ms other" && cat bare) >named
	names() { "$TARE" analyze --json - "$@" | python3 -c 'import json, sys; print([(s["name"], s["metrics"]["value"]["min"]) for s in json.load(sys.stdin)["subjects"]])'; }
	[ "$(names --columns value=2 bare)" = "[('bare:2', 5)]" ]
	[ "$(names --columns value=3,value=2 bare)" = "[('bare:2', 5), ('bare:3', 7)]" ]
	[ "$(names --columns value=time_ms named)" = "[('time_ms', 0.005)]" ]
	"$TARE" analyze --subsessions --columns value=2 bare | grep -q '^bare:2'
	"$TARE" analyze --changes --columns value=2 bare | grep -q '^bare:2'
	tr ' ' , <bare >bare.csv
	"$TARE" analyze --changes --columns value=2 bare.csv | grep -q "not later than #20"
	XDG_DATA_HOME=$PWD/store "$TARE" run --progress none -r 12 true >/dev/null
	XDG_DATA_HOME=$PWD/store "$TARE" analyze --changes --metric wall @last | grep -q '^true .*12 results\|^only 12 results'
	for wrong in value=4 run=1,value=2 value=2,run=1 value=; do
		run "$TARE" analyze --columns $wrong bare
		[ "$status" -ne 0 ]
		[[ "$output" == *"column"* ]]
	done
}

@test "columns of different units are not compared" {
	{ echo latency_ms rate_MB/s; for i in $(seq 12); do echo "1$i 2$i"; done; } >columns
	run "$TARE" analyze columns
	[ "$status" -eq 0 ]
	[[ "$output" == *"rate_MB/s"* && "$output" != *slower* && "$output" != *faster* && "$output" != *worse* ]]
}

@test "runs that are alike: as many more as the interval that is shown asks for" {
	awk 'BEGIN { srand(5); for (i = 0; i < 40; i++) { a = 0.8 * a + rand() - 0.5; b = 0.8 * b + rand() - 0.5; print 100 + 4 * a, 100.2 + 4 * b } }' >drift
	run "$TARE" analyze drift
	[[ "$output" == *"consecutive runs are correlated"* ]]
	needed=$(sed -n 's/.*about \([0-9]*\) runs of each.*/\1/p' <<<"$output")
	[ "$needed" -gt 40 ]
}

@test "levels: the interval is over runs, and pooling is said to be too narrow" {
	python3 - >levels.csv <<-'PY'
	import random
	random.seed(1)
	print("subject,run,iteration,value")
	for r in range(12):
	    level = random.gauss(10, 1)
	    for i in range(10):
	        print(f"a,{r},{i},{random.gauss(level, 0.1)}")
	PY
	run "$TARE" analyze levels.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"t over 12 runs"* ]]
	[[ "$output" == *"ignoring runs would"* ]]
}

@test "pair keys make pairs, whatever the order of the rows" {
	python3 - >pairs.csv <<-'PY'
	import random
	random.seed(2)
	rows = []
	for i in range(300):
	    drift = random.lognormvariate(0, 0.3)
	    rows += [f"a,{i},{0.02 * drift * random.gauss(1, 0.002)}", f"b,{i},{0.0202 * drift * random.gauss(1, 0.002)}"]
	random.shuffle(rows)
	print("subject,pair,value", *rows, sep="\n")
	PY
	run "$TARE" analyze --unit s pairs.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"300 pairs"* ]]
	[[ "$output" == *slower* ]]
	[[ "$output" == *typical* ]]
	[[ "$output" == *"slow share"* ]]
}

@test "bad input: what, where, and exit code 1; no value at all: 5; bad options: 2" {
	: >empty
	run "$TARE" analyze empty
	[ "$status" -eq 5 ]
	[[ "$output" == *empty* ]]
	printf '1\n2\nthree\n' >words
	run "$TARE" analyze words
	[ "$status" -eq 1 ]
	[[ "$output" == *words:3* ]]
	run "$TARE" analyze /no/such/file
	[ "$status" -eq 1 ]
	run "$TARE" analyze --confidence 0.99 words
	[ "$status" -eq 2 ]
	[[ "$output" == *"99"* ]]
	run "$TARE" analyze --no-such-option words
	[ "$status" -eq 2 ]
	run "$TARE" analyze --method magic words
	[ "$status" -eq 2 ]
	run "$TARE" analyze --json /no/such/folder/x words
	[ "$status" -eq 1 ]
}

@test "one value, constant values" {
	echo 5 >one
	run "$TARE" analyze one
	[ "$status" -eq 0 ]
	[[ "$output" == *"value       5.000"* ]]
	[[ "$output" == *"does not show the spread"* ]]
	printf '3\n3\n3\n3\n3\n3\n3\n3\n3\n3\n3\n' >constant
	run "$TARE" analyze constant
	[ "$status" -eq 0 ]
	[[ "$output" == *"3.000"* ]]
}

@test "plots fit 80 columns, in Unicode and in ASCII" {
	numbers >x
	run "$TARE" analyze --plot x
	[ "$status" -eq 0 ]
	[ "$(printf '%s\n' "$output" | LC_ALL=C.UTF-8 wc -L)" -le 80 ]
	run "$TARE" analyze --plot --ascii x
	[ "$status" -eq 0 ]
	! printf '%s\n' "$output" | LC_ALL=C grep -q '[^ -~]'
}

@test "--plot: of many metrics the one that decides, -v all, --metric one" {
	echo 'metric,value' >many.csv
	for metric in wall_ms cpu_ms user_ms rss_kB faults; do
		for i in $(seq 20); do echo "$metric,$((100 + i * 7 % 13))"; done
	done >>many.csv
	"$TARE" analyze --plot many.csv >some
	"$TARE" analyze --plot -v many.csv >all
	[ "$(grep -c '^autocorrelation of ranks' some)" -eq 1 ]
	[ "$(grep -c '^autocorrelation of ranks' all)" -eq 5 ]
	grep -q 'other means' some
	grep -q -- '-v prints all metrics' some
}

@test "--skip: a number of iterations of every run, or a share of those that each has" {
	for i in $(seq 10); do echo "1,$i,$((i <= 5 ? 50 : 10))"; done >rows
	for i in $(seq 20); do echo "2,$i,$((i <= 10 ? 50 : 10))"; done >>rows
	sed '1i run,iteration,wall_ms' rows >halves.csv
	steady() { "$TARE" analyze --skip "$1" --json - halves.csv | python3 -c 'import json, sys; m = json.load(sys.stdin)["subjects"][0]["metrics"]["wall"]; print(m["steady"].get("skips"), m["steady"]["skip"], m["n"], round(m["mean"], 4))'; }
	[ "$(steady 50%)" = "[5, 10] 10 15 0.01" ]
	[ "$(steady 5)" = "None 5 20 0.0167" ]
	[ "$(steady 0%)" = "None 0 30 0.03" ]
	for wrong in -1 1.5 x 100% -5% %; do
		run "$TARE" analyze --skip="$wrong" halves.csv
		[ "$status" -eq 2 ]
	done
	run "$TARE" analyze --skip 20 halves.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"no run is longer than the 20 values to leave out"* ]]
}

@test "methods by name" {
	numbers >x
	for method in t bootstrap harmonic geometric; do
		run "$TARE" analyze --method "$method" x
		[ "$status" -eq 0 ]
		[[ "$output" == *"$method"* ]]
	done
	numbers | awk '{ print $1, $1 * 1.2 }' >xy
	for method in fieller bootstrap welch mann-whitney; do
		run "$TARE" analyze --method "$method" --json - xy
		[ "$status" -eq 0 ]
		[[ "$output" == *'"verdict": "slower"'* ]]
	done
	run "$TARE" analyze --method mann-whitney xy
	[[ "$output" == *"median "*"test "*"p "*"(mann-whitney)"* && "$output" != *"% -"* ]]
	# The ranks say which way, also where the medians are the same.
	awk 'BEGIN { print "base new"; for (i = 0; i < 20; i++) print (i < 11 ? 10 : 11), 10 }' >ties
	run "$TARE" analyze --method mann-whitney --json - ties
	[[ "$output" == *'"verdict": "faster"'* ]]
	numbers | awk '{ print $1, $1 * 1.0001 }' >alike
	run "$TARE" analyze --method mann-whitney alike
	[[ "$output" == *"cannot tell yet whether "*"median "*"(mann-whitney)"* && "$output" != *"% -"* ]]
	awk 'BEGIN { print "subject,run,pair,value" } { print "a," NR ",1," $1 "\nb," NR ",1," $1 * 1.2 }' x >runs.csv
	run "$TARE" analyze --method mann-whitney runs.csv
	[[ "$output" == *"b is 20.0 % slower than a"*"30 pairs"* ]]
	run "$TARE" analyze --method duet-paper xy
	[ "$status" -eq 0 ]
	[[ "$output" == *"duet-paper needs pairs, and the data has none"* ]]
	# One value of a run stands far apart: pulled in, or left as it is.
	for run in 1 2 3 4 5; do for i in 1 2 3 4; do echo "$run,$i,A,10"; echo "$run,$i,B,1$((run + i)).$([ $i = 4 ] && echo 0 || echo 1)"; done; done |
		sed -e '1i run,iteration,pair,wall_ms' -e 's/^3,4,B,.*/3,4,B,90/' >apart.csv
	ratio() { "$TARE" analyze --skip 0 --method "$1" apart.csv --json - | python3 -c 'import json, sys; print(json.load(sys.stdin)["comparisons"][0]["ratio"])'; }
	python3 -c "import sys; sys.exit(not float(sys.argv[2]) > 1.03 * float(sys.argv[1]))" "$(ratio duet-paper)" "$(ratio duet-paper-plain)"
	awk 'BEGIN { print "subject,run,pair,value" } { print "a,1," NR "," $1 "\nb,1," NR "," $1 * 1.2; print "a,2," NR "," $1 "\nb,2," NR "," $1 * 1.2 }' x >pairs.csv
	run "$TARE" analyze --method duet-paper pairs.csv
	[[ "$output" == *"20.0"*slower*"published results"* ]]
}

# Runs of 60 iterations, level 1 after a warm-up; numbers from a recurrence, the same everywhere.
series() {
	python3 - <<-'PY' >replay.csv
	print("subject,run,iteration,value")
	state = 1
	for subject in ("one", "two"):
	    for run in range(4):
	        for i in range(60):
	            state = state * 1103515245 + 12345 & 0x7fffffff
	            print(f"{subject},{run},{i},{(1 + 0.5 ** (i / 2)) * (1 + (state / 2**31 - 0.5) / 50):.6f}")
	print("single,0,0,1")
	PY
}

@test "--replay: a row for each rule, tables that fit, documents with the same numbers" {
	series
	run "$TARE" analyze --replay cv,rciw,kld@0.9,rciw+kld,auto@3% replay.csv
	[ "$status" -eq 0 ]
	[[ "$output" == "2 benchmarks; 1 without runs of at least 12 iterations left out"* ]]
	for rule in cv rciw kld@0.9 rciw+kld auto@3%; do
		[ "$(grep -c "^$rule " <<<"$output")" -eq 2 ]
	done
	! grep -E '^.{81}' <<<"$output"
	"$TARE" analyze --replay cv,auto@3% --json r.json --csv r.csv --markdown r.md replay.csv
	python3 - <<-'PY'
	import csv, json
	d = json.load(open("r.json"))
	assert d["schema"] == "tare/1"
	rows = {r["rule"]: r for r in csv.DictReader(open("r.csv"))}
	for rule in d["replay"]["rules"]:
	    row = rows[rule["rule"]]
	    assert abs(float(row["saved"]) - rule["saved"]) < 1e-9
	    assert [b["name"] for b in rule["benchmarks"]] == ["one", "two"]
	    cost, full = (sum(b[k] for b in rule["benchmarks"]) for k in ("cost", "full_cost"))
	    assert full == 2 * 4 * 60 and abs(1 - cost / full - rule["saved"]) < 1e-12
	    assert rule["change"]["mean"] < 0.05 and rule["runs"] >= 2
	assert float(rows["auto@3%"]["stable"]) == 1
	PY
	grep -q '^| *rule' r.md
}

@test "--replay: what a wrong rule gets told" {
	series
	run "$TARE" analyze --replay cv,nope replay.csv
	[ "$status" -eq 2 ]
	[[ "$output" == *"'nope' is not a stop rule"*"choose cv, rciw or kld"* ]]
	run "$TARE" analyze --replay cv@7 replay.csv
	[ "$status" -eq 2 ]
	run "$TARE" analyze --replay cv --min-runs 6 --max-runs 3 replay.csv
	[ "$status" -eq 2 ]
	printf '1\n2\n3\n' >few
	run "$TARE" analyze --replay cv few
	[ "$status" -eq 5 ]
	[[ "$output" == *"nothing to replay"* ]]
}

# run,iteration,value of $1 runs of $2 iterations by an expression in i and r; noise of 2 %.
series_file() {
	awk -v runs="$1" -v n="$2" 'BEGIN { srand(5); print "run,iteration,value,unit"
		for (r = 1; r <= runs; r++) for (i = 0; i < n; i++) {
			noise = 1 + 0.02 * (rand() + rand() + rand() + rand() - 2) * 1.7
			printf "%d,%d,%.6f,ms\n", r, i, noise * ('"$3"') } }'
}

@test "each run has its own warm-up; slow-downs and late changes are named with place and size" {
	series_file 10 1500 'i < 496 ? 1 : 3.8' >slow.csv
	"$TARE" analyze slow.csv | tr -s '\n ' ' ' >out
	grep -q 'all 10 runs become 3.8 × slower at iteration 496' out
	series_file 4 600 'i < 30 + 10 * r ? 2 : 1' >own.csv
	"$TARE" analyze --json doc own.csv | tr -s '\n ' ' ' >out
	grep -q 'all 4 runs become 2.0 × faster at iterations 40 to 70' out
	[ "$(python3 -c 'import json; print(json.load(open("doc"))["subjects"][0]["metrics"]["value"]["steady"]["skips"])')" = "[40, 50, 60, 70]" ]
	series_file 4 1500 'i < 100 ? 2 : i < 300 ? 1.2 : 1' >two.csv
	"$TARE" analyze --json two.json two.csv >/dev/null
	for two in two.csv two.json; do
		"$TARE" analyze "$two" | tr -s '\n ' ' ' >out
		grep -q 'all 4 runs become 2.0 × faster in several steps, the last at iteration 300' out
	done
	grep -q '"warmup_steps": true' two.json
	series_file 1 600 'i < 500 ? 1 : 1.3' >late.csv
	"$TARE" analyze late.csv | tr -s '\n ' ' ' >out
	grep -q 'iterations become 30 % slower at iteration 500, too late to tell whether that lasts' out
	grep -q 'no steady state was found' out
}

@test "short runs: a slow first iteration is named with what to type, and left out only then" {
	awk 'BEGIN { print "benchmark,side,run,iteration,wall_s"
	             for (r = 0; r < 2; r++) for (s = 0; s < 2; s++) for (i = 0; i < 10; i++)
	                 printf "chi,%s,%d,%d,%.3f\n", s ? "B" : "A", r, i, i ? 2 + (i * 7919 + r * 31 + s * 17) % 101 / 101 : 9 + r }' >short.csv
	run "$TARE" analyze --json short.json short.csv
	[ "$status" -eq 0 ]
	[[ "$(tr -s ' \n' ' ' <<<"$output")" == *"in 2 of 2 runs the first iteration is slower than all others, "*" times their mean; if it is warm-up, leave it out: tare analyze or tare compare with --skip 1"* ]]
	[[ "$output" == *"2 runs, 20 values"* ]]
	jq -e '[.warnings[] | select(.code == "first-iteration")] | length == 2' short.json
	run "$TARE" analyze --skip 1 short.csv
	[[ "$output" == *"2 runs, 18 values"* ]]
	[[ "$output" != *"first iteration"* ]]
	cp short.csv other.csv
	run "$TARE" compare short.csv other.csv
	[[ "$output" == *"the first iteration is slower"* ]]
}

@test "the unit is the mean of a run; one iteration of each is taken only when asked for" {
	series_file 10 400 '1 + 0.2 * (i % 2)' >odd.csv
	"$TARE" analyze odd.csv | tr -s '\n ' ' ' >out
	grep -q '10 runs, 4000 values' out
	grep -q 'the first steady iteration of a run is .* off the mean' out
	"$TARE" analyze --state initialised odd.csv | tr -s '\n ' ' ' | grep -q 'so iteration 1 of each run is used'
}

@test "a run that stands apart is named; spread and outliers are those of the runs" {
	series_file 10 50 'r == 3 ? 1.42 : 1' >apart.csv
	"$TARE" analyze apart.csv | tr -s '\n ' ' ' >out
	grep -Eq 'run 3 of 10 is 1\.4[123] × the others' out
	grep -Eq "MAD .* of the runs' means, [1-3] outliers? \([12] far\) among them; min .* of all values" out
	# One that is slow and one that is fast are no group.
	series_file 12 50 'r == 3 ? 1.2 : r == 7 ? 0.82 : 1' >both.csv
	"$TARE" analyze both.csv | tr -s '\n ' ' ' >out
	grep -Eq 'run 3 of 12 is 1\.2[0-3] × the others, run 7 of 12 is 0\.8[0-2][0-9] × the others; look' out
}

@test "perf stat -r: two files of 30 runs are compared by mean and error" {
	for side in "old 10.00" "new 11.78"; do
		set -- $side
		printf " Performance counter stats for './%s' (30 runs):\n\n    %s msec task-clock    ( +-  2.60%% )\n\n" "$1" "$2" >"$1.txt"
	done
	"$TARE" compare --json doc old.txt new.txt >out
	python3 - <<-'PY'
	import json
	c = json.load(open("doc"))["comparisons"][0]
	assert abs(c["ratio"] - 1.178) < 1e-9 and c["verdict"] == "slower" and c["units"] == 30, c
	PY
	"$TARE" compare old.txt new.txt | tr -s ' ' | grep -q '^old.txt 10.00 ms 1.42 ms -$' # the spread is known, the range is not
	"$TARE" analyze old.txt | tr -s '\n ' ' ' | grep -q '30 runs mean 10.00 ms 9.47 to 10.53 ms'
}

@test "0/1 readings have Wilson's interval; 30 of 30 is not 1 ± 0" {
	{ echo subject,value; for i in $(seq 30); do echo a,1; echo "b,$((i > 3))"; done; } >share.csv
	"$TARE" analyze share.csv >out
	grep -q '1.000   0.886 to 1.000 (95 %, Wilson, 30 of 30)' out
	[ -z "$(grep 'whole multiples' out)" ] # their medians are not told
	grep -q 'Wilson, 27 of 30' out
	[ -z "$(grep -E '1.000 to 1.000|may have been missed' out)" ]
}

@test "0 and 1 are counts where another subject has other numbers" {
	{ echo subject,allocations; for i in $(seq 30); do echo "a,1"; echo "b,$((i % 3))"; echo "c,1"; done; } >counts.csv
	"$TARE" analyze counts.csv >out
	[ -z "$(grep -E 'Wilson|proportion' out)" ]
	[ "$(grep -c 'mean  *1.000   1.000 to 1.000 (95 %, t over 30 runs)' out)" -eq 2 ]
	"$TARE" analyze --json - counts.csv >doc
	[ -z "$(grep Wilson doc)" ]
}

@test "readings of a coarse clock that are alike are not known exactly" {
	awk 'BEGIN { print "wall_ms"; for (i = 0; i < 40; i++) print 20 + (i % 9 == 0) }' >clock.csv
	run "$TARE" analyze clock.csv
	[[ "$output" == *"median "*"no interval: equal within a step of the clock"* ]]
}

@test "a base that may be 0 is the reason that a ratio has no interval" {
	awk 'BEGIN { print "subject,run,faults"
		for (i = 0; i < 30; i++) { print "old," i "," (i % 8 == 0); print "new," i "," 1 + i % 5 } }' >counts.csv
	"$TARE" analyze counts.csv | tr -s '\n ' ' ' >out
	grep -q 'cannot tell yet whether new differs from old the mean of the base cannot be distinguished from 0, so the ratio has no interval' out
}

@test "one run of iterations has the median distance from its median" {
	awk 'BEGIN { print "run,iteration,wall_ms"; for (i = 0; i < 101; i++) print "1," i "," 50 + i * 37 % 101 }' >one.csv
	"$TARE" analyze one.csv | tr -s '\n ' ' ' | grep -q 'MAD 25.0 ms'
}

@test "--changes: place, size and interval; wandering and cycles are told apart" {
	awk 'BEGIN { srand(2); print "steps,cycle"; for (i = 0; i < 300; i++)
		printf "%.4f,%.4f\n", (i < 150 ? 100 : 103) + rand() + rand() - 1,
			100 + (int(i / 50) % 2 ? 4 : 0) + 1.7 * (rand() + rand() + rand() + rand() - 2) }' >walk.csv
	"$TARE" analyze --changes walk.csv | tr -s '\n ' ' ' >out
	grep -Eq 'steps, 300 results .* worse: \+[23]\.[0-9]+ % \[\+2\.[0-9]+ %, \+3\.[0-9]+ %\] .* after #149 and not later than #150' out
	grep -q 'this may be a long cycle' out
	"$TARE" analyze --changes --min-change 5% walk.csv | grep -q 'steps' && return 1
	# Numbers without names are readings in their order, as Pilot's detect_changepoint_edm takes them.
	cut -d, -f1 walk.csv | tail -n +2 >bare
	"$TARE" analyze --changes bare | tr -s '\n ' ' ' | grep -q 'after #149 and not later than #150'
	tail -n +2 walk.csv | tr , ' ' >both
	"$TARE" analyze --changes both | tr -s '\n ' ' ' | grep -q 'after #149 and not later than #150'
	"$TARE" analyze --changes --csv - walk.csv | head -1 | grep -q '^subject,metric'
	# A file that is asked for is written, beside the text.
	"$TARE" analyze --changes --json doc --csv table walk.csv | grep -q 'not later than #150'
	grep -q '^subject,metric' table
	"$TARE" analyze --changes --json - walk.csv | cmp - doc
	python3 - <<-'PY'
	import json
	d = json.load(open("doc"))
	assert d["schema"] == "tare-changes/1" and d["level"] == 0.95
	cycle, steps = d["series"]
	assert (steps["metric"], steps["n"], steps["pattern"], cycle["pattern"]) == ("steps", 300, None, "cycles"), d
	(c,) = steps["changes"]
	assert c["position"] == 150 and c["first"] <= 150 <= c["last"] and not c["gradual"], c
	assert c["relative_ci"]["low"] < 0.03 < c["relative_ci"]["high"] and c["size_ci"]["low"] < c["size"] < c["size_ci"]["high"], c
	PY
	run "$TARE" analyze --changes --markdown m walk.csv
	[[ "$status" -eq 2 && "$output" == *"--markdown does not go with --changes"* && ! -e m ]]
}

@test "--changes: a large step in 14 values is not called no change, and in 24 it is found" {
	python3 -c 'import random
made = random.Random(3)
for i in range(24):
    print(f"{made.gauss(40 if i < 7 else 60, 1):.3f}")' >longer
	head -14 longer >fourteen
	run "$TARE" analyze --changes --json changes.json fourteen
	[ "$output" = "only 14 results: too few to find changes (at least 24)" ]
	jq -e '.least_results == 24 and .series[0].too_few and .series[0].changes == []' changes.json
	run "$TARE" analyze --changes --json changes.json longer
	[[ "$output" == *"most likely #7)"* ]]
	jq -e '.series[0].too_few == false' changes.json
}

@test "--changes: that the whole suite moved is said also where one benchmark is asked for" {
	awk 'BEGIN { srand(4); print "time,commit,benchmark,value,unit"
		for (i = 0; i < 60; i++) for (b = 0; b < 6; b++)
			printf "2026-%02d-%02d,c%d,b%d,%.4f,ms\n", 1 + i / 28, 1 + i % 28, i, b, (i < 30 ? 100 : 106) + 3 * (rand() - 0.5) }' >suite.csv
	"$TARE" analyze --changes --filter '^b3$' suite.csv | tr -s '\n ' ' ' >out
	grep -q '^b3 .* 6 of 6 histories of this machine moved the same way then' out
	[ "$(grep -c 'results from' out)" -eq 1 ]
	! grep -q 'b2' out
	run "$TARE" analyze --changes --filter none suite.csv
	[[ "$status" -eq 5 && "$output" == *"no name matches 'none'"*"the first one is named 'b0'"* ]]
}

@test "--subsessions: no correlation has no sign" {
	awk 'BEGIN { for (i = 0; i < 21; i++) print 10 + i * i * 7 % 51 }' >free # -0.001
	"$TARE" analyze --subsessions free | grep -q '21 subsessions, autocorrelation 0.00$'
}

@test "--changes: the same change in all runs of a program is not called the machine's" {
	awk 'BEGIN { srand(5); print "run,iteration,wall_ms"
		for (r = 0; r < 8; r++) for (i = 0; i < 60; i++) printf "%d,%d,%.4f\n", r, i, (i < 20 ? 15 : 10) + rand() / 5 }' >runs.csv
	"$TARE" analyze --changes runs.csv | tr -s '\n ' ' ' >out
	[ "$(grep -o 'after #19 and not later than #20' out | wc -l)" -eq 8 ]
	[ -z "$(grep 'histories of this machine\|results' out)" ]
}

@test "--subsessions: Pilot's session" {
	run "$TARE" analyze --subsessions "$SOURCE_ROOT/tests/known/pilot-readings.txt"
	[ "$status" -eq 0 ]
	[[ "$output" == *"4 of 44 readings at a time: 11 subsessions"*"(0.61 before)"*"1.72   1.58 to 1.87 (95 %, t over 11 subsessions)"* ]]
	run "$TARE" analyze --subsessions --merge-limit 0.8 --confidence 99 "$SOURCE_ROOT/tests/known/pilot-readings.txt"
	[[ "$output" == *"1 of 44 readings at a time: 44 subsessions"*"(99 %, t over 44 subsessions)"* ]]
	# Each run by itself; a ramp has no number of neighbours that will do.
	for run in 1 2; do for i in $(seq 30); do echo "$run,$i,$((100 + i))"; done; done | sed '1i run,iteration,wall_ms' >ramp.csv
	run "$TARE" analyze --skip 0 --subsessions ramp.csv
	[[ "$output" == *"run 1"*"too few"*"run 2"*"too few"* ]]
}

@test "a spread of 0 has the unit of its neighbours" {
	run "$TARE" analyze --unit s - <<<$'0.01\n0.01\n0.01\n0.01\n0.01\n0.01\n0.02'
	[[ "$output" == *"sd 3.78 ms"*"MAD 0 ms"* ]]
}

@test "thousands of dependent numbers are the iterations of one process: its interval, and nothing is different" {
	python3 - <<-'PY'
	import random
	random.seed(23)
	def values(mean, phi, count):
	    x = 0
	    for _ in range(count):
	        x = phi * x + random.gauss(0, 1)
	        yield f"{mean * (1 + 0.02 * x):.6f}\n"
	open("a", "w").writelines(values(10, 0.7, 3000))
	open("b", "w").writelines(values(11, 0.7, 3000))
	open("independent", "w").writelines(values(10, 0, 3000))
	PY
	run "$TARE" analyze a
	[ "$status" -eq 0 ]
	[[ "$output" == "a  3000 iterations"*"EWC, this run only"*"note: a: 3000 values that depend on each other"* ]]
	[[ "$output" == *median*"no interval: iterations depend on each other"* ]]
	run "$TARE" compare --json doc a b
	[[ "$output" == "cannot tell yet whether b differs from a"*"one run on a side"* ]]
	[ "$(python3 -c 'import json; print(json.load(open("doc"))["comparisons"][0]["verdict"])')" = undecided ]
	run "$TARE" analyze independent
	[[ "$output" == "independent  3000 runs"* && "$output" != *"depend on each other"* ]]
}

machine_table() { # SIZE…: pairs on each machine, the new side 5 % slower
	awk -v sizes="$*" 'BEGIN {
		srand(4); print "machine,subject,run,pair,wall_ms"
		for (m = split(sizes, size, " "); m > 0; m--)
			for (i = 1; i <= size[m]; i++) {
				at = 100 * (1 + 0.1 * rand()); pair++
				printf "m%d,old,%d,%d,%.4f\nm%d,new,%d,%d,%.4f\n", m, i, pair, at * (1 + 0.01 * rand()), m, i, pair, at * 1.05 * (1 + 0.01 * rand())
			}
	}'
}

@test "machines of a table are read again from the document, and named by their numbers" {
	machine_table 10 10 10 10 10 10 >six.csv
	awk -F, -v OFS=, '$1 == "m4" && $2 == "new" { $5 *= 1.3 } 1' six.csv >odd.csv
	"$TARE" analyze odd.csv --json odd.json >out
	grep -q 'machine 3 differs from the others' out # tables name none, and m6 comes first here
	! grep -q 'machine ?' out
	"$TARE" analyze odd.json --json again.json >/dev/null
	python3 -c 'import json; a, b = (json.load(open(f))["comparisons"] for f in ("odd.json", "again.json")); assert a == b, (a, b)'
	"$TARE" export --format csv odd.json >back.csv
	"$TARE" analyze back.csv --json back.json >/dev/null
	python3 -c 'import json; a, b = (json.load(open(f))["comparisons"] for f in ("odd.json", "back.json")); assert a == b, (a, b)'
}

@test "a machine of one pair does not weigh as much as one of 747" {
	machine_table 747 1 >two.csv
	"$TARE" analyze two.csv --json two.json | tr -s '\n ' ' ' >out
	grep -q 'new is [45]\.[0-9]* % slower than old' out
	grep -q ' 748 pairs ' out
	grep -q 'the machines have 1 to 747 pairs: all pairs have equal weight' out
	python3 -c 'import json; c = json.load(open("two.json"))["comparisons"][0]; assert 1.04 < c["ci"]["low"] < c["ci"]["high"] < 1.06, c["ci"]'
	machine_table 40 40 40 40 40 2 >six.csv
	"$TARE" analyze six.csv | tr -s '\n ' ' ' >out
	grep -q '5 machines, 200 pairs this pool' out
	grep -q 'machine 1 has too few runs for a ratio and is left out' out
	machine_table 40 30 20 >alike.csv
	"$TARE" analyze alike.csv | tr -s '\n ' ' ' >out
	grep -q '3 machines, 90 pairs these machines' out
}

@test "the order column is used for every benchmark" {
	awk 'BEGIN {
		srand(6); print "benchmark,program,run,pair,order,wall_ms"
		for (b = 1; b <= 3; b++)
			for (p = 1; p <= 200; p++) {
				order = rand() < 0.5 ? "AB" : "BA"
				for (s = 1; s <= 2; s++)
					printf "b%d,%s,%d,%d,%s,%.4f\n", b, s == 1 ? "A" : "B", p, p, order, 100 * (substr(order, s, 1) == "A" ? 1.1 : 1) * (1 + 0.01 * rand())
			}
	}' >order.csv
	"$TARE" analyze --block 20 --json doc order.csv >/dev/null
	python3 - <<-'PY'
	import json
	comparisons = json.load(open("doc"))["comparisons"]
	assert len(comparisons) == 3
	for c in comparisons:
	    assert abs(abs(c["order_effect"]) - 0.095) < 0.01 and c["ci"]["high"] - c["ci"]["low"] < 0.02, c
	PY
}

@test "many subjects are a table, -v tells all of each" {
	for i in 1 2 3 4 5 6 7 8; do for v in 1 2 3 4 5 6 7 8 9 10; do echo "case$i,$v,$i.$v"; done; done >body
	{ echo "benchmark,run,ms"; cat body; } >many.csv
	run "$TARE" analyze many.csv
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$output")" -lt 25 ]
	[[ "$output" == *case8* && "$output" == *"-v prints more about each"* && "$output" != *"order statistics"* ]]
	run "$TARE" analyze -v many.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"case8  10 runs"*median* ]]
}

@test "sorted invocations of a histogram are not called dependent, and two runs give no interval of one point" {
	python3 - <<-'PY'
	import json, random
	random.seed(3)
	histogram = [[[[round(random.gauss(1, 0.01) * (1 + 0.05 * k), 6), 10] for k in range(10)] for i in range(60)] for f in range(5)]
	json.dump([{"benchmark": "a.B.c", "mode": "sample", "threads": 1, "forks": 5, "warmupIterations": 5,
	            "primaryMetric": {"scoreUnit": "us/op", "rawDataHistogram": histogram}}], open("sample.json", "w"))
	PY
	"$TARE" analyze --json doc sample.json >/dev/null
	python3 -c 'import json; m = json.load(open("doc"))["subjects"][0]["metrics"]["sample"]; assert abs(m["autocorrelation"]) < 0.4, m["autocorrelation"]'
	printf 'run,iteration,value\n1,1,1.0\n2,1,1.1\n2,2,1.2\n' >two.csv
	"$TARE" analyze two.csv | tr -s '\n ' ' ' | grep -q '2 runs: sd 8.1 %;'
}

@test "a name that is longer than a sentence can bear is cut in the middle" {
	python3 -c 'n = "A" * 2500 + "B" * 2500
for r in range(12): print(f"{n},{r},{1 + r / 100}\nother,{r},{1.1 + r / 100}")' | sed '1i name,run,wall_s' >long.csv
	"$TARE" analyze long.csv >out
	[ "$(wc -L <out)" -lt 250 ]
	grep -q 'A…B' out
	"$TARE" analyze --ascii long.csv | grep -q 'A\.\.\.B'
	"$TARE" compare long.csv long.csv >out
	[ "$(wc -L <out)" -lt 250 ]
	"$TARE" run -q --no-save -r 2 -n "$(head -c 5000 /dev/zero | tr '\0' x)" true >out
	[ "$(wc -L <out)" -lt 250 ]
	# Documents have it whole.
	[ "$("$TARE" analyze --json - long.csv | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["subjects"][0]["name"]))')" -eq 5000 ]
}

@test "--filter: only the subjects whose names match, or the others; comparisons are of those" {
	printf 'subject,run,value\n' >t.csv
	for run in 1 2 3 4 5 6 7 8 9 10 11 12; do
		for name in parse sort sort-fast; do echo "$name,$run,1.$run"; done
	done >>t.csv
	run "$TARE" analyze --filter ^sort --json - t.csv
	[ "$status" -eq 0 ]
	python3 -c "import json, sys; d = json.load(sys.stdin); \
		assert [s['name'] for s in d['subjects']] == ['sort', 'sort-fast']; \
		assert [(c['base'], c['new']) for c in d['comparisons']] in ([('sort', 'sort-fast')], [])" <<<"$output"
	run "$TARE" analyze --filter -sort t.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *parse* && "$output" != *sort* ]]
	"$TARE" analyze --reference parse --json all.json t.csv
	run "$TARE" analyze --filter fast --json - all.json # a document with comparisons that lose a side
	[ "$status" -eq 0 ]
	[ "$(python3 -c "import json, sys; print(len(json.load(sys.stdin)['comparisons']))" <<<"$output")" -eq 0 ]
	run "$TARE" analyze --filter nothing t.csv
	[ "$status" -eq 5 ]
	[[ "$output" == *"no name matches 'nothing'"* ]]
	run "$TARE" analyze --filter '*sort' t.csv
	[ "$status" -eq 2 ]
}

@test "the seed that a result was measured with is kept, and told only where there is one" {
	cd "$BATS_TEST_TMPDIR"
	"$TARE" run -q --no-save -r 10 --seed 41 --json a.json true >/dev/null
	"$TARE" run -q --no-save -r 10 --seed 42 --json b.json true >/dev/null
	run --separate-stderr "$TARE" analyze a.json --latex out.tex
	[ "$status" -eq 0 ]
	grep -q ', seed 41\.' out.tex
	"$TARE" compare a.json a.json --latex out.tex >/dev/null
	grep -q ', seed 41\.' out.tex
	"$TARE" compare a.json b.json --latex out.tex >/dev/null
	[ "$(grep -c 'seed' out.tex)" -eq 0 ]
}

@test "numbers that are tiny, or whose mean is about 0, are told with digits that mean something" {
	printf 'residual\n3.2e-15\n3.4e-15\n3.1e-15\n3.3e-15\n3.2e-15\n3.0e-15\n' | "$TARE" analyze - >out
	grep -q 'mean  *3.200e-15   3.052e-15 to 3.348e-15 (95 %, t over 6 runs)' out
	printf '0.3\n-0.2\n-0.1\n0.1\n0.2\n-0.3\n1e-16\n' | "$TARE" analyze - >out
	grep -q 'mean  *0.00   -0.20 to 0.20 (95 %' out
	grep -q 'spread  *sd 0.216, MAD 0.200' out
	awk 'BEGIN { print "run,iteration,value"
		for (r = 0; r < 6; r++) for (i = 0; i < 4; i++) print r "," i "," (r % 2 * 2 - 1) * (1 + i % 2 * 0.5 - 0.25) }' |
		"$TARE" analyze - >out
	[ -z "$(grep 'e+' out)" ]
}

@test "a second file with the same benchmarks is said to add runs" {
	printf 'BenchmarkFoo-8 1000 1000000 ns/op\n' >old.txt
	printf 'BenchmarkFoo-8 1000 1200000 ns/op\n' >new.txt
	run --separate-stderr "$TARE" analyze old.txt new.txt
	[ "$status" -eq 0 ]
	[ "$stderr" = "tare: note: new.txt adds runs to those of old.txt; 'tare compare' compares the two" ]
	run --separate-stderr "$TARE" analyze old=old.txt new=new.txt
	[ -z "$stderr" ]
}

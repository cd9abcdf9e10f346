#!/usr/bin/env bats
# tare compare, as a user types it.

setup() {
	cd "$BATS_TEST_TMPDIR"
	python3 - <<-'PY'
	import random
	random.seed(3)
	def suite(name, factors):
	    with open(name, "w") as out:
	        print("subject,value,unit", file=out)
	        for subject, factor in factors.items():
	            for _ in range(30):
	                print(f"{subject},{random.gauss(0.1 * factor, 0.0005)},s", file=out)
	suite("old.csv", {"alpha": 1, "beta": 1, "gamma": 1, "gone": 1})
	suite("new.csv", {"alpha": 1.05, "beta": 0.9, "gamma": 1, "fresh": 1})
	suite("same.csv", {"alpha": 1, "beta": 1, "gamma": 1, "gone": 1})
	suite("moved.csv", {c: 1.2 for c in ("alpha", "beta", "gamma", "gone", "d", "e", "f")})
	suite("before.csv", {c: 1 for c in ("alpha", "beta", "gamma", "gone", "d", "e", "f")})
	PY
}

@test "matched by name, unmatched ones named, geometric mean" {
	run "$TARE" compare old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *alpha*slower* ]]
	[[ "$output" == *beta*faster* ]]
	[[ "$output" == *"gone: only in the old data"* ]]
	[[ "$output" == *"fresh: only in the new data"* ]]
	[[ "$output" == *"geometric mean"* ]]
}

@test "the gate: exit codes and last line" {
	run "$TARE" compare --gate 2% old.csv new.csv
	[ "$status" -eq 3 ]
	[[ "${lines[-1]}" == "verdict: slower ratio=1.0"*" low="*" high="*" confidence=99 name=alpha" ]]
	run "$TARE" compare --gate 2% old.csv same.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 10% old.csv new.csv
	[ "$status" -eq 4 ] # a benchmark vanished: never green
	run "$TARE" compare --gate 10% --allow-missing old.csv new.csv
	[ "$status" -eq 0 ]
	run "$TARE" compare --gate 2% old.csv missing.csv
	[ "$status" -eq 1 ]
	[[ "${lines[-1]}" == "verdict: failed ratio=- low=- high=- confidence=99" ]]
}

@test "filter, sort, only-changed, Markdown, CSV, JSON" {
	run "$TARE" compare --filter 'a*' old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$output" != *beta* ]]
	run "$TARE" compare --only-changed old.csv new.csv
	[[ "$output" != *gamma* ]]
	run "$TARE" compare --sort change --csv table.csv --markdown table.md --json doc.json old.csv new.csv
	[ "$status" -eq 0 ]
	[[ "$(sed -n 2p table.csv)" == beta,* ]]
	grep -q '^| ' table.md
	grep -q '<details>' table.md
	python3 -c 'import json; d = json.load(open("doc.json")); assert len(d["comparisons"]) == 3'
}

@test "a suite that moves as one is said to be the machine" {
	run "$TARE" compare before.csv moved.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"the whole suite moved by about +20"* ]]
}

@test "units that differ are not compared; one file is not enough" {
	printf 'subject,value,unit\nalpha,1,MB\nalpha,2,MB\nbeta,3,MB\n' >other.csv
	run "$TARE" compare old.csv other.csv
	[[ "$output" == *"is in 's' in one and in 'bytes'"* ]]
	run "$TARE" compare old.csv
	[ "$status" -eq 2 ]
	run "$TARE" compare old.csv nothing-here
	[ "$status" -eq 1 ]
}

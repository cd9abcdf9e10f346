#!/usr/bin/env bats
# Results of several machines, merged.

setup() {
	cd "$BATS_TEST_TMPDIR"
}

machine() {
	"$SOURCE_ROOT/tests/fleet/make-machine" "$@"
}

@test "results of two machines are no longer 800 runs of one" {
	machine m1 0.02 >m1.json
	machine m2 0.02 >m2.json
	run "$TARE" analyze m1.json m2.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"t over 2 machines"* ]]
	[[ "$output" != *"over 800 runs"* ]]
	[[ "$output" == *"these machines"* ]]
	[[ "$output" != *"this pool"* ]]
	[[ "$output" == *"slower"* ]]
}

@test "outliers among the runs of a machine are none among the machines" {
	for m in m1 m2; do
		machine $m 0.02 >raw.json
		"$TARE" analyze --json $m.json raw.json >alone
		grep -q 'outlier' alone
	done
	"$TARE" analyze m1.json m2.json >text
	grep -q '2 machines, 800 values' text
	grep -q "of the machines' means" text
	! grep -q outlier text
}

@test "the pool's interval is the one that decides, and machines have no order in time" {
	for i in 1 2 3 4 5 6; do machine m$i 0.0$i >m$i.json; done
	"$TARE" analyze --json all.json m?.json >text
	! grep -q autocorrelation text
	python3 - <<-'PY'
	import json
	d = json.load(open("all.json"))
	c = d["comparisons"][0]
	assert c["machines"]["pool"]["low"] == c["ci"]["low"] and c["machines"]["pool"]["high"] == c["ci"]["high"], c
	assert c["verdict"] == "undecided" and c["ci"]["low"] < 1 < c["ci"]["high"], c
	assert d["subjects"][0]["metrics"]["wall"]["autocorrelation"] is None
	PY
}

@test "results of one machine are still runs of one" {
	machine m1 0.02 x 400 1 >a.json
	machine m1 0.02 x 400 2 >b.json
	run "$TARE" analyze a.json b.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"over 800 runs"* ]]
}

@test "the pool, kinds of CPU, the odd machine, and two results of one machine" {
	for i in 1 2 3 4 5 6; do machine "a$i" "0.02$i" "CPU A" >"a$i.json"; done
	for i in 1 2 3; do machine "b$i" "0.00$i" "CPU B" >"b$i.json"; done
	machine bad 0.2 "CPU A" >bad.json
	machine a2 0.022 "CPU A" 400 7 >again.json
	"$TARE" analyze --json all.json a?.json b?.json bad.json again.json >text
	grep -q "this pool" text
	grep -q "the next machine" text
	grep -q "3 × CPU B" text
	grep -q "bad differs from the others" text
	python3 - <<-'PY'
	import json
	d = json.load(open("all.json"))
	machines = d["design"]["machines"]
	assert len(machines) == 10, len(machines)
	assert [m["results"] for m in machines if m["id"] == "a2"] == [2]
	c = d["comparisons"][0]["machines"]
	assert c["odd"] == "bad" and c["statement"] == "pool"
	assert [s["count"] for s in c["strata"]] == [7, 3]
	assert len(c["each"]) == 10
	assert d["design"]["levels"][0] == "machine"
	assert len(d["subjects"][0]["metrics"]["wall"]["samples"]) == 10
	PY
	# Read again it says the same.
	"$TARE" analyze all.json >again
	diff <(grep "this pool" text) <(grep "this pool" again)
	# A link: another machine joins what was merged before.
	machine a9 0.02 "CPU A" >a9.json
	"$TARE" analyze --json more.json all.json a9.json >/dev/null
	[ "$(python3 -c 'import json; print(len(json.load(open("more.json"))["design"]["machines"]))')" -eq 11 ]
}

@test "every document names its machine" {
	TARE_NODE=here "$TARE" run --no-save -q --runs 3 --json d.json true >/dev/null
	python3 - <<-'PY'
	import json
	d = json.load(open("d.json"))
	assert len(d["host"]["id"]) == 16
	assert d["design"]["machines"][0]["id"] == d["host"]["id"]
	assert d["design"]["machines"][0]["name"] == "here"
	PY
	TARE_NODE=there "$TARE" run --no-save -q --runs 3 --json e.json true >/dev/null
	[ "$(grep -c '"id"' d.json)" -ge 1 ]
	! diff <(grep -o '"id": "[0-9a-f]*"' d.json | head -1) <(grep -o '"id": "[0-9a-f]*"' e.json | head -1)
}

@test "an interval beside 'same' lies within the margin, whatever the data" {
	same=0
	for seed in $(seq 30); do
		machine m 0.006 x $((20 + 2 * seed)) "$seed" >m.json
		"$TARE" analyze --json out.json m.json >text
		python3 - <<-'PY' && same=$((same + 1)) || [ $? -eq 4 ]
		import json, sys
		c = json.load(open("out.json"))["comparisons"][0]
		if c["verdict"] != "same":
		    sys.exit(4)
		ci = c["total"]["ci"] if c["scope"] == "total" else c["ci"]
		assert 1 / 1.01 <= ci["low"] and ci["high"] <= 1.01, c
		PY
	done
	[ "$same" -ge 10 ]
}

@test "a plan for the ratio on machines counts how it differs between them, not how they differ" {
	# Machines differ by 20 %, and what the change does on them by 1 %.
	python3 - <<-'PY'
	import json, os, random, subprocess
	made = random.Random(5)
	for i in range(8):
	    tool = os.environ["SOURCE_ROOT"] + "/tests/fleet/make-machine"
	    text = subprocess.run([tool, f"m{i}", str(0.02 + made.gauss(0, 0.01)), "CPU", "100"], capture_output=True, check=True).stdout
	    d, factor = json.loads(text), made.lognormvariate(0, 0.2)
	    for s in d["subjects"]:
	        s["metrics"]["wall"]["samples"] = [[v * factor for v in run] for run in s["metrics"]["wall"]["samples"]]
	    json.dump(d, open(f"m{i}.json", "w"))
	PY
	"$TARE" analyze --json all.json m?.json >/dev/null
	"$TARE" plan --from all.json --cost machine=60s,run=0.02s -o plan.json >text
	grep -q 'ratio of pairs' text
	python3 - <<-'PY'
	import json, re
	for s in json.load(open("plan.json"))["subjects"]:
	    assert 0.0005 < s["pairing"] < 0.02, s["pairing"]
	one, ratio = re.search(r"^ +1\.0 % +(\d+) machines.*?(\d+) machines", open("text").read(), re.M).groups()
	assert int(one) > 500 and 10 <= int(ratio) < 60, (one, ratio)
	PY
}

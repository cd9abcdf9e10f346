#!/usr/bin/env bats
# Measurements of others whose truth is known. They lie beside the checkout or nowhere.

setup() {
	cd "$BATS_TEST_TMPDIR"
	data="$SOURCE_ROOT/../shared/data"
	[ -d "$data" ] || skip "no data beside the checkout"
}

# Pairs of the DuetFaaS files, cold starts left out.
duetfaas() {
	zcat "$data/duetfaas/$1"* | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) h[$i] = i; print "subject,pair,value,unit"; next }
		$h["cold_A"] == 0 && $h["cold_B"] == 0 {
			print "A," $h["seq"] "," $h["resp_A_ms"] ",ms"
			print "B," $h["seq"] "," $h["resp_B_ms"] ",ms"
		}' >"$1.csv"
	"$TARE" analyze "$1.csv" >"$1.txt"
	"$TARE" analyze --json "$1.json" "$1.csv" >/dev/null
}

@test "DuetFaaS: a slow-down of 5 % is found, and sieve's lower total stands beside it" {
	for name in rese-genetic_5 rese-sieve_5; do
		duetfaas "$name"
		python3 - "$name.json" <<-'PY'
		import json, sys
		c = json.load(open(sys.argv[1]))["comparisons"][0]
		assert 1.044 <= c["ratio"] <= 1.054, c["ratio"]
		assert c["ci"]["low"] > 1 and c["verdict"] == "slower"
		if "sieve" in sys.argv[1]:
		    assert c["total"]["ratio"] < c["ratio"] - 0.01
		PY
		grep -q '^  total  ' "$name.txt"
	done
}

@test "DuetFaaS: no slow-down is the same" {
	for name in rese-genetic_0 rese-sieve_0; do
		duetfaas "$name"
		python3 - "$name.json" <<-'PY'
		import json, sys
		c = json.load(open(sys.argv[1]))["comparisons"][0]
		assert c["verdict"] == "same" and c["rule"] == 2, c
		assert 0.995 <= c["ci"]["low"] and c["ci"]["high"] <= 1.005, c["ci"]
		PY
		grep -q 'the same' "$name.txt"
	done
}

@test "DuetFaaS on another cloud: whole milliseconds are noticed, and no typical is given" {
	for name in rese-aws-aws_cpu_5 rese-aws-aws_cpu_0; do
		zcat "$data/duetfaas/$name"* | awk -F, '
			NR == 1 { print "subject,value,unit"; next }
			$3 != "" { print "A," $3 ",ms" }
			$4 != "" { print "B," $4 ",ms" }' >"$name.csv"
		run "$TARE" analyze "$name.csv"
		[ "$status" -eq 0 ]
		[[ "$output" == *"steps by 1.0 ms"* ]]
		[[ "$output" != *"  typical "* ]]
	done
}

# 21 Go benchmarks, two versions, 9 units (instance and suite) of 5 pairs; prints those called different.
changed_in() {
	python3 - "$TARE" "$data/witzko-rmit-duet/$1.csv.gz" <<-'PY'
	import collections, csv, gzip, json, subprocess, sys
	by = collections.defaultdict(list)
	for row in csv.DictReader(gzip.open(sys.argv[2], "rt")):
	    by[row["package.BenchmarkFunction"]].append(row)
	changed = []
	for name, rows in by.items():
	    text = "subject,run,iteration,pair,value,unit\n"
	    for row in rows:
	        r, s, i = row["R-S-I"].split("-")
	        text += f"v{row['Version']},{r}-{s},{i},{row['R-S-I']},{row['sec/op']},s\n"
	    run = subprocess.run([sys.argv[1], "analyze", "--json", "-", "-"], input=text, capture_output=True, text=True, check=True)
	    c = json.loads(run.stdout)["comparisons"][0]
	    assert c["units"] == 9 and c["pairs"] == 45, c
	    if c["verdict"] in ("faster", "slower", "mixed"):
	        changed.append(name.split("Benchmark")[-1])
	print(" ".join(sorted(changed)))
	PY
}

@test "Go benchmarks in pairs: nothing changed in A/A, exactly the four affected ones otherwise" {
	[ "$(changed_in mb-main-main)" = "" ]
	[ "$(changed_in mb-main-perf-issue-clean-path)" = "RequestFlight RequestFlights RequestFlightsQuery RequestSeats" ]
}

@test "pairing is worth it where the machine moved" {
	duetfaas rese-genetic_5
	sed 's/,pair,/,label,/' rese-genetic_5.csv >unpaired.csv
	"$TARE" analyze --columns subject=subject,value=value,unit=unit --json unpaired.json unpaired.csv >/dev/null
	python3 - <<-'PY'
	import json
	def width(path):
	    ci = json.load(open(path))["comparisons"][0]["ci"]
	    return ci["high"] - ci["low"]
	assert width("unpaired.json") > 5 * width("rese-genetic_5.json"), (width("unpaired.json"), width("rese-genetic_5.json"))
	PY
}

@test "DuetFaaS as it is: machines need no option, and no machine of few pairs spoils the answer" {
	for name in rese-genetic_5 rese-sieve_5 rese-genetic_0; do
		"$TARE" analyze --metric resp --json "$name.json" "$data/duetfaas/$name"* >/dev/null
	done
	python3 - <<-'PY'
	import json
	def c(name):
	    return json.load(open(name + ".json"))["comparisons"][0]
	for name, low, high in (("rese-genetic_5", 1.0495, 1.0535), ("rese-sieve_5", 1.0473, 1.0526), ("rese-genetic_0", 0.9975, 1.0018)):
	    ci = c(name)["ci"]
	    assert low <= ci["low"] and ci["high"] <= high, (name, ci)
	assert c("rese-genetic_5")["verdict"] == "slower" and c("rese-genetic_0")["verdict"] not in ("faster", "slower", "mixed")
	PY
}

@test "Go benchmarks in pairs: the key R-S-I needs no option" {
	"$TARE" analyze --metric sec/op --json doc "$data/witzko-rmit-duet/mb-main-perf-issue-clean-path.csv.gz" >/dev/null
	python3 - <<-'PY'
	import json
	d = json.load(open("doc"))
	changed = sorted(d["subjects"][c["new"]]["name"].split("Benchmark")[-1].split()[0] for c in d["comparisons"]
	                 if c["verdict"] in ("faster", "slower", "mixed")) if isinstance(d["comparisons"][0]["new"], int) else sorted(
	    c["new"].split("Benchmark")[-1].split()[0] for c in d["comparisons"] if c["verdict"] in ("faster", "slower", "mixed"))
	assert all(c["pairs"] == 45 and c["units"] == 9 for c in d["comparisons"])
	assert changed == ["RequestFlight", "RequestFlights", "RequestFlightsQuery", "RequestSeats"], changed
	PY
}

@test "ReBench: the warm-up of a JIT is cut, and no more than the rule allows" {
	"$TARE" analyze --json doc "$data/rebenchdb/large-payload-total.csv.gz" >/dev/null
	python3 - <<-'PY'
	import json, statistics
	d, compared, near, kept = json.load(open("doc")), 0, 0, 0
	for s in d["subjects"]:
	    for m in s["metrics"].values():
	        steady = m["steady"]
	        if len(m["samples"][0]) < 1000 or steady["state"] in (None, "never"):
	            continue
	        cut = steady.get("skips", [steady["skip"]] * len(m["samples"]))
	        for run, k in zip(m["samples"], cut):
	            assert k <= 2 * len(run) / 3, (s["name"], k)
	            # The first iteration is 3 to 33 times the steady level; some runs are as noisy as that.
	            kept += k == 0 and run[0] >= 3 * statistics.median(run)
	            near += abs(statistics.median(run[k:]) / statistics.median(run[-300:]) - 1) < 0.1
	            compared += 1
	assert compared > 40 and near >= 0.9 * compared and kept <= 0.05 * compared, (near, kept, compared)
	PY
}

@test "DuetFaaS of other authors: 10 % is found in all four, nothing in the five without a change" {
	for file in "$data"/duetfaas/koch-*; do
		"$TARE" analyze --metric resp --json doc "$file" >/dev/null
		python3 - "$file" <<-'PY'
		import json, sys
		c = json.load(open("doc"))["comparisons"][0]
		assert c["pairs"] > 1400, c["pairs"]
		low, high = c["ci"]["low"], c["ci"]["high"]
		if "_10_" in sys.argv[1]:
		    assert c["verdict"] == "slower" and 1.05 < low < high < 1.13, c
		else:
		    assert c["verdict"] not in ("faster", "slower", "mixed") and low < 1 < high, c
		PY
	done
}

@test "DuetFaaS on another cloud, as it is: three pairs in a cell, and the total finds the 5 %" {
	for name in cpu_0 cpu_5 mem_0 mem_5; do
		"$TARE" analyze --json doc "$data/duetfaas/rese-aws-aws_$name"* >/dev/null
		python3 - "$name" <<-'PY'
		import json, sys
		d = json.load(open("doc"))
		c = d["comparisons"][0]
		low, high = c["ci"]["low"], c["ci"]["high"]
		assert c["pairs"] >= 300 and any("no partner" in w["text"] for w in d["warnings"])
		truth = 1.05 if sys.argv[1].endswith("5") else 1
		assert low < truth * 1.01 and high > truth * 0.99 and high - low < 0.1, (low, high)
		assert (c["verdict"] == "slower") == (truth > 1), c["verdict"]
		PY
	done
}

@test "Go benchmarks in pairs, the smaller suite: nothing changed in A/A, RequestFlights alone otherwise" {
	[ "$(changed_in mb-opt-main-main)" = "" ]
	[ "$(changed_in mb-opt-main-perf-issue-clean-path)" = "RequestFlights" ]
}

# YJIT of 2023 compiles what was called 30 times: four benchmarks are one method that is called once an iteration.
@test "YJIT: what is compiled at its 30th call is cut at 29, and nothing where there is no JIT" {
	for config in no_jit with_yjit; do
		python3 - "$data/yjit-metrics/raw/2023-06-20-190816_prod_ruby_$config.json.gz" <<-'PY' | "$TARE" analyze --unit ms --json doc - >/dev/null
		import gzip, json, sys
		d = json.load(gzip.open(sys.argv[1], "rt"))
		print(json.dumps({name: [w + t for w, t in zip(runs, d["times"][name])] for name, runs in d["warmups"].items()}))
		PY
		python3 - "$config" <<-'PY'
		import json, sys
		skip = {s["name"]: next(iter(s["metrics"].values()))["steady"]["skip"] for s in json.load(open("doc"))["subjects"]}
		for name in ("getivar", "setivar", "setivar_object", "setivar_young"):
		    assert skip[name] == 29 if sys.argv[1] == "with_yjit" else skip[name] <= 3, (name, skip[name])
		PY
	done
}

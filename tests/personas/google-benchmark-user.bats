#!/usr/bin/env bats
# Somebody with a suite of Google Benchmark, its JSON files and compare.py.

load hour

setup_file() {
	hour_begins
	cd "$BATS_FILE_TMPDIR/work"
	python3 - <<-'END'
		import json, random
		random.seed(3)
		def suite(path, means):
		    rows = [{"name": name, "run_name": name, "run_type": "iteration", "repetitions": 12, "repetition_index": i,
		             "iterations": 1000, "real_time": random.gauss(mean, mean / 100), "cpu_time": random.gauss(mean, mean / 100),
		             "time_unit": "ns"} for name, mean in means.items() for i in range(12)]
		    json.dump({"context": {"date": "2026-01-01T10:00:00+00:00", "host_name": "h", "num_cpus": 2}, "benchmarks": rows}, open(path, "w"))
		suite("old.json", {"BM_sort/8": 100, "BM_sort/64": 900, "BM_find": 50})
		suite("new.json", {"BM_sort/8": 100, "BM_sort/64": 300, "BM_find": 75})
	END
	ln -s "$(dirname "$TARE")/tests/programs/suite-old" suite-old
	ln -s "$(dirname "$TARE")/tests/programs/suite-new" suite-new
}
setup() { hour_goes_on; }

@test "the files that exist" {
	types 0 tare analyze old.json
	sees BM_find BM_sort
	types 0 tare compare old.json new.json
	sees BM_find slower faster
	types 3 tare compare --gate 5% old.json new.json
	sees BM_find
	types 0 tare compare --filter sort old.json new.json
	sees BM_sort
	[[ "$output" != *BM_find* ]]
	types 0 tare compare --only-changed --sort change old.json new.json
	types 0 tare compare --metric cpu old.json new.json
	types 0 tare compare --html page.html old.json new.json
	types 0 tare compare --plot old.json new.json
	types 0 tare export old.json --format gbench -o again.json
	types 0 tare compare old.json again.json
}

@test "a suite measured by tare" {
	types 0 tare bench --list ./suite-old
	sees heavier
	types 2 tare bench --benchmark_filter=heavier ./suite-old
	sees "--filter REGEX"
	types 2 tare bench --benchmark_repetitions=10 ./suite-old
	sees "--runs N"
	types 0 tare bench -q -r 5 --iterations 4 --iteration-time 100us --filter heavier --json one.json ./suite-old
	sees heavier
	types 0 tare bench -q -r 12 --iterations 4 --iteration-time 100us --filter heavier --metric cpu ./suite-old ./suite-new
	sees slower
	types 0 tare export one.json --format gbench -o google.json
	types 0 tare analyze google.json
	types 0 tare help bench
	sees "--filter REGEX"
	lines_at_most 24
}

@test "over time" {
	types 0 tare history import old.json new.json
	types 0 tare history list
	types 0 tare history trend --subject BM_find
	sees BM_find
}

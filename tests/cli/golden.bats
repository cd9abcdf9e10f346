#!/usr/bin/env bats
# What other tools print for their own data, to the digit. The data lies beside the checkout or nowhere.

setup() {
	cd "$BATS_TEST_TMPDIR"
	data="$SOURCE_ROOT/../shared/data"
}

golden() {
	[ -d "$data" ] || skip "no data beside the checkout"
	run python3 "$SOURCE_ROOT/tests/cli/golden.py" "$1" "$TARE" "$data"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == "$1: "*" numbers compared" ]]
}

@test "benchstat: medians, interval per cents, p values, geometric mean" {
	golden benchstat
}

@test "benchseries: ratios of the medians of nightly pairs" {
	golden benchseries
}

@test "pyperf: means, standard deviations, factors, geometric means" {
	golden pyperf
}

@test "criterion: mean, median, standard deviation and slope to 1e-9" {
	golden criterion
}

@test "JMH: score and scoreError to 3 decimals" {
	golden jmh
}

@test "ripgrep's benchsuite: mean and standard deviation" {
	golden ripgrep
}

@test "ministat: minimum, maximum, median, mean, standard deviation" {
	golden ministat
}

@test "a sample of criterion's linear mode has the slope that its formula gives" {
	python3 - <<-'PY'
	import json, random
	random.seed(7)
	iters = [10.0 * (i + 1) for i in range(100)]
	times = [k * 1234.5 * random.gauss(1, 0.02) for k in iters]
	json.dump({"sampling_mode": "Linear", "iters": iters, "times": times}, open("sample.json", "w"))
	PY
	"$TARE" analyze --skip 0 --json doc.json sample.json >text
	grep -q '^  slope ' text
	! grep -q 'iterations  ' text # the counts are no measurement
	python3 - <<-'PY'
	import json
	sample = json.load(open("sample.json"))
	xy = sum(k * t for k, t in zip(sample["iters"], sample["times"]))
	slope = xy / sum(k * k for k in sample["iters"]) / 1e9
	wall = json.load(open("doc.json"))["subjects"][0]["metrics"]["wall"]
	assert abs(wall["slope"] / slope - 1) < 1e-12, (wall["slope"], slope)
	assert wall["slope_ci"]["low"] < wall["slope"] < wall["slope_ci"]["high"]
	PY
}

#!/usr/bin/env bats
# bench/neighbour, and that tare sees it: by name, and in what it does to a measurement.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_STATE_HOME="$BATS_TEST_TMPDIR/state" TMPDIR="$BATS_TEST_TMPDIR"
	bench="$(dirname "$TARE")/bench"
	cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
}

# beside WORDS…: a neighbour until the test ends.
beside() {
	"$bench/neighbour" --seconds 60 "$@" 3>&- &
	neighbour=$!
}

finding() { # NAME KEY: of doctor's document
	python3 -c 'import json, sys; print(*[f[sys.argv[2]] for f in json.load(open("doc"))["findings"] if f["name"] == sys.argv[1]])' "$@"
}

teardown() {
	[ -z "${neighbour:-}" ] || kill "$neighbour" 2>/dev/null || true
}

@test "every kind in every pattern, pinned and roaming, ends by itself" {
	for kind in cpu memory cache io; do
		for pattern in steady bursty periodic; do
			"$bench/neighbour" --kind $kind --pattern $pattern --seconds 0.02 --period 5 --duty 30 --seed 7
		done
		"$bench/neighbour" --kind $kind --cpu "$cpu" --count 2 --seconds 0.02
	done
	[ -z "$(ls | grep neighbour-)" ]
}

@test "--help says how it is used" {
	[[ "$("$bench/neighbour" --help)" == "usage: neighbour"* ]]
	"$bench/neighbour" --help >/dev/null
}

@test "what it does not understand is said, with exit 2" {
	for words in '--kind gpu' '--pattern odd' '--duty 101' '--count 0' '--cpu' '--seconds -1' 'x y'; do
		run "$bench/neighbour" $words
		[ "$status" -eq 2 ]
		[[ "$output" == *"usage: neighbour"* ]]
	done
	run "$bench/neighbour" --cpu 1023 --seconds 0
	[ "$status" -eq 1 ]
	[[ "$output" == *"cannot use CPU 1023"* ]]
}

@test "doctor names it" {
	beside --count 8 --pattern steady
	# Where others want the CPUs too, one look of a fraction of a second may not see it among the noisiest.
	for look in 1 2 3 4 5 6 7 8 9 10; do
		"$TARE" doctor --json doc
		[[ "$(finding noisy value)" == *neighbour* ]] && break
	done
	[[ "$(finding noisy value)" == *neighbour* ]]
	[ "$(finding noisy state)" != ok ]
	[ "$(finding run-queue state)" != ok ]
}

@test "a run that shares its CPU with it says so" {
	beside --cpu "$cpu"
	run "$TARE" run --cpus "$cpu" --design turns -r 6 --progress none --json doc "$bench/spin 10000000" "$bench/spin 10000000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"disturbed: "*"of the runs waited for a CPU"* ]]
	python3 - <<-'PY'
	import json
	d = json.load(open("doc"))["disturbance"]
	assert d["preempted"] >= 0.5 and d["disturbed"] >= 0.5 and d["migrated"] == 0, d
	PY
}

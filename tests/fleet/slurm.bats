#!/usr/bin/env bats
# A fleet on a real Slurm with six nodes on loopback, and what may go wrong there.

# Each test has a Slurm of its own: a node that failed to start a task is drained for it, which would be the next test's.
setup() {
	PATH=$PATH:/usr/sbin command -v slurmctld >/dev/null && command -v sbatch >/dev/null ||
		skip "Slurm is not installed (scripts/install-deps fleet)"
	cd "$BATS_TEST_TMPDIR"
	export LOOP=$BATS_TEST_TMPDIR/slurm
	export SLURM_CONF=$LOOP/slurm.conf
	"$SOURCE_ROOT/tests/fleet/slurm-loop" start "$LOOP" 6
	export TARE_FLEET=$BATS_TEST_TMPDIR/fleets XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
	for side in old new; do
		printf '#!/bin/sh\ni=0\nwhile [ $i -lt ${1:-300} ]; do i=$((i+1)); done\n' >"$side"
		chmod +x "$side"
	done
}

teardown() {
	[ ! -e "${SLURM_CONF:-}" ] || "$SOURCE_ROOT/tests/fleet/slurm-loop" stop "$LOOP"
}

# Options, then how many turns of the loop: 400 take about a millisecond.
start() {
	timeout 300 "$TARE" run --on slurm --machines 4 --fleet fleet --design turns --metric cpu --runs "${RUNS:-12}" --max-time 2s "$@" \
		"./old ${TURNS:-300}" "./new $((${TURNS:-300} * 2))"
}

# Watches a fleet to its end; one that has none is a failure with what was said, not a hang.
watch() {
	timeout 300 "$TARE" fleet wait "$@" 2>notes || { cat notes; squeue -r; sinfo -N; return 1; }
}

# Every slot has exactly one result, of four machines or fewer, and nothing lies about.
counted_once() {
	[ "$(ls fleet/slot | wc -l)" -eq 4 ]
	[ -z "$(ls fleet/tmp)" ]
	for slot in 0 1 2 3; do [ -e "fleet/slot/$slot.0.json.gz" ]; done
}

# Until a task runs; prints its slot and node.
running() {
	for _ in $(seq 200); do
		line=$(squeue -h -r -t R -o '%K %N' --name="tare-$1" | head -1)
		[ -n "$line" ] && echo "$line" && return
		sleep 0.1
	done
	return 1
}

id_of() {
	sha256sum fleet/experiment.json | cut -c1-12
}

@test "four machines to a verdict, asking squeue at most twice a minute" {
	mkdir bin
	printf '#!/bin/sh\ndate +%%s >>%s/asked\nexec %s "$@"\n' "$PWD" "$(command -v squeue)" >bin/squeue
	chmod +x bin/squeue
	touch asked
	begin=$(date +%s)
	PATH=$PWD/bin:$PATH start >answer 2>notes
	took=$(($(date +%s) - begin))
	grep -q "slower" answer
	grep -q "4 machines" answer
	counted_once
	[ "$(ls fleet/machine | wc -l)" -eq 4 ]
	[ "$(wc -l <asked)" -le $((1 + took / 30)) ]
	"$TARE" history list | grep -q ./old
}

@test "a suite on four machines to its verdict" {
	programs=$(dirname "$TARE")/tests/programs
	timeout 300 "$TARE" bench --on slurm --machines 4 --fleet fleet --max-time 20s --runs 12 --json fleet.json "$programs/suite-old" "$programs/suite-new" >answer 2>notes
	counted_once
	grep -q "4 machines: the intervals are of these machines; others may differ" answer
	python3 - <<-'PY'
	import json
	d = json.load(open("fleet.json"))
	assert len(d["design"]["machines"]) == 4
	names = {d["subjects"][c["new"]]["name"] if isinstance(c["new"], int) else c["new"] for c in d["comparisons"]}
	assert len(d["comparisons"]) >= 3, names
	assert all(len(c["machines"]["each"]) == 4 for c in d["comparisons"])
	PY
	# What one machine more costs is known to a plan.
	"$TARE" plan --from fleet.json --output plan.json | grep -Eq "^machine +4 "
}

@test "the submitting tare is killed: another one takes up, nothing is submitted twice" {
	start --detach >id 2>notes
	"$TARE" fleet wait "$(cat id)" >first 2>notes & waiting=$!
	running "$(id_of)"
	kill -9 $waiting
	wait $waiting || true
	cd / # from anywhere
	timeout 300 "$TARE" fleet wait "$(cat "$BATS_TEST_TMPDIR/id")" >"$BATS_TEST_TMPDIR/answer"
	cd "$BATS_TEST_TMPDIR"
	grep -q "4 machines" answer
	counted_once
	[ "$(ls fleet/wave | grep -vc job)" -eq 1 ]
}

@test "a killed slurmd: its slot is done elsewhere, or by the worker that survives" {
	TURNS=3000 RUNS=200 start --detach >id 2>notes
	read -r slot node <<<"$(running "$(id_of)")"
	kill -9 "$(cat "$LOOP/run/slurmd-$node.pid")"
	watch fleet >answer
	grep -q "machines" answer
	counted_once
}

@test "a killed slurmctld that comes back" {
	TURNS=3000 RUNS=100 start --detach >id 2>notes
	running "$(id_of)"
	kill -9 "$(cat "$LOOP/run/slurmctld.pid")"
	watch fleet >answer & waiting=$!
	sleep 3
	"$SOURCE_ROOT/tests/fleet/slurm-loop" controller "$LOOP"
	wait $waiting
	grep -q "machines" answer
	counted_once
}

@test "a task that Slurm holds back after a failed start is let go" {
	mkdir bin
	printf '#!/bin/sh\n%s "$@" | sed "s/JobHeld[A-Za-z]*/launch failed requeued held/"\n' "$(command -v squeue)" >bin/squeue
	chmod +x bin/squeue
	start --detach --on-option=--hold >id 2>notes
	PATH=$PWD/bin:$PATH watch fleet >answer
	grep -q "is held back by the engine" notes
	counted_once
	[ "$(ls fleet/wave | grep -vc job)" -eq 1 ]
}

@test "preempted by a higher partition: the tasks start again" {
	TURNS=3000 RUNS=100 start --detach >id 2>notes
	running "$(id_of)"
	sbatch -Q -p high -N 6 --exclusive -o /dev/null --wrap 'sleep 2'
	watch fleet >answer
	grep -q "machines" answer
	counted_once
}

@test "scancel of one task: its slot is submitted again, and that is said" {
	TURNS=3000 RUNS=200 start --detach >id 2>notes
	read -r slot node <<<"$(running "$(id_of)")"
	job=$(cat fleet/wave/0.job)
	scancel "${job}_$slot"
	watch fleet >answer
	cat notes
	grep -Eq "slot $slot (is no longer in the queue|failed): it is submitted again" notes
	counted_once
	# Its job had to be submitted twice, or its worker had the time to say that it was ended.
	grep -Eq "slot [0-9]+ is done;" answer
}

@test "a wrong program: each slot is tried three times, then named" {
	start --detach --machines 1 >id 2>notes
	"$TARE" fleet cancel fleet
	program=$(python3 -c 'import json; print(json.load(open("fleet/experiment.json"))["programs"][0]["sha256"])')
	rm -f fleet/slot/* && echo tampered >>"fleet/bin/$program"
	run timeout 300 "$TARE" fleet wait fleet
	[ "$status" -ne 0 ]
	[ "$(ls fleet/failed | wc -l)" -ge 2 ]
	[ -z "$(ls fleet/slot)" ]
}

@test "three rounds in which something is killed at random" {
	run "$SOURCE_ROOT/tests/fleet/random-kills" "$TARE" 3 7
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "status says what runs and why others wait; cancel ends them" {
	TURNS=3000 RUNS=2000 start --detach >id 2>notes
	running "$(id_of)"
	run "$TARE" fleet status "$(cat id)"
	[[ "$output" == *"running on n"* ]]
	"$TARE" fleet cancel "$(cat id)"
	for _ in $(seq 100); do [ -z "$(squeue -h --name="tare-$(id_of)")" ] && break; sleep 0.1; done
	[ -z "$(squeue -h --name="tare-$(id_of)")" ]
}

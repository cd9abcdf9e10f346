#!/usr/bin/env bats
# A fleet on a real Slurm with six nodes on loopback.
load on_slurm

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

@test "a second wave goes to machines that have measured nothing yet" {
	timeout 300 "$TARE" run --on slurm --machines 2 --machines-max 6 --fleet fleet --design turns --metric cpu --runs 12 --max-time 2s --margin 0.001% --confidence 99.99 \
		./old ./new >answer 2>notes
	[ "$(ls fleet/wave | grep -vc job)" -eq 2 ]
	[ "$(ls fleet/slot | wc -l)" -eq 6 ]
	[ "$(ls fleet/machine | wc -l)" -eq 6 ]
	grep -q "6 machines" answer
}

@test "a suite on four machines to its verdict" {
	programs=$(dirname "$TARE")/tests/programs
	timeout 300 "$TARE" bench --on slurm --machines 4 --fleet fleet --max-time 3s --runs 12 --filter 'same|heavier|level' --json fleet.json "$programs/suite-old" "$programs/suite-new" >answer 2>notes
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

@test "a task that Slurm holds back after a failed start is released" {
	mkdir bin
	printf '#!/bin/sh\n%s "$@" | sed "s/JobHeld[A-Za-z]*/launch failed requeued held/"\n' "$(command -v squeue)" >bin/squeue
	chmod +x bin/squeue
	start --detach --on-option=--hold >id 2>notes
	PATH=$PWD/bin:$PATH watch fleet >answer
	grep -q "is held back by the engine" notes
	counted_once
	[ "$(ls fleet/wave | grep -vc job)" -eq 1 ]
}

@test "a wrong program: each slot is tried three times, then named" {
	# No task starts before it is tampered with.
	scontrol update PartitionName=low State=DOWN
	start --detach --machines 1 >id 2>notes
	program=$(python3 -c 'import json; print(json.load(open("fleet/experiment.json"))["programs"][0]["sha256"])')
	echo tampered >>"fleet/bin/$program"
	scontrol update PartitionName=low State=UP
	run timeout 300 "$TARE" fleet wait fleet
	[ "$status" -ne 0 ]
	[ "$(ls fleet/failed | wc -l)" -eq 3 ]
	[ "$(cut -d' ' -f1 fleet/failed/* | sort -u | wc -l)" -eq 3 ]
	[ -z "$(ls fleet/slot)" ]
}

@test "status says what runs and why others wait; cancel ends them" {
	TURNS=3000 RUNS=2000 start --detach >id 2>notes
	running "$(id_of)"
	run "$TARE" fleet status "$(cat id)"
	[[ "$output" == *"running on n"* ]]
	"$TARE" fleet wait fleet >answer 2>notes & waiting=$!
	for _ in $(seq 100); do ! grep -q "running" notes || break; sleep 0.1; done
	"$TARE" fleet cancel "$(cat id)"
	for _ in $(seq 100); do [ -z "$(squeue -h --name="tare-$(id_of)")" ] && break; sleep 0.1; done
	[ -z "$(squeue -h --name="tare-$(id_of)")" ]
	# Whoever waits does not submit it again.
	code=0; wait $waiting || code=$?
	[ $code -eq 130 ]
	grep -q "the fleet was cancelled" notes
	[ "$(ls fleet/wave | grep -vc job)" -eq 1 ]
	"$TARE" fleet status fleet | grep -q "; cancelled"
}

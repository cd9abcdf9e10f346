#!/usr/bin/env bats
# A fleet on a real Slurm on loopback, of which parts are lost on the way.
load on_slurm

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

@test "three rounds in which something is killed at random" {
	run "$SOURCE_ROOT/tests/fleet/random-kills" "$TARE" 3 7
	echo "$output"
	[ "$status" -eq 0 ]
}

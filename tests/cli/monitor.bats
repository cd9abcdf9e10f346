#!/usr/bin/env bats
# tare monitor: views and streams, on this machine and on snapshots of others.
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "one view where the output is no terminal, and it says what is busiest" {
	run -0 "$TARE" monitor --interval 200ms
	[[ ${lines[0]} == "tare monitor "* ]]
	[[ "$output" == *"above 80 %"* ]]
	[[ "$output" == *"cpu0"* ]]
}

@test "a stream: a head, known words, and a line that ends each sample" {
	run -0 "$TARE" monitor --stream --count 3 --interval 60ms
	[ "${lines[0]}" = "tare-monitor 1" ]
	[ "$(grep -c '^sample [0-9.]*$' <<<"$output")" -eq 3 ]
	[ "$(tail -n 1 <<<"$output" | cut -d' ' -f1)" = sample ]
	run ! grep -Evq '^(tare-monitor 1|(use|share|rate|level) [^ ]+ [^ ]+ [0-9.e+-]+( [^ ]+)?|unseen .*|sample [0-9.]+)$' <<<"$output"
}

@test "the snapshots of machines: every one gives a view, and what is missing is said" {
	for machine in arm64 cloud-vm container-v1 container-v2 laptop one-cpu quiet server; do
		"$SOURCE_ROOT/tests/machines/unpack" "$SOURCE_ROOT/tests/machines/$machine" "$machine"
		"$TARE" monitor --root "$machine" --interval 60ms >out 2>err
		grep -q "^tare monitor" out
		grep -q "not seen: block devices: there is no /proc/diskstats" err
	done
}

@test "a machine with 256 CPUs and 500 disks" {
	mkdir -p large/proc
	{
		echo "cpu  0 0 0 0"
		for i in $(seq 0 255); do echo "cpu$i 10 0 10 10 0 0 0 0 0 0"; done
		echo "ctxt 1"
	} >large/proc/stat
	for i in $(seq 0 499); do echo " 8 $i sd$i 10 0 10 10 10 0 10 10 0 10 10"; done >large/proc/diskstats
	"$TARE" monitor --stream --root large --count 2 --interval 60ms >out
	[ "$(grep -c '^use disk:sd[0-9]* busy' out)" -eq 1000 ]
	"$TARE" monitor --root large --all --interval 60ms >out
	[ "$(grep -c '^disk:sd' out)" -eq 500 ]
}

@test "wrong use is told with what to do" {
	run -2 "$TARE" monitor ls
	[[ "$output" == *"tare run --monitor"* ]]
	run -1 "$TARE" monitor --root nowhere
	[[ "$output" == *"snapshot"* ]]
	run -2 "$TARE" monitor --rate 0
}

@test "without colours and without Unicode" {
	run -0 "$TARE" monitor --ascii --color never --interval 200ms
	run ! grep -qP '[^\x00-\x7f]|\x1b' <<<"$output"
}

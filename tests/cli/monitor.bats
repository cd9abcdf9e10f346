#!/usr/bin/env bats
# tare monitor: views and streams, on this machine and on snapshots of others.
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "a stream that nobody reads any more ends" {
	timeout 60 "$TARE" monitor --stream --interval 50ms | head -n 1 >line
	[ "${PIPESTATUS[0]}" -ne 124 ]
	[ -s line ]
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

@test "samples that were missed while it was stopped are left out, not made up" {
	"$TARE" monitor --stream --count 200 --interval 20ms >stream &
	until grep -q '^sample' stream; do sleep 0.01; done
	kill -STOP $!
	sleep 2
	kill -CONT $!
	wait $!
	[ "$(grep -c '^sample' stream)" -eq 200 ]
	# 200 periods of it running, and the time that it was stopped.
	awk '$1 == "sample" { last = $2 } END { exit last < 5.9 }' stream
}

@test "the snapshots of machines: every one gives a view, and what is missing is said" {
	for machine in arm64 cloud-vm container-v1 container-v2 laptop one-cpu quiet server; do
		"$SOURCE_ROOT/tests/machines/unpack" "$SOURCE_ROOT/tests/machines/$machine" "$machine"
		"$TARE" monitor --root "$machine" --interval 60ms >out 2>err
		grep -q "^tare monitor" out
		grep -q "not watched: block devices: there is no /proc/diskstats" err
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

# What limits, by commands that one thing limits. The limit is low, because on a busy machine everyone waits for CPUs too.
limited() {
	"$TARE" run --limit 15% --progress none --warmup 2 --runs 3 --json result.json "$@" "$LIMITED" >out 2>err
}

@test "--monitor: a result that knows how it was watched, and reads back" {
	programs=$(dirname "$TARE")/tests/programs
	"$TARE" run --monitor --runs 3 --warmup 1 --progress none --json a.json "$programs/limited think 0.1" >out
	grep -q "^bottleneck:" out
	[ "$(jq -r '.monitoring.verdict | type' a.json)" = string ]
	[ "$(jq '.monitoring.runs | length' a.json)" -eq 3 ]
	[ "$(jq '[.monitoring.traces[] | .values | length] | unique | length' a.json)" -eq 1 ]
	jq -e '.monitoring.graph.nodes | map(.name) | index("cpu")' a.json
	"$TARE" analyze --json b.json a.json >/dev/null
	diff <(jq -S .monitoring a.json) <(jq -S .monitoring b.json)
	"$TARE" analyze --plot a.json | grep -q "in these runs"
}

@test "--monitor: a reader that is too slow is found, and --cut makes that invalid" {
	LIMITED="$(dirname "$TARE")/tests/programs/limited fifo 0.6 $PWD/pipe"
	limited --monitor
	jq -e '.monitoring.saturations | map(.component) | index("pipe:'"$PWD"'/pipe")' result.json
	limited --cut disk
	[ "$(jq -r .monitoring.verdict result.json)" = invalid ]
	[ "$(jq -r '.warnings | map(select(.code == "bottleneck")) | length' result.json)" -eq 1 ]
	grep -q "not valid: disk is under test, but other things were near their limit: .*pipe:" <(tr -s '\n ' ' ' <out)
	limited --cut pipe
	run ! jq -e '.monitoring.saturations | map(select(.component | startswith("pipe:"))) | map(.under_test) | index(false)' result.json
}

@test "--monitor: a copier waits for memory, one within the cache does not" {
	[ -w /proc/self/clear_refs ] || skip "pages that were touched cannot be seen here"
	programs=$(dirname "$TARE")/tests/programs
	# Blocks as large as the largest cache, of which a virtual machine may report that of the whole host.
	block=$(cat /sys/devices/system/cpu/cpu0/cache/index*/size 2>/dev/null | tr -d K | sort -n | tail -1)
	block=$((${block:-0} / 1024))
	[ "$block" -ge 64 ] || block=64
	[ "$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)" -ge $((40 * block)) ] || skip "too little memory is free for blocks of $block MiB"
	pace() {
		"$TARE" run --monitor --runs 3 --warmup 2 --progress none --json a.json --html page.html "$programs/limited $1 3 $block" >out
		jq '[.monitoring.saturations[] | select(.quantity == "pace")] | length' a.json
	}
	# Other tests may keep it from the CPU until most of its time goes into getting its memory.
	[ "$(pace copy)" -eq 1 ] || [ "$(pace copy)" -eq 1 ] || [ "$(pace copy)" -eq 1 ]
	[ "$(jq -r .monitoring.limiting a.json)" = memory ]
	grep -q "memory pace near its limit in the trial rounds" page.html
	[ "$(pace cache)" -eq 0 ]
}

@test "--monitor-rate: sampled beside the runs, with its overhead" {
	"$TARE" run --monitor-rate 20 --runs 3 --warmup 1 --progress none --json a.json "$(dirname "$TARE")/tests/programs/limited think 0.02" >out
	[ "$(jq .monitoring.rate a.json)" -eq 20 ]
	# A busy machine may leave no time for the pairs of rounds: then it says so, and has no number.
	jq -e '.monitoring | if .overhead == null then .overhead_why != null else .overhead_low <= .overhead and .overhead <= .overhead_high end' a.json
}

@test "the graph: files of the command and of a YAML file, as DOT and as SVG" {
	printf 'components:\n  - name: gpu:0\n    kind: card\nlinks:\n  - {from: command, to: "gpu:0", capacity: 5GB}\n' >more.yaml
	"$TARE" run --components more.yaml --graph graph.dot --runs 3 --warmup 1 --progress none "cat $PWD/more.yaml" >out
	grep -q '^digraph' graph.dot
	grep -q 'gpu:0' graph.dot
	grep -q 'of 5.00 GB/s' graph.dot
	# In a chroot no mount point need be its root.
	if awk '$5 == "/" {found = 1} END {exit !found}' /proc/self/mountinfo; then grep -q 'fs:/' graph.dot; fi
	"$TARE" run --components more.yaml --graph graph.svg --traces traces.svg --runs 3 --warmup 1 --progress none "cat $PWD/more.yaml" >out
	python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' graph.svg traces.svg
	run -1 "$TARE" run --components nowhere.yaml true
	printf 'links:\n  - {from: a}\n' >bad.yaml
	run -1 "$TARE" run --components bad.yaml true
	[[ "$output" == *bad.yaml* ]]
}

@test "plug-ins and other machines: their gauges are judged, hostile ones do no harm" {
	printf '#!/bin/sh\n[ $1 = static ] && exit\nwhile :; do echo use gpu:0 busy 0.97; echo sample 1; sleep 0.02; done\n' >good
	printf '#!/bin/sh\n[ $1 = static ] && exit\nexec cat /dev/zero\n' >bad
	mkdir bin
	printf '#!/bin/sh\necho tare-monitor 1\nwhile :; do echo use disk:far busy 0.5; echo sample 1; sleep 0.02; done\n' >bin/ssh
	chmod +x good bad bin/ssh
	PATH=$PWD/bin:$PATH "$TARE" run --plugin ./good --plugin ./bad --remote server --runs 4 --warmup 1 --progress none \
		--json a.json "$(dirname "$TARE")/tests/programs/limited think 0.4" >out
	jq -e '.monitoring.saturations | map(.component) | index("gpu:0")' a.json
	jq -e '.monitoring.traces | map(.component) | index("server/disk:far")' a.json
	jq -e '.monitoring.unseen | map(select(contains("./bad"))) | length > 0' a.json
	jq -e '.monitoring.graph.nodes | map(.name) | index("host:server")' a.json
}

@test "bench --monitor" {
	"$TARE" bench --monitor --filter same -r 3 --iterations 4 --progress none --json a.json \
		"$(dirname "$TARE")/tests/programs/suite-old" >out 2>err
	[ "$(jq -r '.monitoring.verdict | type' a.json)" = string ]
	[ "$(jq '.monitoring.samples_taken > 0' a.json)" = true ]
}

@test "bench --monitor: the rate comes from pairs of runs with and without it, where a CPU is free" {
	"$TARE" bench --monitor-rate 100 --cpus 0 --filter same --runs 3 --max-time 5s --progress none --json a.json \
		"$(dirname "$TARE")/tests/programs/suite-old" >out 2>err || true
	[ "$(jq .monitoring.rate a.json)" -eq 100 ]
	jq -e '.monitoring | (.overhead | type) == "number" or (.overhead_why | type) == "string"' a.json
	[ "$(jq '.monitoring | .overhead == null or .overhead_low <= .overhead_high' a.json)" = true ]
}

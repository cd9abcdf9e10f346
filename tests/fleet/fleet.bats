#!/usr/bin/env bats
# A fleet without any engine: workers that somebody starts, by hand or by GNU parallel.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TARE_FLEET=$BATS_TEST_TMPDIR/fleets
	for side in old new; do
		printf '#!/bin/sh\ni=0\nwhile [ $i -lt ${1:-300} ]; do i=$((i+1)); done\n' >"$side"
		chmod +x "$side"
	done
}

prepare() {
	"$TARE" fleet prepare "$@" run --design turns --metric cpu --runs 12 --max-time 2s './old 300' './new 600' 2>notes
}

work() { # slot and machine
	TARE_NODE=${2:-n$1} "$TARE" fleet work fleet --slot "$1"
}

@test "prepare freezes the experiment in a folder of one's own" {
	prepare fleet --machines 3 --machines-max 5 >out
	[ "$(stat -c %a fleet)" = 700 ]
	python3 - <<-'PY'
	import hashlib, json, os, re
	text = open("fleet/experiment.json", "rb").read()
	e = json.loads(text)
	assert e["machines"] == 3 and e["machines_max"] == 5 and sorted(e["order"]) == [0, 1, 2, 3, 4]
	assert e["design"] == "turns" and e["metric"] == "cpu" and e["runs"] == 12 and e["chunks"] == 1
	for p in e["programs"]:
	    assert hashlib.sha256(open("fleet/bin/" + p["sha256"], "rb").read()).hexdigest() == p["sha256"]
	assert hashlib.sha256(text).hexdigest()[:12] in open("notes").read()
	PY
	run "$TARE" fleet prepare fleet run true
	[ "$status" -ne 0 ]
	[[ "$output" == *"there is a fleet already"* ]]
	# Nor a folder with anything else in it, which stays as it is.
	mkdir -m 755 project
	touch project/file
	run "$TARE" fleet prepare project --machines 1 run --runs 5 true
	[ "$status" -eq 2 ]
	[[ "$output" == *"project: the folder is not empty"* ]]
	[ "$(stat -c %a project) $(ls project)" = "755 file" ]
}

@test "workers under GNU parallel, then the answer" {
	command -v parallel >/dev/null || skip "GNU parallel is not installed"
	prepare fleet --machines 5 >out
	seq 0 4 | parallel -j 2 'TARE_NODE=n{} '"$TARE"' fleet work fleet --slot {}'
	"$TARE" fleet status fleet | grep -q "5 of 5 machines done"
	"$TARE" fleet collect fleet >answer
	grep -q "this pool" answer
	grep -q "slower" answer
	"$TARE" fleet wait fleet >again
	diff <(grep "this pool" answer) <(grep "this pool" again)
	"$TARE" history list | grep -q ./old
}

@test "what is printed of a fleet is chosen when it is collected" {
	prepare fleet --machines 1 >out
	work 0
	run "$TARE" fleet collect fleet -v --json again.json
	[ "$status" -eq 0 ]
	[[ "$output" == *"slow share"* && "$output" != *"so far"* && -s again.json ]]
	run "$TARE" fleet collect fleet --nothing
	[ "$status" -eq 2 ]
	[[ "$output" == *"there is no option --nothing"* ]]
}

@test "a gate over a fleet is decided by what its machines say together" {
	for limit in 20 1000; do
		rm -rf fleet
		"$TARE" fleet prepare fleet --machines 5 run --gate $limit% --design turns --metric cpu --runs 12 --max-time 2s './old 300' './new 3000' >out 2>notes
		for slot in 0 1 2 3 4; do work $slot; done
		run "$TARE" fleet collect fleet --junit gate.xml
		[ "$status" -eq $((limit == 20 ? 3 : 0)) ]
		[[ "${lines[-1]}" == "verdict: slower "*" gate=$([ $limit = 20 ] && echo broken || echo held) limit=$limit%" ]]
		grep -q 'failures="'$((limit == 20))'"' gate.xml
	done
}

@test "the slot comes from the engine's variable; a second attempt does nothing" {
	prepare fleet --machines 2 >out
	SLURM_ARRAY_TASK_ID=1 TARE_NODE=a "$TARE" fleet work fleet
	[ -e fleet/slot/1.0.json.gz ]
	before=$(sha256sum fleet/slot/1.0.json.gz)
	run work 1
	[[ "$output" == *"0 chunks measured, 1 done before"* ]]
	[ "$before" = "$(sha256sum fleet/slot/1.0.json.gz)" ]
	for variable in PBS_ARRAY_INDEX=1 SGE_TASK_ID=2 JOB_COMPLETION_INDEX=1; do
		run env "$variable" "$TARE" fleet work fleet
		[[ "$output" == *"slot 1: 0 chunks measured, 1 done before"* ]]
	done
	run "$TARE" fleet work fleet --slot 2
	[ "$status" -eq 2 ]
	[ -z "$(ls fleet/tmp)" ]
}

@test "two attempts at once count once" {
	prepare fleet --machines 2 >out
	work 0 & first=$!
	work 0 & second=$!
	wait $first && wait $second
	[ "$(ls fleet/slot | wc -l)" -eq 1 ]
	[ -z "$(ls fleet/tmp)" ]
}

@test "two slots on one machine are one machine" {
	prepare fleet --machines 3 >out
	work 0 same && work 1 same && work 2 other
	"$TARE" fleet collect fleet >answer
	grep -q "these machines" answer
	grep -q "2 machines" answer
}

@test "a killed worker leaves nothing that counts, and another goes on" {
	"$TARE" fleet prepare fleet --machines 1 run --design turns --metric cpu --runs 100 --max-time 2s './old 30000' './new 30000' >out 2>notes
	TARE_NODE=n0 "$TARE" fleet work fleet --slot 0 & worker=$! # not by the function: its shell would be killed instead
	while [ -z "$(pgrep -P $worker)" ] && kill -0 $worker; do sleep 0.05; done
	kill -9 $worker
	wait $worker || true
	[ -z "$(ls fleet/slot)" ]
	work 0
	[ "$(ls fleet/slot)" = 0.0.json.gz ]
}

@test "a worker that the engine ends leaves no temporary folder, nor does the suite that it measured" {
	mkdir temporary
	printf '#!/bin/sh\n# benchmark_list_tests\n[ -z "$SLOW" ] || case "$*" in *list_tests=true*) ;; *) : >begun; exec sleep 600 ;; esac\nexec "%s" "$@"\n' \
		"$SOURCE_ROOT/tests/adapters/suites/fake-google" >suite
	chmod +x suite
	LIST=a "$TARE" fleet prepare fleet --machines 1 bench --adapter gbench --max-time 3s ./suite >out 2>notes
	SLOW=1 LIST=a TMPDIR=$PWD/temporary "$TARE" fleet work fleet --slot 0 2>said &
	worker=$!
	while [ ! -e begun ] && kill -0 $worker; do sleep 0.05; done
	[ -n "$(ls temporary)" ]
	kill -TERM $worker
	wait $worker || true
	[ -z "$(ls temporary)" ]
}

@test "another kind of CPU is a stratum of its own" {
	prepare fleet --machines 4 >out
	for slot in 0 1 2 3; do work $slot; done
	python3 - <<-'PY'
	import gzip, json
	for slot in (1, 2):
	    name = f"fleet/slot/{slot}.0.json.gz"
	    d = json.loads(gzip.open(name).read())
	    d["host"]["cpu"] = "Made Up 9000"
	    gzip.open(name, "w").write(json.dumps(d).encode())
	PY
	"$TARE" fleet collect fleet >answer
	grep -q "2 × Made Up 9000" answer
}

@test "kinds of CPU are not told apart where that is asked for, and it is said" {
	"$TARE" fleet prepare fleet --machines 4 run --strata none --json answer.json --design turns --metric cpu --runs 12 --max-time 2s './old 300' './new 600' >out 2>notes
	for slot in 0 1 2 3; do work $slot; done
	python3 - <<-'PY'
	import gzip, json
	name = "fleet/slot/1.0.json.gz"
	d = json.loads(gzip.open(name).read())
	d["host"]["cpu"] = "Made Up 9000"
	gzip.open(name, "w").write(json.dumps(d).encode())
	PY
	"$TARE" fleet collect fleet >answer
	grep -q "not grouped by CPU" answer
	! grep -q "Made Up 9000" answer
	# A later look at the document keeps to it.
	python3 -c 'import json; d = json.load(open("answer.json")); assert d["design"]["strata"] == "none" and len(d["comparisons"][0]["machines"]["strata"]) == 1'
	"$TARE" analyze answer.json >later
	! grep -q "Made Up 9000" later
}

@test "programs of a suite file, and the file, are copied: workers need neither" {
	mkdir -p project/bin && mv old new project/bin
	cat >project/tare.yaml <<-'YAML'
	design: turns
	metrics: [cpu]
	parameters: [{name: n, values: [300, 600]}]
	on: {strata: none}
	subjects:
	  - {command: 'bin/old {n}'}
	  - {name: newer, command: 'bin/new {n}', environment: [WHO=me]}
	YAML
	"$TARE" fleet prepare fleet --machines 1 run --runs 12 --max-time 2s project/tare.yaml >out 2>notes
	mv project elsewhere
	work 0
	gzip -dc fleet/slot/0.0.json.gz >slot.json
	python3 - <<-'PY'
	import json
	text = open("slot.json").read()
	d = json.loads(text)
	assert [s["name"] for s in d["subjects"]] == ["bin/old 300", "newer (n=300)", "bin/old 600", "newer (n=600)"], d["subjects"]
	assert d["subjects"][1]["command"] == "bin/new 300" and "tare-fleet-" not in text
	assert json.load(open("fleet/experiment.json"))["strata"] == "none"
	PY
	echo tampered >>fleet/bin/"$(python3 -c 'import json; print(json.load(open("fleet/experiment.json"))["programs"][0]["sha256"])')"
	rm fleet/slot/*
	run work 0
	[[ "$output" == *"not the one that the fleet was prepared with"* ]]
}

@test "two suite files, compared" {
	for side in old new; do
		mkdir $side.d && mv $side $side.d/program
		printf 'design: turns\nmetrics: [cpu]\nsubjects: [{name: %s, command: ./program}]\n' $side >$side.d/tare.yaml
	done
	"$TARE" fleet prepare fleet --machines 1 run --runs 12 --max-time 2s old.d/tare.yaml new.d/tare.yaml >out 2>notes
	work 0
	gzip -dc fleet/slot/0.0.json.gz | python3 -c 'import json, sys; assert [s["name"] for s in json.load(sys.stdin)["subjects"]] == ["old", "new"]'
	# A host that sees only the folder of the fleet collects it; files that were changed since do not matter.
	printf 'margin: 0.5\nsubjects: [{name: another, command: ./program}]\n' >old.d/tare.yaml
	"$TARE" fleet collect fleet >answer
	grep -q "^old " answer && grep -q "^new " answer
	rm -r old.d new.d
	for way in collect wait; do
		"$TARE" fleet $way fleet >elsewhere
		diff answer elsewhere
	done
	sed -i 's/turns/plain/' fleet/bin/*
	run "$TARE" fleet collect fleet
	[ "$status" -ne 0 ]
	[[ "$output" == *"not the one that the fleet was prepared with"* ]]
}

@test "parameters and hooks are the workers' as they are the user's" {
	"$TARE" fleet prepare fleet --machines 1 run --design turns --metric cpu --runs 12 --max-time 2s -L n 300,600 --prepare 'touch prepared-{n}' './old {n}' >out 2>notes
	rm prepared-*
	work 0
	[ -e prepared-300 ] && [ -e prepared-600 ] && [ ! -e 'prepared-{n}' ]
	gzip -dc fleet/slot/0.0.json.gz | python3 -c 'import json, sys; assert [s["name"] for s in json.load(sys.stdin)["subjects"]] == ["./old 300", "./old 600"]'
}

@test "two commits: built once, here, and sent" {
	git init -q repository && cd repository
	git config user.email me@example.org && git config user.name me
	cp ../old program.in && git add . && git commit -qm one && echo '# two' >>program.in && git commit -qam two
	"$TARE" fleet prepare ../fleet --machines 1 run --design turns --metric cpu --runs 12 --max-time 2s --git HEAD~1..HEAD --build 'cp program.in program && chmod +x program' ./program >out 2>notes
	cd ..
	work 0
	gzip -dc fleet/slot/0.0.json.gz | python3 -c 'import json, sys; d = json.load(sys.stdin); assert [s["name"][:4] for s in d["subjects"]] == ["HEAD", "HEAD"] and d["subjects"][0]["command"] == "./program", d["subjects"]'
	run "$TARE" fleet collect fleet
	[ "$status" -eq 0 ]
	[[ "$output" != *"building"* ]]
	cd repository
	run "$TARE" fleet prepare ../other --machines 1 run --runs 12 --git HEAD~1..HEAD --build true 'sh program.in'
	[ "$status" -eq 2 ]
	[[ "$output" == *"must be a file that can be copied"* ]]
}

@test "chunks: a worker goes on with the first that is missing" {
	prepare fleet --machines 1 >out
	sed -i 's/"chunks": 1/"chunks": 3/' fleet/experiment.json
	work 0
	[ "$(ls fleet/slot | wc -l)" -eq 3 ]
	rm fleet/slot/0.1.json.gz
	run work 0
	[[ "$output" == *"1 chunk measured, 2 done before"* ]]
	"$TARE" fleet collect fleet >answer
	grep -q "^  36 pairs" answer
}

@test "a program that was changed in the folder is refused, and said" {
	prepare fleet --machines 1 >out
	program=$(python3 -c 'import json; print(json.load(open("fleet/experiment.json"))["programs"][0]["sha256"])')
	echo tampered >>"fleet/bin/$program"
	run work 0
	[ "$status" -ne 0 ]
	[[ "$output" == *"not the one that the fleet was prepared with"* ]]
	[ -z "$(ls fleet/slot)" ]
	grep -q "not the one" fleet/failed/0.0
	run "$TARE" fleet collect fleet
	[ "$status" -ne 0 ]
}

@test "a folder that others may read, and files that are no results, are not trusted" {
	prepare fleet --machines 2 >out
	work 0 && work 1
	chmod 755 fleet
	run "$TARE" fleet status fleet
	[ "$status" -ne 0 ]
	[[ "$output" == *"0700"* ]]
	chmod 700 fleet
	echo nonsense | gzip >fleet/slot/1.0.json.gz.new && mv fleet/slot/1.0.json.gz.new fleet/slot/1.0.json.gz
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"slot 1: a result is not used"* ]]
	"$SOURCE_ROOT/tests/fleet/make-machine" elsewhere 0.5 | gzip >fleet/slot/1.0.json.gz
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"slot 1: a result is not used"* ]]
	: >fleet/slot/1.0.json.gz
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"slot 1: a result is not used"* ]]
	cp fleet/slot/0.0.json.gz fleet/slot/1.0.json.gz
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"slot 1: a result is not used: it is the result of another slot"* ]]
	ln -sf 0.0.json.gz fleet/slot/1.0.json.gz
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"slot 1: a result is not used: it is not your file"* ]]
}

@test "a large fleet is collected by its summaries, and none is believed unseen" {
	"$SOURCE_ROOT/tests/fleet/make-slots" fleet 400 100 ./old ./new
	order=($(python3 -c 'import json; print(*json.load(open("fleet/experiment.json"))["order"])'))
	# The first that is read, and two others: garbage, a link, and a result of something else.
	first=fleet/slot/${order[0]}.0.json.gz link=fleet/slot/${order[5]}.0.json.gz other=fleet/slot/${order[9]}.0.json.gz
	echo nonsense >"$first"
	mv "$link" fleet/tmp/x && ln -s ../tmp/x "$link"
	"$SOURCE_ROOT/tests/fleet/make-slots" another 1 2 ./sleep ./wake && mv another/slot/0.0.json.gz "$other"
	"$TARE" fleet collect fleet >answer
	grep -q "a large fleet" answer
	grep -q "397 machines" answer
	for slot in 0 5 9; do grep -q "slot ${order[$slot]}: a result is not used" answer; done
}

@test "a failed run of any machine of a large fleet keeps its gate from holding" {
	for failed in none 7; do
		rm -rf fleet
		"$SOURCE_ROOT/tests/fleet/make-slots" fleet 300 150 ./old ./new 20% "${failed/none/-1}"
		run "$TARE" fleet collect fleet
		[[ "$output" == *"a large fleet"* ]]
		[ "$status" -eq "$([ $failed = none ] && echo 0 || echo 5)" ]
	done
	[[ "$output" == *"1 of 3000 runs failed (exit 1)"* ]]
}

@test "a full disk loses a chunk and nothing else" {
	[ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=24m tmpfs small 2>/dev/null || skip "no small disk to be had"
	prepare small/fleet --machines 2 >out || { umount small; skip "tare does not fit on it"; }
	dd if=/dev/zero of=small/filler bs=1k 2>/dev/null || true
	run env TARE_NODE=a "$TARE" fleet work small/fleet --slot 0
	rm small/filler
	first=$status said=$output left=$(ls small/fleet/slot small/fleet/tmp)
	TARE_NODE=a "$TARE" fleet work small/fleet --slot 0
	ls small/fleet/slot >done
	umount small
	[ "$first" -ne 0 ]
	[[ "$said" == *"o space"* ]]
	grep -q 0.0.json.gz done
}

@test "collect looks at a prefix of the drawn order only" {
	prepare fleet --machines 4 >out
	order=($(python3 -c 'import json; print(*json.load(open("fleet/experiment.json"))["order"])'))
	work "${order[0]}" && work "${order[1]}" && work "${order[3]}"
	run "$TARE" fleet collect fleet
	[ "$status" -eq 0 ]
	[[ "$output" == *"1 finished slot is left out, because an earlier one"*"only 2 of 4 machines so far"* ]]
	[[ "$output" == *"2 machines"* ]]
	run "$TARE" fleet collect --all fleet
	[[ "$output" == *"3 machines"* ]]
	[[ "$output" == *"order of arrival"* ]]
}

@test "collect says so where only later slots of the drawn order are done" {
	prepare fleet --machines 2 >out
	work "$(python3 -c 'import json; print(json.load(open("fleet/experiment.json"))["order"][1])')"
	run "$TARE" fleet collect fleet
	[ "$status" -eq 5 ]
	[[ "$output" == *"1 slot is done, but the first of the drawn order is not"* ]]
	[[ "$output" == *"--all"* ]]
	run "$TARE" fleet collect --all fleet
	[ "$status" -eq 0 ]
}

@test "a suite of another framework takes the time that was foreseen" {
	[ -x "$(command -v g++)" ] && echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1 || skip "Google Benchmark is not installed"
	for side in old:0 new:3; do
		g++ -O2 -DSLOWER="${side#*:}" -o "g-${side%:*}" "$SOURCE_ROOT/tests/adapters/suites/google.cc" -lbenchmark -lpthread
	done
	"$TARE" fleet prepare fleet --machines 1 bench --max-time 3s ./g-old ./g-new >/dev/null
	python3 -c 'import json; e = json.load(open("fleet/experiment.json")); assert "--max-time=%.0fms" % (1500 * e["seconds"]) in e["arguments"], e'
	work 0
}

@test "while others are measured, what the first machines say is told" {
	prepare fleet --machines 4 >out
	order=$(python3 -c 'import json; print(*json.load(open("fleet/experiment.json"))["order"])')
	"$TARE" fleet wait fleet >answer 2>notes & waiting=$!
	for slot in $order; do
		work "$slot"
		[ "$slot" != "$(cut -d' ' -f2 <<<"$order")" ] || for _ in $(seq 600); do ! grep -q "so far, of 2 machines" notes || break; sleep 0.1; done
	done
	wait $waiting
	grep -Eq "so far, of 2 machines: \+[0-9]+" notes
	grep -q "4 machines" answer
}

@test "the metric that is frozen is one that workers can be asked for" {
	for side in old new; do ln -sf "$SOURCE_ROOT/tests/adapters/suites/fake-google" $side; done
	# Its sizes are confirmed in turns, under the name cpu-turns.
	LIST=a "$TARE" fleet prepare fleet --machines 1 bench --adapter gbench --max-time 10s ./old 'env FACTOR=1.1 ./new' >out 2>notes
	python3 -c 'import json; e = json.load(open("fleet/experiment.json")); assert e["metric"] == "cpu" and "--metric=cpu" in e["arguments"], e'
}

@test "machines that confirmed a difference in turns count as the others do" {
	for side in old new; do ln -sf "$SOURCE_ROOT/tests/adapters/suites/fake-google" $side; done
	export LIST="a b"
	"$TARE" fleet prepare fleet --machines 2 bench --adapter gbench --design shared --gate 5% --max-time 15s ./old 'env FACTOR=2 ./new' >out 2>notes
	work 0
	work 1
	zcat fleet/slot/0.0.json.gz | grep -q cpu-turns
	run "$TARE" fleet collect fleet --json=out.json
	[ "$status" -eq 3 ]
	[[ "$output" == *"gate=broken"* ]]
	python3 - <<-'PY'
	import json
	r = json.load(open("out.json"))
	assert [(c["metric"], c["units"], round(c["ratio"])) for c in r["comparisons"]] == [("cpu", 2, 2), ("cpu", 2, 1)], r["comparisons"]
	assert any(w["code"] == "size-unconfirmed" for w in r["warnings"]), r["warnings"]
	PY
}

@test "an engine whose commands hang does not hold up tare for ever" {
	mkdir bin
	printf '#!/bin/sh\necho 1\n' >bin/sbatch
	printf '#!/bin/sh\nexec sleep 1000\n' >bin/squeue
	chmod +x bin/*
	export PATH=$PWD/bin:$PATH
	"$TARE" run --on slurm --detach --machines 1 --fleet fleet --design turns --metric cpu --runs 12 --max-time 2s './old 300' './new 600' >id 2>notes
	run timeout 150 "$TARE" fleet status fleet
	[ "$status" -eq 0 ]
	[[ "$output" == *"the engine does not answer"* ]]
}

@test "a lost slot is submitted again where the engine refused a wave of another who waits" {
	mkdir bin
	printf '#!/bin/sh\necho "$@" >>sbatch.log\necho 1\n' >bin/sbatch
	printf '#!/bin/sh\nexit 0\n' >bin/squeue
	chmod +x bin/*
	export PATH=$PWD/bin:$PATH
	"$TARE" run --on slurm --detach --machines 1 --fleet fleet --design turns --metric cpu --runs 12 --max-time 2s './old 300' './new 600' >id 2>notes
	printf '0\n' >fleet/wave/2
	chmod 600 fleet/wave/2
	"$TARE" fleet wait fleet >answer 2>&1 &
	for (( i = 0; i < 600 && $(wc -l <sbatch.log) < 2; i++ )); do sleep 0.1; done
	kill $!
	wait $! || true
	[ "$(wc -l <sbatch.log)" -ge 2 ]
	[ -e fleet/wave/3 ]
}

@test "what failed and does not say why is told too" {
	prepare fleet --machines 2 >out
	work 0
	: >fleet/failed/1.0
	chmod 600 fleet/failed/1.0
	"$TARE" fleet collect fleet >answer
	grep -q "slot 1 has 0 of 1 chunks" answer
}

@test "what only a fleet heeds is refused without one" {
	for option in '--machines 3' '--machines-max 3' '--partition p' --on-option=-q '--strata none' '--fleet f' --detach; do
		run "$TARE" run --no-save -r 2 $option true
		[[ "$status" -eq 2 && "$output" == *"${option%%[ =]*} without --on"*"add --on"* ]]
	done
	# That there is to be none may be said, beside a file that has some.
	"$TARE" run -q --no-save -r 2 --on none --machines 3 true
}

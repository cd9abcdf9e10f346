#!/usr/bin/env bats
# The store under faults: kills, no room, locks, damage, hostile names.

load saved

@test "what is measured is printed and rescued when it cannot be saved" {
	mkdir -p "$(dirname "$store")"
	seq 5000 >"$store"
	run "$TARE" run --progress none -r 4 --metric cpu --gate 50% -n one "$spin 1000" -n two "$spin 1000"
	[[ "$output" == *"mean cpu"*"verdict:"* ]]
	[[ "$output" == *"the result is not in the store"*"not a database"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
	run "$TARE" analyze tare-rescue-*.json
	[ "$status" -eq 0 ]
	rm tare-rescue-*
	measure --json doc "$spin 1000"
	grep -q 'it is in doc, as requested' err
	[ -z "$(ls tare-rescue-* 2>/dev/null)" ]
	measure --json /dev/full "$spin 1000" || true
	grep -q '/dev/full: .*No space left' err
	[ "$(grep -c 'as requested' err)" = 0 ]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
	rm -f "$store" tare-rescue-*
	measure "$spin 1000"
	python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("PRAGMA user_version = 77")' "$store"
	run "$TARE" run --progress none -r 4 "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"newer tare (schema 77"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "killed at random moments" {
	python3 "$SOURCE_ROOT/tests/cli/store_kills.py" "$TARE" 5
}

@test "a killed run can be looked at" {
	"$TARE" run --progress none --design turns --metric cpu -r 100000 "$spin 1000" "$spin 1000" >/dev/null &
	run=$!
	until [ -e "$store" ] && [ "$(sql 'SELECT count(*) FROM round' 2>/dev/null || echo 0)" -gt 12 ]; do sleep 0.1; done
	kill -9 $run
	wait $run || true
	run "$TARE" history list
	[[ "$output" == *"killed"* ]]
	run "$TARE" history show @last
	[ "$status" -eq 0 ]
	[[ "$output" == *"its finished rounds are here"*"mean cpu"* ]]
	run "$TARE" analyze @last --metric cpu
	[ "$status" -eq 0 ]
	run "$TARE" history verify
	[[ "$output" == *"1 of them were killed"* ]]
}

@test "names, tags and units of any kind" {
	long=$(python3 -c 'print("x" * 10000)')
	bad=$(printf 'a\xff\xfe\x80b')
	for name in "'; DROP TABLE experiment;--" '"quoted" \ back' "$(printf 'tab\tnew\nline\x1b[31mred')" "$bad" "$long" '%s%n' '-'; do
		measure --name "$name" --tag "$name" --pi "rate:$(printf '%.60s' "$name" | tr -d ':'):regex=([0-9]+)" -n "$name" "echo 5"
		run "$TARE" history list --tag "$name"
		[ "$status" -eq 0 ]
		run "$TARE" history show @last
		[ "$status" -eq 0 ]
		[[ "$output" != *$'\x1b[31m'* ]]
		run "$TARE" history list --subject "$name" --csv -
		[ "$status" -eq 0 ]
		"$TARE" history export @last >doc
		"$TARE" analyze @last >/dev/null
	done
	[ "$(sql 'SELECT count(*) FROM experiment')" = 7 ]
	[ "$(sql 'PRAGMA integrity_check')" = ok ]
	run "$TARE" history trend --all
	[ "$status" -eq 0 ]
	run "$TARE" history verify
	[ "$status" -eq 0 ]
}

@test "no place to write, a full disk, a lock that is held" {
	XDG_DATA_HOME=/proc/self run "$TARE" run --progress none -r 4 --metric cpu "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"mean "*"the result is not in the store"*"it was written to ./tare-rescue-"* ]]
	rm tare-rescue-*
	trap '' XFSZ
	(ulimit -f 200; "$TARE" run --progress none -r 150 --metric cpu -n a "$spin 1000" -n b "$spin 1000" >out 2>err)
	trap - XFSZ
	grep -q "mean " out
	grep -q "the result is not in the store" err
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
	[ "$(sql 'PRAGMA integrity_check')" = ok ]
	rm tare-rescue-*
	measure "$spin 1000"
	python3 -c '
import sqlite3, sys, time
d = sqlite3.connect(sys.argv[1], isolation_level=None)
d.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(60)' "$store" >held &
	holder=$!
	until grep -q held held; do sleep 0.05; done
	run "$TARE" run --progress none -r 4 --metric cpu "$spin 1000"
	kill $holder
	[ "$status" -eq 0 ]
	[[ "$output" == *"mean "*"the result is not in the store"*"another process holds it"* ]]
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "several at once" {
	for i in 1 2 3; do
		"$TARE" run --progress none -q -r 20 --metric cpu --name "n$i" "$spin 1000" >/dev/null 2>err$i &
	done
	wait
	[ "$(cat err1 err2 err3)" = "" ]
	# A round that found the store busy is written with the next one: the samples are all there.
	[ "$(sql "SELECT count(*) FROM experiment WHERE state = 'done'")" = 3 ]
	for i in 1 2 3; do
		"$TARE" analyze --json doc "@n$i" >/dev/null
		[ "$(python3 -c 'import json; print(json.load(open("doc"))["subjects"][0]["metrics"]["cpu"]["n"])')" = 20 ]
	done
}

@test "verify, prune, merge, export" {
	for i in 1 2 3; do measure --name "n$i" --tag t "$spin 1000"; done
	run "$TARE" history verify
	[[ "$output" == *"3 experiments"*"all intact"* ]]
	"$TARE" history export -o docs
	[ "$(ls docs)" = "$(printf 'tare-%d.json\n' 1 2 3)" ]
	run "$TARE" history merge --store other.db "$store"
	[ "$output" = "3 experiments added, 0 were there already" ]
	run "$TARE" history merge --store other.db "$store"
	[ "$output" = "0 experiments added, 3 were there already" ]
	"$TARE" history export @2 >a
	"$TARE" history export @2 --store other.db >b
	cmp a b
	grep -q '"tags": \["t"\]' a
	"$TARE" history import --store third.db docs/*.json
	"$TARE" history export @2 --store third.db >c
	cmp a c
	[ "$("$TARE" history merge --store third.db "$store")" = "0 experiments added, 3 were there already" ]
	"$TARE" history list --store third.db | cut -c-80 >list
	"$TARE" history list | cut -c-80 | diff - list
	# What is made of it is another result.
	"$TARE" analyze --json again.json a >text
	[ "$(grep -c '"stored"' again.json)" = 0 ]
	run "$TARE" history prune
	[ "$status" -eq 2 ]
	# 1970 is a time like any other.
	run "$TARE" history prune --until 1970-01-01
	[ "$output" = "0 experiments removed" ]
	run "$TARE" history prune --keep 1 --dry-run
	[ "$output" = "2 experiments would go" ]
	run "$TARE" history prune --keep 1
	[ "$output" = "2 experiments removed" ]
	[ "$(sql 'SELECT count(*) FROM chunk')" -gt 0 ]
	[ "$(sql 'SELECT count(*) FROM subject')" = 1 ]
	run "$TARE" history list
	[[ "$output" == *"n3"* && "$output" != *"n2"* ]]
	run "$TARE" history merge nothing.db
	[ "$status" -eq 1 ]
	run "$TARE" history export --tag nosuch
	[ "$status" -eq 5 ]
	[[ "$output" == *"no saved experiment matches"* ]]
}

# Only the order of the design is in a column of its own.
@test "the order of the pairs of each machine and of each metric is kept" {
	for m in m1 m2; do "$SOURCE_ROOT/tests/fleet/make-machine" $m 0.02 x 20 >$m.json; done
	"$TARE" analyze --json all.json m1.json m2.json >/dev/null
	python3 - <<-'PY'
	import json
	d = json.load(open("m1.json"))
	del d["host"]["id"]
	for s in d["subjects"]:
	    s["metrics"]["wall"]["order"] = d["design"]["order"][::-1]
	json.dump(d, open("own.json", "w"))
	PY
	"$TARE" export own.json --format json -o one.json
	for file in all one; do
		grep -q '"order"' $file.json
		"$TARE" history import $file.json
		"$TARE" history export @last >back.json
		python3 -c 'import json, sys; a, b = map(json.load, map(open, sys.argv[1:])); del b["stored"]; assert a == b' $file.json back.json
	done
}

@test "a damaged store is told and the rest of it is read" {
	for i in 1 2 3; do measure "$spin 1000"; done
	python3 -c '
import sqlite3, sys
d = sqlite3.connect(sys.argv[1])
d.execute("UPDATE chunk SET data = substr(data, 1, 2) WHERE series IN (SELECT series.id FROM series JOIN subject ON subject.id = series.subject WHERE experiment = 2)")
d.commit()' "$store"
	run "$TARE" history verify
	[ "$status" -eq 1 ]
	[[ "$output" == *"experiment 2: a chunk of samples is not as saved"*"experiment 2: its samples are not as they were saved"*"problems were found"* ]]
	[[ "$output" != *"experiment 1"* && "$output" != *"experiment 3"* ]]
	run "$TARE" analyze @2
	[ "$status" -eq 1 ]
	run "$TARE" history export @1 @3 -o docs
	[ "$status" -eq 0 ]
	dd if=/dev/urandom of="$store" bs=2048 seek=3 count=6 conv=notrunc 2>/dev/null
	run "$TARE" history verify
	[ "$status" -eq 1 ]
	measure "$spin 1000" || true
	grep -q "not in the store" err
}

@test "a run that was killed is resumed" {
	"$TARE" run --progress none -q --design turns --metric cpu -r 40 -n a "$spin 1000" -n b "sleep 0.05" >/dev/null &
	run=$!
	until [ -e "$store" ] && [ "$(sql 'SELECT count(*) FROM round' 2>/dev/null || echo 0)" -gt 3 ]; do sleep 0.1; done
	kill -9 $run
	wait $run || true
	saved=$(sql 'SELECT count(*) FROM round')
	run "$TARE" run --resume "$spin 1000"
	[ "$status" -eq 2 ]
	[[ "$output" == *"--resume continues the commands of the interrupted run"* ]]
	# What would change the runs is refused.
	for option in '--warmup 3' -w3 -qp\ true --metric=wall '--design duet' '--seed 7' -N '--pi x:s:column=1' '--work 1:9' '-L n 1,2' '-n c' \
		'--input x' '--check true' -i '--cpus 0' --refill --counters '--git HEAD' '--builds 2' '--on slurm' '--machines 2' '--plan p.json'; do
		run "$TARE" run --resume -r 44 $option
		[ "$status" -eq 2 ]
		[[ "$output" == *"--resume continues the run as it was started"*"leave it out"* ]]
	done
	# What else stands beside it wins.
	run "$TARE" run --resume -r 44 --json doc.json
	[ "$status" -eq 0 ]
	[ "$saved" -lt 40 ]
	[ "$(sql 'SELECT id, rounds, state FROM experiment')" = "2 44 done" ]
	grep -q '"44"' doc.json
}

@test "a command line with -- and an older --append is resumed" {
	printf '#!/bin/sh\nsleep "$(cat pace)"\n' >slow
	chmod +x slow
	echo 0.5 >pace
	begin() { # ID OPTIONS…: killed when the store has it
		local id=$1
		shift
		"$TARE" run --progress none -q "$@" --design turns --metric cpu -r 40 -- "$spin 1000" ./slow >/dev/null &
		run=$!
		until [ -e "$store" ] && [ "$(sql 'SELECT max(id) FROM experiment' 2>/dev/null || echo 0)" = "$id" ]; do sleep 0.1; done
		kill -9 $run
		wait $run || true
	}
	begin 1
	begin 2 --append @1
	begin 3 --append @1 --append=@2
	echo 0.01 >pace
	run "$TARE" run --resume
	[ "$status" -eq 0 ]
	[ "$(sql 'SELECT id, rounds, state FROM experiment WHERE id > 2')" = "4 40 done" ]
	"$TARE" history export @4 >doc
	words=$(python3 -c 'import json; print(*json.load(open("doc"))["argv"][:5])')
	[ "$words" = "tare run --append=@3 --progress none" ]
	[ "$(grep -c '@[12]"' doc)" = 0 ]
}

@test "a rescued document can be imported" {
	mkdir -p "$(dirname "$store")"
	seq 5000 >"$store"
	measure -n one "$spin 1000" -n two "$spin 2000"
	rm "$store"
	run "$TARE" history import tare-rescue-*.json
	[ "$output" = "1 result added" ]
	run "$TARE" history show @last
	[[ "$output" == *"mean cpu"* ]]
	run "$TARE" history import tare-rescue-*.json
	[ "$output" = "0 results added, 1 was there already" ]
}

@test "as root nothing is written among the files of others" {
	[ "$(id -u)" -eq 0 ] || skip "not root"
	mkdir theirs temporary
	chown 65534 theirs
	export XDG_DATA_HOME="$PWD/theirs" XDG_STATE_HOME="$PWD/theirs" TMPDIR="$PWD/temporary"
	cd theirs
	run "$TARE" run --progress none -r 3 --metric cpu "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"theirs: belongs to another user, and root writes nothing there"$'\n'"run tare as that user"* ]]
	[ -z "$(ls -A .)" ]
	[ "$(ls ../temporary/tare-rescue-*.json | wc -l)" = 1 ]
	run "$TARE" history import ../temporary/tare-rescue-*.json
	[ "$status" -eq 1 ] && [ -z "$(ls -A .)" ]
	# A store that was made for a project is used, as by root in a container on somebody's checkout.
	mkdir .tare && chown 65534 .tare
	run "$TARE" run --progress none -r 3 --metric cpu "$spin 1000"
	[[ "$output" != *"belongs to another user"* ]]
	[ -e .tare/tare.db ]
}

@test "an experiment whose gate was being confirmed is resumed as a whole" {
	printf '#!/bin/sh\nprintf x >>count\n[ $(wc -c <count) -ne 15 ] || { touch here; exec sleep 60; }\nexec "%s" 80000000\n' "$spin" >slow
	chmod +x slow
	"$TARE" run --progress none -q -r 11 -w 1 --metric cpu --design turns --gate 200% -n base "$spin 8000000" -n slow ./slow -n same "$spin 8000000" >out 2>&1 &
	run=$!
	until [ -e here ] || ! kill -0 $run; do sleep 0.05; done
	kill -TERM $run
	wait $run || true
	[ "$(sql 'SELECT id, state, rounds FROM experiment' | tr '\n' ' ')" = "1 interrupted 11 2 interrupted 1 " ]
	run "$TARE" run --resume
	[ "$status" -eq 3 ]
	[ "$(sql 'SELECT id, state, rounds FROM experiment WHERE id > 2' | tr '\n' ' ')" = "3 done 11 4 done 11 " ]
	run "$TARE" run --resume
	[ "$status" -eq 5 ]
}

@test "runs are added only to what was measured in a design that is known" {
	measure --design turns --json doc "$spin 1000" "$spin 1000"
	sed 's/"name": "turns"/"name": "zigzag"/' doc >other
	! cmp -s doc other
	run "$TARE" run -r 6 --append other "$spin 1000" "$spin 1000"
	[ "$status" -eq 1 ]
	[[ "$output" == *"other: a design that this tare does not know: 'zigzag'"* ]]
	echo '{"results": [{"command": "true", "times": [0.1, 0.2, 0.3], "exit_codes": [0, 0, 0]}]}' >hyperfine.json
	run "$TARE" run -r 6 --append hyperfine.json true
	[ "$status" -eq 2 ]
	[[ "$output" == *"not measured by 'tare run'"* ]]
	"$TARE" history import hyperfine.json
	run "$TARE" run -r 6 --append @last true
	[ "$status" -eq 2 ]
}

@test "what is being measured is neither gone on with nor removed" {
	"$TARE" run --progress none --design turns --metric cpu -r 100000 "$spin 1000" "$spin 1000" >/dev/null &
	run=$!
	until [ -e "$store" ] && [ "$(sql 'SELECT count(*) FROM round' 2>/dev/null || echo 0)" -gt 3 ]; do sleep 0.1; done
	# Its number says nothing in a container, nor after it was given to another process.
	python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1], timeout=20); d.execute("UPDATE experiment SET pid = 999999999, sum = NULL"); d.commit()' "$store"
	run "$TARE" run --append @1 -r 3 "$spin 1000" "$spin 1000"
	[ "$status" -eq 2 ]
	[[ "$output" == *"experiment 1 is still being measured"* ]]
	run "$TARE" run --append @1
	[ "$status" -eq 2 ]
	run "$TARE" run --resume
	[ "$status" -eq 2 ]
	[[ "$output" == *"experiment 1 is still being measured"* ]]
	"$TARE" history prune @1
	run "$TARE" history list
	[[ "$output" == *"running"* ]]
	kill -9 $run
	wait $run || true
	# Now it was killed, whoever has its number.
	python3 -c 'import os, sqlite3, sys; d = sqlite3.connect(sys.argv[1], timeout=20); d.execute("UPDATE experiment SET pid = ?", (os.getppid(),)); d.commit()' "$store"
	run "$TARE" history list
	[[ "$output" == *"killed"* ]]
	"$TARE" run -q --resume -r 3 >/dev/null
	[ "$(sql 'SELECT id, state FROM experiment')" = "2 done" ]
}

@test "what nobody can read again is no rescue" {
	mkdir -p "$(dirname "$store")"
	seq 5000 >"$store"
	for place in /dev/null /dev/stderr; do
		measure --json "$place" "$spin 1000"
		[ "$(grep -c 'as requested' err)" = 0 ]
		[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
		rm tare-rescue-*
	done
	mkfifo pipe
	cat pipe >/dev/null &
	measure --json pipe "$spin 1000"
	wait
	[ "$(ls tare-rescue-*.json | wc -l)" = 1 ]
}

@test "a limit on the size of files is told like a full disk" {
	run bash -c 'ulimit -f 2; exec "$0" run --progress none -r 4 --metric cpu --json doc "$1"' "$TARE" "$spin 1000"
	[ "$status" -eq 1 ]
	[[ "$output" == *"mean of 4 runs"* ]]
	[[ "$output" == *"File too large"*"the result is not in the store"* ]]
	# Commands are ended by it as ever.
	run "$TARE" run --progress none --no-save -r 3 "sh -c 'ulimit -f 1; exec dd if=/dev/zero of=big bs=4096 count=1'"
	[ "$status" -eq 5 ]
	[[ "$output" == *"signal 25"* ]]
}

@test "an interrupt after the last run is one" {
	cat >hook <<-'EOF'
	#!/bin/sh
	echo x >>log
	[ "$(wc -l <log)" -lt "$LAST" ] || kill -INT "$(cat pid)"
	EOF
	chmod +x hook
	measured() { # LAST WHEN: that call of the hook interrupts
		rm -f log
		LAST=$1 bash -c 'echo $$ >pid; exec "$0" run --progress none --no-save -w 0 --design turns -r 5 --gate 500% "$1" ./hook true true' "$TARE" "$2"
	}
	for when in --conclude --cleanup; do
		run measured 1000000 $when
		[[ "$status" -eq 0 || "$status" -eq 4 ]]
		run measured "$(wc -l <log)" $when
		[ "$status" -eq 130 ]
		[[ "${lines[-1]}" == "verdict: interrupted "* ]]
	done
}

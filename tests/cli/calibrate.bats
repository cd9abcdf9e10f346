#!/usr/bin/env bats
# tare calibrate, as a user types it. Words, exit codes and bookkeeping; never how fast or how noisy something was.

setup() {
	cd "$BATS_TEST_TMPDIR"
	export XDG_STATE_HOME="$BATS_TEST_TMPDIR/state"
	spin="$(dirname "$TARE")/bench/spin"
}

json() { # FILE EXPRESSION: prints the value of a Python expression over document d
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

@test "--pi: by a number that the command prints" {
	run "$TARE" calibrate --runs 4 --progress none --no-save --pi 'x:MB/s:column=1' --json doc -S default -- 'echo $((50 + $$ % 3))'
	[ "$status" -eq 0 ]
	[ "$(json doc '[(p["metric"], p["run_seconds"]) for p in d["programs"]]')" = "[('x', None)]" ]
	[ "$(json doc '[c["pairs"] for c in d["programs"][0]["designs"] if c["name"] == "turns"]')" = "[4]" ]
	run "$TARE" calibrate --runs 2 --pi x:s:column=1
	[ "$status" -eq 2 ]
	[[ "$output" == *"--pi is for a number that your command prints"* ]]
}

@test "tare's own programs in every design, kept for later" {
	run "$TARE" calibrate --runs 2 --progress none --json doc
	[ "$status" -eq 0 ]
	[[ "$output" == *"false alarms"* ]]
	[[ "$output" == *"kept in $XDG_STATE_HOME/tare/calibration-"* ]]
	[ "$(json doc 'd["schema"]')" = tare-calibration/1 ]
	[ "$(json doc '[p["name"] for p in d["programs"]]')" = "['cpu', 'memory', 'start']" ]
	[ "$(json doc '[c["name"] for c in d["programs"][0]["designs"]]')" = "['turns', 'duet', 'shared', 'shuffled']" ]
	[ "$(json doc 'all(c["pairs"] == 2 or c["left_out"] for p in d["programs"] for c in p["designs"])')" = True ]
	[ "$(json doc 'all(c["pairs"] == 2 for p in d["programs"] for c in p["designs"] if c["name"] in ("turns", "shuffled"))')" = True ]
	[ "$(json doc 'd["disturbance"]["load_start"] >= 0')" = True ]
	[ "$(ls state/tare | wc -l)" -eq 1 ]
	cmp doc state/tare/*
}

@test "what there was no time for is said" {
	run "$TARE" calibrate --max-time 1ms --progress none --no-save --json doc "$spin 1000"
	[ "$status" -eq 0 ]
	[ "$(json doc '[c["pairs"] for c in d["programs"][0]["designs"]]')" = "[0, 0, 0, 0]" ]
	[ "$(json doc 'd["programs"][0]["designs"][0]["left_out"]')" = "there was no time for it" ]
	[[ "$output" == *"left out: "*": there was no time for it"* ]]
}

@test "a command of the user: one argument or several words; earlier programs stay" {
	run "$TARE" calibrate --runs 3 --progress none -- "$spin" 1000
	[ "$status" -eq 0 ]
	run "$TARE" calibrate --runs 3 --progress none --json doc "$spin 2000"
	[ "$status" -eq 0 ]
	[ "$(json doc 'len(d["programs"])')" = 1 ]
	[ "$(json doc 'd["programs"][0]["command"].endswith("spin 2000")')" = True ]
	[ "$(json state/tare/* 'len(d["programs"])')" = 2 ]
	[ "$(json doc 'd["programs"][0]["designs"][3]["pairs"]')" = 3 ]
}

@test "two at once: the second waits, and keeps what the first has kept" {
	"$TARE" calibrate --runs 1 --progress none -- "$spin 1000"
	# The other one holds the folder, and adds a program when tare is seen to wait for it (/proc/locks: "->").
	python3 - "$TARE" "$spin" state/tare/* <<-'PY'
	import fcntl, json, os, re, subprocess, sys, time
	tare, spin, path = sys.argv[1:]
	folder = os.open(os.path.dirname(path), os.O_RDONLY)
	fcntl.flock(folder, fcntl.LOCK_EX)
	words = [tare, "calibrate", "--runs", "1", "--progress", "none", "--", spin, "2000"]
	second = subprocess.Popen(words, stdout=subprocess.DEVNULL)
	while not re.search(rf"-> FLOCK +ADVISORY +WRITE {second.pid} ", open("/proc/locks").read()):
	    if second.poll() is not None:
	        sys.exit("it did not wait")
	    time.sleep(0.01)
	d = json.load(open(path))
	d["programs"].append({**d["programs"][0], "name": "meanwhile", "command": "meanwhile"})
	json.dump(d, open(path, "w"))
	os.close(folder)
	sys.exit(second.wait())
	PY
	[ "$(json state/tare/* 'len(d["programs"])')" = 3 ]
	[ "$(json state/tare/* '"meanwhile" in [p["name"] for p in d["programs"]]')" = True ]
}

@test "later results quote it and warn of what is out of reach" {
	run "$TARE" run --progress none -r 5 --json before "$spin 1000" "$spin 1000"
	[ "$(json before 'd["calibration"]')" = None ]
	[[ "$(json before 'd["calibration_why"]')" == *"not calibrated"* ]]
	"$TARE" calibrate --runs 1 --progress none -- "$spin 1000"
	# What it sees does not matter here.
	python3 - state/tare/* <<-'PY'
	import json, sys
	d = json.load(open(sys.argv[1]))
	d["programs"][0]["best"] = "turns"
	for design in d["programs"][0]["designs"]:
	    design["left_out"] = None
	    design["pair_seconds"] = 0.005
	    for spread in design["spreads"]:
	        spread.update(units=100, sd=0.05, lag1=0)
	    for entry in design["sees"]:
	        entry["change"] = 0.004
	json.dump(d, open(sys.argv[1], "w"))
	PY
	run "$TARE" run -v --progress none -r 5 --json doc "$spin 1000" "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" == *"this machine can detect 0.40 % in 10 s (this command in "* ]]
	[ "$(json doc 'd["calibration"]["change"] == 0.004 and d["calibration"]["seconds"] == 10')" = True ]
	run "$TARE" run --max-time 1200ms --stop precision --precision 0.01% --json doc "$spin 1000" "$spin 1000"
	[[ "$(echo $output)" == *"a precision of 0.010 % is out of reach in 1.2 s: this machine comes to "* ]]
	[ "$(json doc '"out-of-reach" in [w["code"] for w in d["warnings"]]')" = True ]
	run "$TARE" run --max-time 30ms --stop precision --precision 90% "$spin 1000" "$spin 1000"
	[[ "$(echo $output)" == *"a precision of 90 % is out of reach in 30 ms: too few pairs fit into the time"* ]]
	run "$TARE" run --max-time 1200ms --margin 90% --json doc "$spin 1000" "$spin 1000"
	[ "$(json doc '"out-of-reach" in [w["code"] for w in d["warnings"]]')" = False ]
	run "$TARE" run --progress none -r 5 --json doc "$spin 1000"
	[ "$status" -eq 0 ]
	[[ "$output" != *"this machine can detect"* ]]
}

@test "a file that is malformed is no obstacle" {
	"$TARE" calibrate --runs 1 --progress none "$spin 1000"
	echo nonsense >"$(echo state/tare/*)"
	run "$TARE" run --progress none -r 5 "$spin 1000" "$spin 1000"
	[ "$status" -eq 0 ]
	run "$TARE" calibrate --runs 1 --progress none "$spin 1000"
	[ "$status" -eq 0 ]
	[ "$(json state/tare/* 'len(d["programs"])')" = 1 ]
}

@test "a machine that changed is another machine" {
	"$TARE" calibrate --runs 1 --progress none "$spin 1000"
	sed -i 's/"kernel": "[^"]*"/"kernel": "Linux 0.1"/' state/tare/*
	run "$TARE" run --progress none -r 5 --json doc "$spin 1000" "$spin 1000"
	[ "$(json doc 'd["calibration"]')" = None ]
}

@test "--no-save keeps nothing; --json - has standard output for itself" {
	"$TARE" calibrate --runs 1 --progress none --no-save --json - "$spin 1000" >doc 2>text
	[ ! -e state ]
	[ "$(json doc 'len(d["programs"])')" = 1 ]
	grep -q 'smallest change' text
}

@test "failures: exit codes, and nothing is kept" {
	run "$TARE" calibrate --runs 1 --progress none ./no-such-program
	[ "$status" -eq 5 ]
	run "$TARE" calibrate --runs 1 --progress none false
	[ "$status" -eq 5 ]
	run "$TARE" calibrate --runs 1 --progress none --timeout 100ms 'sleep 20'
	[ "$status" -eq 124 ]
	run "$TARE" calibrate --nonsense
	[ "$status" -eq 2 ]
	run "$TARE" calibrate 'echo "open'
	[ "$status" -eq 2 ]
	run "$TARE" calibrate --cpus 4095 true
	[ "$status" -eq 2 ]
	run "$TARE" calibrate --json /no/such/folder/doc true
	[ "$status" -eq 1 ]
	[ ! -e state ]
}

@test "Ctrl-C shows what was measured and keeps nothing: exit 130" {
	printf '#!/bin/sh\necho >>marks\n' >mark
	chmod +x mark
	"$TARE" calibrate --runs 100000 --progress none ./mark >text 2>&1 &
	pid=$!
	while [ "$(cat marks 2>/dev/null | wc -l)" -lt 100 ] && kill -0 $pid; do # trial runs and every CPU are over then
		sleep 0.05
	done
	kill -TERM $pid
	wait $pid && code=0 || code=$?
	[ "$code" -eq 130 ]
	grep -q 'smallest change' text
	[ ! -e state ]
}

@test "a command that sleeps is not measured beside itself" {
	run "$TARE" calibrate --runs 2 --progress none --json doc 'sleep 0.02'
	[ "$status" -eq 0 ]
	[ "$(json doc '[c["name"] for c in d["programs"][0]["designs"] if c["pairs"] == 2]')" = "['turns', 'shuffled']" ]
	[[ "$(echo $output)" == *"left out: duet, shared: "*"waits for something other than a CPU"* ]]
}

@test "the programs themselves" {
	for kind in cpu memory start; do
		run "$TARE" __load "$kind"
		[ "$status" -eq 0 ]
		[ -z "$output" ]
	done
	run "$TARE" __load other
	[ "$status" -eq 2 ]
}

@test "help fits a screen" {
	run "$TARE" calibrate --help
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -le 40 ]
	[ "$(printf '%s\n' "$output" | LC_ALL=C.UTF-8 wc -L)" -le 80 ]
}

#!/usr/bin/env bats
# Somebody with several hosts and no scheduler: a folder that they share, and workers started by hand.

load hour

setup_file() {
	hour_begins
	cp "$SPIN" "$BATS_FILE_TMPDIR/work/spin"
}
setup() { hour_goes_on; }

works() { # SLOT HOST
	TARE_NODE=$2 types 0 tare fleet work pool --slot "$1"
	sees "slot $1: 1 chunk measured"
}

@test "what is a fleet?" {
	types 0 tare fleet --help
	sees "tare fleet prepare DIR" "--machines N" "--html FILE"
	types 2 tare fleet
	sees "prepare|work|status|wait|collect|cancel"
	types 2 tare fleet prepare pool
	sees "for example: tare fleet prepare DIR run"
	types 5 tare fleet prepare missing --machines 2 run ./no-such-program
	sees "there is no such program" "'tare run' or 'tare bench' alone must work here first"
}

@test "prepare, and a first worker" {
	types 0 tare fleet prepare pool --machines 3 run --design turns --metric cpu --runs 12 --max-time 2s './spin 200000' './spin 2000000'
	sees "slots 0 to 2" "tare fleet work" "then: tare fleet collect"
	types 0 tare fleet status pool
	sees "0 of 3 machines done" "slot 2"
	types 5 tare fleet collect pool
	sees "no slot has a result" "tare fleet status"
	types 2 tare fleet work pool --slot 3
	sees "the slots 0 to 2"
	first=$(python3 -c 'import json; print(json.load(open("pool/experiment.json"))["order"][0])')
	works "$first" "n$first"
	types 0 tare fleet collect pool
	sees "slower" "only 1 of 3 machines so far"
}

@test "the others, and the answer" {
	for slot in 0 1 2; do
		TARE_NODE=n$slot types 0 tare fleet work pool --slot "$slot"
	done
	types 0 tare fleet status pool
	sees "3 of 3 machines done"
	types 0 tare fleet collect pool
	sees "slower" "these machines:"
	[[ "$output" != *"use 5 or more ("* ]] # of other metrics and of each side alone
	[[ "$output" != *"so far"* ]]
	types 0 tare fleet wait pool -v --html page.html
	sees "slow share"
	[ -s page.html ]
	types 0 tare history list
	sees "./spin"
}

@test "what does not go" {
	types 2 tare fleet cancel pool
	sees "not started by tare" "finished work is kept"
	types 2 tare fleet prepare pool run true
	sees "there is a fleet already"
	types 2 tare run --machines 4 true true
	sees "add --on slurm"
}

#!/usr/bin/env bats
# A newcomer: never benchmarked anything, follows what tare prints.

load hour

setup_file() { hour_begins; }
setup() { hour_goes_on; }

@test "what is this?" {
	types 2 tare
	sees "usage: tare COMMAND" "run " "bench "
	types 0 tare --help
	types 0 tare --version
	sees "tare "
	types 0 tare help run
	sees "what to measure" "when to stop" "tare help run --all"
	lines_at_most 24
	types 0 tare help run --all
	sees "--parameter-list"
	types 0 tare help methods
	sees "undecided"
}

@test "typing errors get an answer" {
	types 2 tare rnu
	sees "did you mean 'tare run'?"
	types 2 tare run --warmpu 3 true
	sees "did you mean --warmup?"
	types 2 tare run sleep 0.01
	sees "did you mean tare run 'sleep 0.01'?"
	types 2 tare run 'echo a | cat'
	sees "tare run -S default 'echo a | cat'"
	types 5 tare run -r 3 ./not-there
	sees "there is no such program"
	types 2 tare run
	sees "for example: tare run"
}

@test "the machine" {
	types 0 tare doctor
}

@test "one command, two commands" {
	types 0 tare run -r 10 'sleep 0.01'
	sees "sleep 0.01" "runs"
	types 0 tare run -r 12 'sleep 0.1' 'sleep 0.01'
	sees "faster"
	types 0 tare history list
	sees "@1" "@2"
	types 0 tare history show @2
	sees "sleep 0.01"
	types 0 tare report @2 -o page.html
	[ -s page.html ]
	types 2 tare compare @2
	sees "tare report --text @2"
	types 0 tare report --text @2
	sees "faster"
}

@test "a project of one's own" {
	types 0 tare init
	[ -f tare.yaml ]
	types 0 tare run tare.yaml --max-time 3s
	types 0 tare history list
	sees "@1"
	types 0 tare init
}
